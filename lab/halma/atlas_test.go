package halma

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game/halma/strong"
)

// TestAtlas compares the verdicts of docs/data/atlas.csv with print, and its counts with the
// numbers of positions.
func TestAtlas(t *testing.T) {
	f, err := os.Open("../../docs/data/atlas.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	printed, err := strong.Published()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		cell := map[string]string{}
		for i, name := range lines[0] {
			cell[name] = line[i]
		}
		count := func(name string) uint64 {
			n, err := strconv.ParseUint(cell[name], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		wins, losses, draws, illegal := count("wins"), count("losses"), count("draws"), count("illegal")
		if n := 2 * (wins + losses + draws + illegal); n != count("published_positions") {
			t.Errorf("%s under %s: %d positions counted of %d", cell["game"], cell["rules"], n, count("published_positions"))
		}
		var verdicts []string
		for _, p := range printed {
			if p.Game() != cell["game"] || cell["rules"] != reproRules {
				continue
			}
			r := strongRow{
				PublishedPositions: p.Positions, PublishedWins: p.Wins, PublishedDraws: p.Draws, PublishedIllegal: p.Illegal,
				Positions: count("published_positions"), Wins: wins + losses, Draws: 2 * draws, Illegal: 2 * illegal,
			}
			r.judge(true)
			source, _, _ := strings.Cut(p.Source, " (")
			verdicts = append(verdicts, source+": "+r.Verdict)
		}
		if want := strings.Join(verdicts, "; "); cell["verdict"] != want {
			t.Errorf("%s under %s: %q, want %q", cell["game"], cell["rules"], cell["verdict"], want)
		}
	}
}
