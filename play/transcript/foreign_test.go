package transcript

import (
	"slices"
	"strings"
	"testing"

	"perfectplay/game/mnk"
)

// TestForeign: games of other programs and editors read as the same game in our form.
func TestForeign(t *testing.T) {
	psq := "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,1234\r\n7,9,20\r\npbrain-a.exe\r\npbrain-b.exe\r\n-1\r\n"
	for name, c := range map[string]struct {
		text, id, moves string
		seats           []Seat
		result          string
	}{
		"mark":      {"\ufeffgame mnk-3x3k3\n\nb2 b1\n", "mnk-3x3k3", "b2 b1", nil, ""},
		"capitals":  {"Game mnk-15x15k5\nRESULT x\r\n\r\nH8 I9 G9  \r\n", "mnk-15x15k5", "h8 i9 g9", nil, "x"},
		"numbers":   {"game mnk-15x15k5\n\n1. h8 i9 2. g9, 2... a1\n3.b2 4.C3\n5.\n", "mnk-15x15k5", "h8 i9 g9 a1 b2 c3", nil, ""},
		"commas":    {"game mnk-15x15k5\n\nh8,i9, g9 ,a1,\n", "mnk-15x15k5", "h8 i9 g9 a1", nil, ""},
		"psq":       {psq, "mnk-15x15k5", "h8 i9 g7", []Seat{{"x", "pbrain-a.exe"}, {"o", "pbrain-b.exe"}}, ""},
		"psq, mark": {"\ufeff" + psq, "mnk-15x15k5", "h8 i9 g7", []Seat{{"x", "pbrain-a.exe"}, {"o", "pbrain-b.exe"}}, ""},
		"psq, wide": {"Piskvorky 30x7, 0:0, 0\n30,1,0\n27,7,0\n", "mnk-7x30k5", "ad7 aa1", nil, ""},
		"sgf": {"(;FF[4]GM[4]CA[UTF-8]\nSZ[15]PB[Ann \\[1\\]]PW[B]RE[B+R]C[a (long); comment];B[hh]BL[7];W[ig]C[x\\]y]\n(;B[gi];W[aa])(;B[bb]))\n",
			"mnk-15x15k5", "h8 i9 g7 a15", []Seat{{"x", "Ann [1]"}, {"o", "B"}}, "x"},
		"sgf, letters and numbers": {"(;GM[4]SZ[15];B[H8];W[i9])", "mnk-15x15k5", "h8 i9", nil, ""},
		"sgf, rectangle":           {"(;GaMe[4]SZ[9:6]RE[0];B[ai];W[if];B[aa])", "mnk-6x9k5", "", nil, ""},
	} {
		games, err := Read(strings.NewReader(c.text))
		if name == "sgf, rectangle" {
			if err == nil || !strings.Contains(err.Error(), "B[ai]: want a cell of the board") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(games) != 1 {
			t.Errorf("%s: %v, %v", name, games, err)
			continue
		}
		r := &games[0]
		g, err := mnk.ByID(r.ID)
		if err != nil || r.ID != c.id || r.Result != c.result || c.seats != nil && !slices.Equal(r.Seats, c.seats) {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		s := g.Start()
		var moves []string
		if _, err := r.Course(g); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, text := range r.Moves {
			m, err := read(s, text)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			moves = append(moves, s.MoveString(m))
			s.Make(m)
		}
		if got := strings.Join(moves, " "); got != c.moves {
			t.Errorf("%s: %s, want %s", name, got, c.moves)
		}
	}
}

// TestForeignRefused: each error of a foreign file is one line.
func TestForeignRefused(t *testing.T) {
	for text, want := range map[string]string{
		"hello":           "such as: game mnk-15x15k5; or a game of Piskvork (.psq) or SGF",
		"":                "no game: want a record",
		"Piskvorky 15, 1": "line 1: \"Piskvorky 15, 1\": want Piskvorky COLUMNSxROWS",
		"Piskvorky 0x5":   "want 1 to",
		"Piskvorky 15x15, 11:11, 0\n1,1,0\n16,1,0": "line 3: \"16,1,0\" is not on the board",
		"(;GM[1]SZ[19];B[aa])":                     "GM[1]: want GM[4]",
		"(;GM[4];B[aa])":                           "a move before SZ",
		"(;GM[4])":                                 "no SZ",
		"(;GM[4]SZ[15]AB[aa])":                     "stones that are set up are not read",
		"(;GM[4]SZ[15];W[aa])":                     "black begins",
		"(;GM[4]SZ[15];B[aa];B[bb])":               "take turns",
		"(;GM[4]SZ[15]\n;B[]":                      "SGF: line 2: B[]: want a cell",
		"(;GM[4]SZ[15];B[aa":                       "without an end",
		"(;[4])":                                   "a value without a name",
		"(;GM[4]SZ[15]!)":                          "want a property",
		"(;GM[4]SZ[15]SZ[9])":                      "given twice",
	} {
		if games, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v; want %s", text, games, err, want)
		}
	}
}

// TestAgree: a header that contradicts the moves is refused; one with more than the moves show
// is not.
func TestAgree(t *testing.T) {
	g, err := mnk.ByID("mnk-3x3k3")
	if err != nil {
		t.Fatal(err)
	}
	const won = "\n\nb2 b1 a3 c1 a1 c3 a2\n"
	for text, want := range map[string]string{
		"result o" + won:             "the header says result o, and the moves end with result x",
		"result draw" + won:          "the header says result draw, and the moves end with result x",
		"result x" + won:             "",
		"ending whatever" + won:      "",
		"result 1" + won:             "result 1: want draw, or the seat that has won: x, o",
		"seat 1 me" + won:            "seat 1: the seats of mnk-3x3k3 are x, o",
		"seat o me\nresult x" + won:  "",
		"result o\n\nb2\n":           "",
		"result draw\n\nb2 b1 a3 c1": "",
	} {
		games, err := Read(strings.NewReader("game mnk-3x3k3\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = games[0].Course(g)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestOffsets: an opening of Gomocup's lists, around the middle of boards of odd and even sides.
func TestOffsets(t *testing.T) {
	for line, want := range map[string]string{
		"0,0, -1,2": "start h8 g6", "-7,-7,7,7": "start a15 o1", "8,0": "", "0": "", "start a1,b2": "", "1,2,3": "", "x2.1o1.3": "",
	} {
		if got := strings.Join(Offsets(line, "mnk-15x15k5"), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := Offsets("0,0", "mnk-20x20k5"); !slices.Equal(got, []string{"start", "k10"}) {
		t.Errorf("%v", got)
	}
	if got := Offsets("0,0", "mnk-3x3k3"); got != nil {
		t.Errorf("three in a row: %v", got)
	}
}

// FuzzForeign: any foreign file is read or refused in one line, and a game that is read can be
// written and read again.
func FuzzForeign(f *testing.F) {
	f.Add("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,1234\na\nb\n-1\n")
	f.Add("Piskvorky 15x15, 11:11, 0\n8,8,0\n\x01\n\u0085\n")
	f.Add("(;GM[4]SZ[15:9]PB[x]RE[W+1];B[hh];W[i9](;B[aa])(;B[bb]))")
	f.Add("(;GM[4]SZ[26]PB[\\]\\\\#\x00]RE[0];B[AA];W[z1]")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := Read(strings.NewReader(text))
		if err != nil || len(games) != 1 {
			return
		}
		var again strings.Builder
		if _, err := games[0].WriteTo(&again); err != nil {
			t.Fatal(err)
		}
		twice, err := Read(strings.NewReader(again.String()))
		if err != nil || len(twice) != 1 || twice[0].ID != games[0].ID || !slices.Equal(twice[0].Moves, games[0].Moves) || twice[0].Result != games[0].Result {
			t.Errorf("%q is read as %+v, written as %q and read as %+v, %v", text, games, again.String(), twice, err)
		}
	})
}
