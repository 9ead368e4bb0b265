package command

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"perfectplay/game/halma"
	"perfectplay/internal/cli"
	"perfectplay/internal/plot"
)

// atlasTitle is the first line of an atlas as a page.
const atlasTitle = "# Atlas of the boards for two"

// The kinds of boards of an atlas, in the order of its page.
var atlasRules = [...]struct{ kind, rules string }{
	{"Diamonds", "sturtevant"}, {"Diamonds", "gamesman-2026"}, {"Stars", "house"}, {"Stars", "base"},
}

// writeAtlasPage writes the rows as a page.
func writeAtlasPage(w io.Writer, list []*atlasRow) error {
	p := &page{w: w}
	run, positions := 0, uint64(0)
	for _, r := range list {
		if r.Solved != atlasNothing {
			run++
			positions += *r.Positions
		}
	}
	p.line(atlasTitle + "\n")
	p.line("What the start of every board for two is worth, and how many positions have each value. `lab atlas` makes this page from")
	p.line("[atlas.csv](data/atlas.csv), which has the other figures, the command of each row, what it took, and the signature of its table.")
	p.line("%d of %d boards are solved, %v positions in all. Positions count both seats to move, as in print; wins, losses and draws are", run, len(list), cli.Count(positions))
	p.line("from the mover's side, half as many, illegal positions left out. The winner hurries and the loser delays; *longest* is the")
	p.line("longest win of all positions. A row without plies is solved for values only. Rows in brackets are not run: what values would")
	p.line("take in memory is an estimate, of the time above 16 GiB one by the number of positions alone; a time above 290 years is left out.\n")
	p.line("![Plies to the win of the start by size of the board](atlas.svg)\n")
	writeAtlasPatterns(p, list)
	for _, part := range atlasRules {
		p.line("## %s, `%s`\n", part.kind, part.rules)
		p.line("| board | positions | start | openings won, drawn, lost | won | lost | drawn | longest | processor | memory | beside print |")
		p.line("|---|---:|---|---|---:|---:|---:|---:|---:|---:|---|")
		for _, r := range atlasInOrder(list, part.rules) {
			p.line("%s", r.markdown())
		}
		p.line("")
	}
	return p.err
}

// page collects the first error of writing.
type page struct {
	w   io.Writer
	err error
}

func (p *page) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// atlasInOrder returns the rows under a rule set by board and pieces.
func atlasInOrder(list []*atlasRow, rules string) (part []*atlasRow) {
	for _, r := range list {
		if r.Rules == rules {
			part = append(part, r)
		}
	}
	slices.SortStableFunc(part, func(a, b *atlasRow) int {
		return cmp.Or(cmp.Compare(a.Cells, b.Cells), cmp.Compare(a.Pieces, b.Pieces))
	})
	return part
}

// markdown is the row as a line of a table.
func (r *atlasRow) markdown() string {
	count := func(n *uint64) string {
		if n == nil {
			return ""
		}
		return cli.Count(*n).String()
	}
	positions := count(r.Positions)
	if r.Positions == nil {
		positions = "over 2⁶⁴"
	}
	seconds, memory := "", ""
	if r.ProcessorSeconds != nil {
		seconds = cli.Roughly(time.Duration(*r.ProcessorSeconds))
	}
	if r.MemoryBytes != nil {
		memory = cli.Size(*r.MemoryBytes).String()
	}
	name := strings.TrimPrefix(r.Game, "halma-")
	if r.Solved == atlasNothing {
		return fmt.Sprintf("| (%s) | %s | | | | | | | %s | %s | |", name, positions, inBrackets(seconds), inBrackets(memory))
	}
	longest := ""
	if r.LongestWin != nil {
		longest = fmt.Sprint(*r.LongestWin)
	}
	return fmt.Sprintf("| %s | %s | %s | %d, %d, %d | %s | %s | %s | %s | %s | %s | %s |", name, positions, r.start(),
		*r.OpeningsWon, *r.OpeningsDrawn, *r.OpeningsLost, count(r.Wins), count(r.Losses), count(r.Draws), longest, seconds, memory, r.Verdict)
}

// inBrackets marks an estimate, if there is one.
func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// atlasSeries is the plies to the win of the start by the side of a diamond.
type atlasSeries struct {
	rules, pieces string
	points        []plot.Point
}

