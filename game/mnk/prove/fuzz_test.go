package prove

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"perfectplay/game/mnk"
)

// FuzzCertificate reads any text as a certificate: what is accepted writes back
// as a certificate that reads as the same, and the checker refutes or holds it
// without panic. A claim that the first player wins is held on no board that he
// does not win.
func FuzzCertificate(f *testing.F) {
	draws := map[string]bool{"mnk-3x3k3": true, "mnk-4x4k4": true, "mnk-5x5k5": true}
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k4"} {
		g, claim, s := proved(f, id)
		c, _, err := Certify(f.Context(), g, claim, s, 0)
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			f.Fatal(err)
		}
		if b.Len() < 1<<14 {
			f.Add(b.String())
		}
	}
	for _, rest := range []string{"", "mnk-3x3k3 attacker y wins\n", "mnk-3x3k3 attacker x wins\n3.3.3 b2\n", "mnk-5x5k5 attacker x holds\n5.5.5.5.5 holds a1-b2 b3-c3\n",
		"mnk-4x4k4 attacker o wins\n4.4.4.4 holds\n", "mnk-1x1k1 attacker x wins\n1 a1\n", "mnk-3x3k3 attacker x holds\n3.3.3 holds a1-a1\n"} {
		f.Add(certificateHeader + "\n" + rest)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, c, err := ReadCertificate(strings.NewReader(text), 1<<30)
		if err != nil {
			return
		}
		var first, again bytes.Buffer
		if _, err := c.WriteTo(&first); err != nil {
			t.Fatal(err)
		}
		_, back, err := ReadCertificate(bytes.NewReader(first.Bytes()), 1<<30)
		if err != nil {
			t.Fatalf("%q writes\n%s, which is refused: %v", text, first.String(), err)
		}
		if _, err := back.WriteTo(&again); err != nil || again.String() != first.String() {
			t.Fatalf("%q writes\n%s and then\n%s", text, first.String(), again.String())
		}
		_, err = Check(t.Context(), g.Start().(mnk.Position), g, c.Claim, c, 2000)
		if err == nil && c.Claim.Win && (draws[g.ID()] || c.Claim.Attacker == 1) {
			t.Fatalf("%q: a win that is none is held", text)
		}
		if err != nil && !errors.Is(err, ErrRefuted) && !strings.Contains(err.Error(), "positions to check") {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
