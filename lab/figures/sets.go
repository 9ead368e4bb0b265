package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/template"
)

const setsRow = "game=halma-star37p1-6p rules=house"

// star is a picture of a set of seats: a star with six tips, of which the tips of the set are
// filled.
type star struct {
	X, Y  float64
	Tips  []tip
	Below string // text below the star: plies to the win
}

type tip struct {
	X, Y float64
	In   bool
	Seat string
}

// angles are the directions of the tips in degrees, clockwise from the right; seat 1 is below.
var angles = map[string]float64{"1": 90, "6": 150, "3": 210, "2": 270, "4": 330, "5": 30}

// sets draws the winning sets of three seats with the plies of the win. The text above the stars
// summarises smaller and larger sets. If it is false for a game, sets returns an error.
func (p *pages) sets(w io.Writer, conditions string) error {
	cells, err := p.cells("several.csv", conditions, `{{index . "coalitions.*.coalition"}}|{{index . "coalitions.*.value"}}|{{index . "coalitions.*.distance"}}`)
	if err != nil {
		return err
	}
	lists := strings.Split(cells[0], "|")
	names, values, plies := strings.Fields(lists[0]), strings.Fields(lists[1]), strings.Fields(lists[2])
	var stars []star
	won, sets := map[int]int{}, map[int]int{}
	for i, name := range names {
		seats := strings.Split(name, "+")
		sets[len(seats)]++
		if values[i] != "win" {
			continue
		}
		won[len(seats)]++
		if len(seats) != 3 {
			continue
		}
		n := len(stars)
		s := star{X: 80 + 130*float64(n%5), Y: 150 + 150*float64(n/5), Below: plies[i] + " turns"}
		for seat, angle := range angles {
			s.Tips = append(s.Tips, tip{math.Round(38 * math.Cos(angle*math.Pi/180)), math.Round(38 * math.Sin(angle*math.Pi/180)), slices.Contains(seats, seat), seat})
		}
		slices.SortFunc(s.Tips, func(a, b tip) int { return strings.Compare(a.Seat, b.Seat) })
		stars = append(stars, s)
	}
	for size, all := range map[int]int{1: 0, 2: 0, 4: sets[4], 5: sets[5]} {
		if won[size] != all {
			return fmt.Errorf("several.csv: %d of %d sets of %d seats win, which the picture does not say", won[size], sets[size], size)
		}
	}
	return picture.Execute(w, stars)
}

var picture = template.Must(template.New("").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 390" font-family="sans-serif" font-size="14" text-anchor="middle">
<title>Six seats around a star: the ten teams of three that win</title>
<rect width="680" height="390" fill="#fff"/>
<text x="340" y="28" font-size="17">Six players. Who plays together wins or loses as a team.</text>
<text x="340" y="52">One alone loses. Two lose. Four win. Five win.</text>
<text x="340" y="74">Three against three: these ten teams win, the three others lose.</text>
{{range .}}<g transform="translate({{.X}} {{.Y}})">
<polygon points="0,-38 33,19 -33,19" fill="#eee"/><polygon points="0,38 33,-19 -33,-19" fill="#eee"/>
{{range .Tips}}<circle cx="{{.X}}" cy="{{.Y}}" r="12" fill="{{if .In}}#1b7f3b{{else}}#fff{{end}}" stroke="#555"/><text x="{{.X}}" y="{{.Y}}" dy="5" fill="{{if .In}}#fff{{else}}#555{{end}}">{{.Seat}}</text>
{{end}}<text y="70">{{.Below}}</text>
</g>
{{end}}</svg>
`))
