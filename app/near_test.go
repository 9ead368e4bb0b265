package app

import (
	"slices"
	"strings"
	"testing"

	"perfectplay/app/family"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
)

// TestNearGames: a stranger's name for a game leads to existing ids, in one line with exit
// code 2.
func TestNearGames(t *testing.T) {
	app := newApp(ours...)
	for word, want := range map[string]string{
		"star37": "halma-star37-2p, halma-star37-3p, halma-star37-4p or halma-star37-6p", "Star37-2p": "halma-star37-2p",
		"halma-star37": "halma-star37-2p, halma-star37-3p, halma-star37-4p or halma-star37-6p", "hamla-star37-2p": "halma-star37-2p",
		"halma-star38-2p": "halma-star37-2p", "halma-5x5": "halma-5x5p1", "5x5p3": "halma-5x5p3", "halma-5x6p3": "halma-5x5p3",
		"halma": "halma-star37-2p", "sternhalma": "halma-star37-2p", "chinese-checkers": "halma-star37-2p", "Chinese Checkers": "halma-star37-2p",
		"chinese-chekers": "halma-star37-2p", "chinese": "halma-star37-2p",
		"tic-tac-toe": "mnk-3x3k3", "tictactoe": "mnk-3x3k3", "TicTacToe": "mnk-3x3k3", "tictacto": "mnk-3x3k3", "noughts-and-crosses": "mnk-3x3k3",
		"gomoku": "mnk-15x15k5", "3x3k3": "mnk-3x3k3", "mnk-3x3": "mnk-3x3k3", "mnk": "mnk-3x3k3",
		"dominoes": "domino", "domnio": "domino",
	} {
		_, err := app.Open(word, "")
		if err == nil {
			t.Errorf("%q is taken for a game", word)
			continue
		}
		if cli.Code(err) != cli.ExitUsage || !strings.Contains(err.Error(), "did you mean "+want) {
			t.Errorf("%q: %v, want %s", word, err, want)
		}
	}
	for _, word := range []string{"connect4", "Connect Four", "connect-4", "conect4", "conectfour"} {
		if _, err := app.Open(word, ""); err == nil || !strings.Contains(err.Error(), "examples/connectfour && go run . info connect4-7x6") {
			t.Errorf("%q: %v, another game is no hint", word, err)
		}
	}
	for word, want := range map[string]string{
		"chess": "Chess is not here", "Chess": "Chess is not here", "ches": "Chess is not here", "checkers": "Checkers (draughts) is not here", "draughts": "Checkers",
		"go": "Go is not here", "Go": "Go is not here", "hex": "Hex is not here", "nim": "Nim is not here", "othello": "Othello (Reversi) is not here",
		"reversi": "Othello (Reversi)", "mancala": "Mancala is not here", "renju": "Renju is not here", "nine-men's-morris": "Nine Men's Morris is not here",
		"connect6": "Connect6 is not here", "chinese chess": "Xiangqi is not here", "quoridor": "Quoridor is not here", "shogi": "Shogi is not here",
		"halma-16x16": "square Halma is not here", "halma-8x8": "square Halma is not here", "halma-14x14": "square Halma is not here", "halma-16": "square Halma is not here", "Square Halma": "square Halma is not here",
		"gomoku": "did you mean mnk-15x15k5? There six and more in a row win, too", "five-in-a-row": "six and more in a row win, too",
	} {
		if _, err := app.Open(word, ""); err == nil || cli.Code(err) != cli.ExitUsage || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "halma-star") {
			t.Errorf("%q: %v, want %s", word, err, want)
		}
	}
	for _, word := range []string{"", "-", "zzzzzzzz", "ab", "o", "xy"} {
		if _, err := app.Open(word, ""); err == nil || !strings.Contains(err.Error(), "solve info lists them") {
			t.Errorf("%q: %v", word, err)
		}
	}
	for rules, want := range map[string]string{"huose": "house", "House": "house", "gamesmann": "gamesman", "bsae": "base"} {
		if _, err := app.Open("halma-star37-2p", rules); err == nil || !strings.Contains(err.Error(), "did you mean "+want) {
			t.Errorf("rules %q: %v, want %s", rules, err, want)
		}
	}
}

// TestKnownNames: common names of games are spelt as [family.Family] demands, and lead to ids
// that open.
func TestKnownNames(t *testing.T) {
	app := newApp(ours...)
	for _, f := range app.Families {
		for name, known := range f.Known {
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789#") != "" || len(known.IDs) == 0 && known.Note == "" {
				t.Errorf("the name %q leads to %v", name, known)
			}
			for _, id := range known.IDs {
				if _, err := app.Open(id, ""); err != nil {
					t.Errorf("%s leads to %s: %v", name, id, err)
				}
			}
		}
	}
}

// FuzzGame: every id, rules and position give the game of exactly that id and a state, or a usage
// error. All hints are games.
func FuzzGame(f *testing.F) {
	for _, id := range []string{"star37", "halma-star38-2p", "halma-5x5p+3", "mnk-03x3k3", "mnk-3x3k3 ", "domino-", "tictactoe", "halma-star37-2p\n", "mnk-99999999999999999999x1k1", "-", "İ"} {
		f.Add(id, "huose", "start")
	}
	f.Add("halma-star37-2p", "house", "2.22._______.______._____.______._______.11.1-1")
	f.Add("halma-5x5p3", "sturtevant", "start")
	f.Add("mnk-3x3k3", "", "3.3.3")
	f.Add("halma-star121-6p", "filled+stay-out", "")
	f.Add("domino", "", "02.12_04.14_25_0")
	f.Add("halma-99999999999999999999x1p1", "base", "x")
	app := newApp(ours...)
	f.Fuzz(func(t *testing.T, id, rules, position string) {
		g, s, err := app.OpenAt(id, rules, family.At{Position: position})
		if err == nil {
			again, err := g.Parse(s.String())
			if err != nil || again.String() != s.String() || g.ID() != id {
				t.Fatalf("%q %q %q: %s of %s does not read back: %v", id, rules, position, s, g.ID(), err)
			}
			return
		}
		if cli.Code(err) != cli.ExitUsage {
			t.Fatalf("%q %q %q: %v is no usage error", id, rules, position, err)
		}
		_, hint, ok := strings.Cut(err.Error(), "; did you mean ")
		if !ok || strings.Contains(id+rules+position, "did you mean") {
			return
		}
		for _, word := range strings.FieldsFunc(strings.TrimSuffix(hint, "?"), func(r rune) bool { return r == ',' || r == ' ' }) {
			if word == "or" {
				continue
			}
			if _, err := app.Open(word, ""); err == nil {
				continue
			}
			if !slices.ContainsFunc(app.Families, func(f family.Family) bool {
				return slices.ContainsFunc(f.Rules, func(r wing.Rules) bool { return r.Name == word })
			}) {
				t.Fatalf("%q, rules %q: %v offers %s", id, rules, err, word)
			}
		}
	})
}
