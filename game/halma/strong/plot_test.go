package strong

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestPlotDistances(t *testing.T) {
	var b bytes.Buffer
	if err := PlotDistances(&b, "a <game>", []uint64{0, 5, 0, 7}, []uint64{2, 0, 4, 0}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "plies to the end") || !strings.Contains(b.String(), "<svg") {
		t.Error("labels are missing")
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
