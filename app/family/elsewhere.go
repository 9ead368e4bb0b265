package family

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