// allAtlasSeries returns the series of two points and more.
func allAtlasSeries(list []*atlasRow) (all []atlasSeries) {
	for _, part := range atlasRules {
		for _, r := range atlasInOrder(list, part.rules) {
			side, pieces, ok := diamondOf(r)
			if !ok || r.Distance == nil {
				continue
			}
			i := slices.IndexFunc(all, func(s atlasSeries) bool { return s.rules == r.Rules && s.pieces == pieces })
			if i < 0 {
				i = len(all)
				all = append(all, atlasSeries{rules: r.Rules, pieces: pieces})
			}
			all[i].points = append(all[i].points, plot.Point{X: float64(side), Y: float64(*r.Distance)})
		}
	}
	return slices.DeleteFunc(all, func(s atlasSeries) bool { return len(s.points) < 2 })
}

// fit returns the straight line of least squares through points, and the largest
// difference from it.
func fit(points []plot.Point) (slope, at0, worst float64) {
	var n, x, y, xx, xy float64
	for _, p := range points {
		n, x, y, xx, xy = n+1, x+p.X, y+p.Y, xx+p.X*p.X, xy+p.X*p.Y
	}
	slope = (n*xy - x*y) / (n*xx - x*x)
	at0 = (y - slope*x) / n
	for _, p := range points {
		worst = max(worst, math.Abs(p.Y-at0-slope*p.X))
	}
	return slope, at0, worst
}

// writeAtlasPatterns says what the rows show.
func writeAtlasPatterns(p *page, list []*atlasRow) {
	p.line("## Patterns\n")
	p.line("The plies to the win of the start against the side n of a diamond, and the straight line of least squares through them:\n")
	p.line("| rules | pieces | plies for n | more than for n−1 | line | at most off by | drawn positions exist for n |")
	p.line("|---|---|---|---|---|---:|---|")
	for _, s := range allAtlasSeries(list) {
		var plies, more []string
		for i, q := range s.points {
			plies = append(plies, fmt.Sprintf("%v: %v", q.X, q.Y))
			if i > 0 && s.points[i-1].X == q.X-1 {
				more = append(more, fmt.Sprint(q.Y-s.points[i-1].Y))
			}
		}
		slope, at0, worst := fit(s.points)
		p.line("| `%s` | %s | %s | %s | %.2f n %+.2f | %.1f | %s |", s.rules, s.pieces, strings.Join(plies, ", "), strings.Join(more, ", "),
			slope, at0, worst, atlasDrawn(list, s))
	}
	var winners, others, drawn []string
	for _, r := range list {
		name := fmt.Sprintf("%s `%s`", strings.TrimPrefix(r.Game, "halma-"), r.Rules)
		switch {
		case r.Solved == atlasNothing:
			continue
		case r.Value == "win":
			winners = append(winners, name)
		default:
			others = append(others, name+" ("+r.Value+")")
		}
		if *r.Draws > 0 {
			drawn = append(drawn, name)
		}
	}
	p.line("\nThe first player wins %d of the boards that are solved. The others: %s.\n", len(winners), listed(others))
	p.line("Drawn positions exist on: %s.\n", listed(drawn))
}

// atlasDrawn lists the sides of the solved diamonds of a series that have drawn
// positions.
func atlasDrawn(list []*atlasRow, s atlasSeries) string {
	var sides []string
	for _, r := range atlasInOrder(list, s.rules) {
		if side, pieces, ok := diamondOf(r); ok && pieces == s.pieces && r.Draws != nil && *r.Draws > 0 {
			sides = append(sides, fmt.Sprint(side))
		}
	}
	return listed(sides)
}

// diamondOf returns the side of a row's diamond and the name of its camp.
func diamondOf(r *atlasRow) (side int, pieces string, ok bool) {
	board, _, err := halma.ParseID(r.Game)
	if err != nil || board.IsStar() {
		return 0, "", false
	}
	return board.Side(), board.Name()[strings.IndexByte(board.Name(), 'p')+1:], true
}

// listed joins names.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// drawAtlas draws the series, if a name is given.
func drawAtlas(name string, list []*atlasRow) error {
	if name == "" {
		return nil
	}
	var panels []plot.Panel
	for _, s := range allAtlasSeries(list) {
		panels = append(panels, plot.Panel{
			Title: fmt.Sprintf("diamonds, %s pieces, rules %s", s.pieces, s.rules),
			X:     "side of the board", Y: "plies to the win", Dots: s.points, Line: s.points,
		})
	}
	if len(panels) == 0 {
		return fmt.Errorf("no two diamonds with distances to draw")
	}
	return plot.Save(name, panels...)
}
