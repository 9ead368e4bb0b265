package prove

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// FuzzCertificate reads any bytes as a certificate: the checker refuses, refutes or accepts
// it without panic. It accepts a win or a draw of the first player only on boards with that
// value.
func FuzzCertificate(f *testing.F) {
	draws := map[string]bool{"mnk-3x3k3": true, "mnk-4x4k4": true, "mnk-5x5k5": true, "mnk-4x3k3": false, "mnk-1x1k1": false, "mnk-4x4k3": false}
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k4"} {
		g, claim, s := proved(f, id)
		file := certified(f, g, claim, s)
		f.Add(unpacked(f, file))
		f.Add(file)
	}
	for _, rest := range []string{"", "mnk-3x3k3 attacker y wins\n", "mnk-3x3k3 attacker x wins\n\x08\x04", "mnk-3x3k3 attacker x holds\n\x08\xff\x04\x08",
		"mnk-5x5k5 attacker x holds\n\x08\x82\x00\x01\x02\x03", "mnk-4x4k4 attacker o wins\n\x02\x80", "mnk-1x1k1 attacker x wins\n\x02\x00",
		"mnk-3x3k3 attacker x holds\n\x08\x81\x00\x00", "mnk-3x3k3 attacker x holds\n\x28",
		"mnk-3x3k3 attacker x holds\n\xfb" + strings.Repeat("\xff", 10)} {
		f.Add([]byte(certificateHeader + certificateVersion + "\n" + rest))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := OpenCertificate(bytes.NewReader(data))
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		n, err := p.Check(ctx, 1<<20, nil)
		drawn, known := draws[p.Game().ID()]
		switch {
		case err == nil && known && p.Claim.Attacker == 0 && p.Claim.Win == drawn, err == nil && p.Claim.Attacker == 1 && p.Claim.Win:
			t.Fatalf("%q: a claim that is false is held: %+v", data, n)
		case err != nil && !errors.Is(err, ErrRefuted) && !errors.Is(err, ErrMemory) && !errors.Is(err, context.DeadlineExceeded) && !strings.HasPrefix(err.Error(), "prove: "):
			t.Fatalf("%q: %v", data, err)
		}
	})
}
