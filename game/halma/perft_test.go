package halma

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/gametest"
	"perfectplay/game/perft"
)

var (
	perftNodes   = flag.Uint64("perft.nodes", 1_000_000, "skip perft lines of more leaves")
	perftMailbox = flag.Uint64("perft.mailbox", 20_000, "skip perft lines of more leaves for the reference generator")
	perftWrite   = flag.Bool("perft.write", false, "write testdata/*.perft anew from both generators")
)

func byID(id, rules string) (game.Game, error) {
	g, err := ByID(id, rules)
	if err != nil {
		return nil, err
	}
	return g, nil
}

func mailboxByID(id, rules string) (game.Game, error) {
	g, err := ByID(id, rules)
	if err != nil {
		return nil, err
	}
	return g.Mailbox(), nil
}

func TestPerft(t *testing.T) {
	if *perftWrite {
		writePerft(t)
	}
	files, err := filepath.Glob("testdata/*.perft")
	if err != nil || len(files) == 0 {
		t.Fatalf("no perft files: %v", err)
	}
	nodes, mailbox := *perftNodes, *perftMailbox
	if testing.Short() {
		nodes, mailbox = nodes/5, mailbox/5
	}
	for _, file := range files {
		gametest.RunPerft(t, file, nodes, byID)
		t.Run("mailbox", func(t *testing.T) { gametest.RunPerft(t, file, mailbox, mailboxByID) })
	}
}

// writePerft counts by both generators and writes the files; the source of each line says which
// counted.
func writePerft(t *testing.T) {
	boards := map[string][]string{
		"star13":  {"halma-star13-2p", "halma-star13-3p", "halma-star13-4p", "halma-star13-6p"},
		"star37":  {"halma-star37-2p", "halma-star37-3p", "halma-star37-4p", "halma-star37-6p"},
		"star73":  {"halma-star73-2p", "halma-star73-3p", "halma-star73-4p", "halma-star73-6p"},
		"star121": {"halma-star121-2p", "halma-star121-3p", "halma-star121-4p", "halma-star121-6p"},
	}
	for n := 2; n <= 11; n++ {
		for _, p := range []int{1, 2, 3, 4, 6, 10} {
			if b, err := Diamond(n, strconv.Itoa(p)); err == nil {
				file := fmt.Sprintf("%dx%d", n, n)
				boards[file] = append(boards[file], "halma-"+b.Name())
			}
		}
	}
	for file, ids := range boards {
		var out strings.Builder
		fmt.Fprintf(&out, "# Turn sequences on %s: id rules position depth count source.\n", file)
		fmt.Fprintf(&out, "# The source says which move generators of package halma agree on the count.\n")
		for _, id := range ids {
			for _, rules := range Presets() {
				g, err := ByID(id, rules)
				if err != nil || rules == "gamesman" || rules == "sturtevant-2019-run" && g.board.pieces != 6 {
					continue // rule set gamesman has the same moves as base
				}
				rng := rand.New(rand.NewPCG(11, uint64(g.board.Cells())))
				enough := uint64(100_000)
				if g.board.Cells() >= 37 && g.board.pieces >= 3 {
					enough = 10_000_000
				}
				writePerftLines(t, &out, g, "start", enough)
				if text := lateText(g, rng); text != "" {
					writePerftLines(t, &out, g, text, 50_000)
				}
			}
		}
		if err := os.WriteFile(filepath.Join("testdata", file+".perft"), []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func writePerftLines(t *testing.T, out *strings.Builder, g *Game, position string, enough uint64) {
	last := uint64(0)
	for depth := 1; depth <= 12; depth++ {
		l := perft.Line{ID: g.ID(), Rules: g.Rules(), Position: position, Depth: depth}
		s, err := l.Open(byID)
		if err != nil {
			t.Fatal(err)
		}
		n := perft.Count(s, depth)
		source := "bitboards"
		limit := uint64(300_000)
		if l.Rules == "base" && (g.seats == 6 || g.board.pieces == 6 && !g.board.star) {
			limit = 30_000_000
		}
		if n <= limit {
			m, err := l.Open(mailboxByID)
			if err != nil {
				t.Fatal(err)
			}
			if want := perft.Count(m, depth); n != want {
				t.Fatalf("%s %s %s depth %d: %d, reference %d", l.ID, l.Rules, position, depth, n, want)
			}
			source = "bitboards and mailbox"
		}
		if n >= min(enough, 10_000) || depth == 1 {
			fmt.Fprintf(out, "%s %s %s %d %d %s\n", l.ID, l.Rules, position, depth, n, source)
		}
		if n >= enough || n == 0 || depth > 6 && n == last {
			return
		}
		last = n
	}
}

// lateText returns an undecided position near the end of a game that heads for the goals.
func lateText(g *Game, rng *rand.Rand) string {
	for range 50 {
		s := g.Start()
		var texts []string
		for ply := 0; ply < 600 && s.Result() == game.Ongoing; ply++ {
			moves := s.Moves(nil)
			m := moves[rng.IntN(len(moves))]
			for range 4 {
				if n := moves[rng.IntN(len(moves))]; s.(game.Orderer).Gain(n) > s.(game.Orderer).Gain(m) {
					m = n
				}
			}
			texts = append(texts, s.String())
			s.Make(m)
		}
		if _, won := s.Result().Winner(); won && len(texts) > 6 {
			return texts[len(texts)-3]
		}
	}
	return ""
}
