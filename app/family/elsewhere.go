package family

import (
	"maps"
	"slices"
	"strings"

	"perfectplay/internal/cli"
)

// elsewhere has well-known games that no family plays, with their names as in [Family.Known].
var elsewhere = map[string]string{
	"Abalone": "abalone", "Amazons": "amazons gameoftheamazons", "Arimaa": "arimaa", "Awari": "awari oware", "Backgammon": "backgammon",
	"Checkers (draughts)": "checkers draughts englishdraughts internationaldraughts checker dama", "Chess": "chess westernchess fairychess",
	"Chomp": "chomp", "Dots and Boxes": "dotsandboxes dots", "Fox and Geese": "foxandgeese", "Go": "go weiqi baduk igo", "Gobblet": "gobblet",
	"Havannah": "havannah", "Hex": "hex", "Hive": "hive", "Kalah": "kalah kalaha", "Lines of Action": "linesofaction loa", "Mancala": "mancala",
	"Nim": "nim", "Nine Men's Morris": "ninemensmorris morris mill mills muhle", "Othello (Reversi)": "othello reversi", "Pente": "pente",
	"Pentago": "pentago", "Quarto": "quarto", "Quoridor": "quoridor", "Renju": "renju", "Shogi": "shogi", "Surakarta": "surakarta", "TwixT": "twixt",
	"Xiangqi": "xiangqi chinesechess", "Y": "gameofy", "Yavalath": "yavalath", "Hexapawn": "hexapawn", "Breakthrough": "breakthrough", "Ataxx": "ataxx",
	"Connect6": "connect6 connectsix", "Poker": "poker", "Bridge": "bridge", "Rubik's Cube": "rubikscube rubik cube", "Mahjong": "mahjong", "Ludo": "ludo",
}

// shortest is the least number of letters of a word that may be mistyped: most shorter words
// resemble too many others.
const shortest = 4

// unlike returns the reason why the well-known game of a name is not here. For any other word it
// returns an empty text.
func (a *App) unlike(word string) string {
	reasons := map[string]string{}
	for title, names := range elsewhere {
		for name := range strings.FieldsSeq(names) {
			reasons[name] = title + " is not here; solve info lists the games"
		}
	}
	names := slices.Collect(maps.Keys(reasons))
	known := map[string]bool{}
	for _, f := range a.Families {
		for name := range f.Known {
			known[name], names = true, append(names, name)
			delete(reasons, name)
		}
		for name, why := range f.Unlike {
			reasons[name], names = why, append(names, name)
		}
	}
	if why := reasons[word]; why != "" || known[word] || len(word) < shortest {
		return why
	}
	slices.Sort(names)
	near := cli.Near(word, slices.Compact(names))
	if len(near) == 0 || slices.ContainsFunc(near, func(name string) bool { return known[name] }) {
		return ""
	}
	return reasons[near[0]]
}
