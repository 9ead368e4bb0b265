package thesis2025

import (
	"context"
	"fmt"
	"time"

	"perfectplay/game/halma/published"
)

// PublishedRow is a printed row with the run that it belongs to.
type PublishedRow struct {
	published.HalmaRow
	Config Config
	// Errata are the misprints of the row. The fields of the embedded row are
	// corrected; Config, too.
	Errata []published.HalmaErratum
}

// Published returns the printed rows in the order of print, errata corrected.
func Published() []PublishedRow {
	rows, err := published.Halma2025()
	if err != nil {
		panic("thesis2025: " + err.Error()) // embedded data, covered by tests
	}
	errata, err := published.Halma2025Errata()
	if err != nil {
		panic("thesis2025: " + err.Error())
	}
	list := make([]PublishedRow, len(rows))
	for i, r := range rows {
		p := PublishedRow{HalmaRow: r}
		for _, e := range errata {
			if e.Table != r.Table || e.Opening != 0 && e.Opening != r.Opening {
				continue
			}
			switch e.Column {
			case "turn_limit":
				p.Limit = int(e.Correct)
			case "nodes":
				p.Nodes, p.Rounded = e.Correct, false
			case "cutoffs":
				p.Cutoffs = e.Correct
			}
			p.Errata = append(p.Errata, e)
		}
		model, err := ParseModel(r.Model)
		if err != nil {
			panic(err)
		}
		algorithm, err := ParseAlgorithm(r.Algorithm)
		if err != nil {
			panic(err)
		}
		p.Config = Config{
			Model: model, Players: r.Players, Pieces: r.Pieces, Algorithm: algorithm,
			Limit: p.Limit, Opening: r.Opening, ExpectBoards: p.Stored,
		}
		list[i] = p
	}
	return list
}

// mergedAbove is the number of nodes from which rows of max^n of model Base are
// settled by merging equal subtrees: below, half a minute visits them all.
const mergedAbove = 4_000_000_000

// Merges says whether Reproduce settles the row by [RunMerged].
func (p PublishedRow) Merges() bool {
	return p.Config.Model == Base && p.Config.Algorithm == MaxN && p.Nodes > mergedAbove
}

// Reproduce runs the row: by [Run] or, where the published tree is too large to
// visit, by [RunMerged]. memory bounds the tables, 0 for DefaultMemory.
func (p PublishedRow) Reproduce(ctx context.Context, memory int64, progress func(Progress)) (Row, error) {
	c := p.Config
	c.MemoryBytes = memory
	if p.Merges() {
		return RunMerged(ctx, c, progress)
	}
	return Run(ctx, c, progress)
}

// Estimate is about how long Reproduce takes on one thread, to plan with: it is
// derived from the printed number of nodes and rates measured once.
func (p PublishedRow) Estimate() time.Duration {
	perSecond := 4e6
	switch c := p.Config; {
	case p.Merges():
		return 20 * time.Second
	case fitsTiny(c):
		perSecond = 400e6
	case c.Model == Base:
		perSecond = 150e6
	case c.Model == MoveOrdering && c.Pieces >= 6:
		perSecond = 1e6
	case c.Model == MoveOrdering:
		perSecond = 2e6
	}
	return time.Millisecond + time.Duration(float64(p.Nodes)/perSecond*float64(time.Second))
}

// Difference is a figure that was not reproduced.
type Difference struct{ Column, Published, Reproduced string }

// Compare returns the figures of a run that differ from the printed row; none
// if it is reproduced. Rounded node counts are compared in three digits, which
// the thesis rounds in some tables and cuts off in others.
func (p PublishedRow) Compare(r Row) []Difference {
	var list []Difference
	check := func(column string, want, got any) {
		if want != got {
			list = append(list, Difference{column, fmt.Sprint(want), fmt.Sprint(got)})
		}
	}
	check("result", p.Result, r.Result())
	if rounded, cut := threeDigits(r.Nodes); !p.Rounded || p.Nodes != rounded && p.Nodes != cut {
		check("nodes", p.Nodes, r.Nodes)
	}
	check("terminals", p.Terminals, r.Terminals)
	check("cutoffs", p.Cutoffs, r.Cutoffs)
	if p.HasTable {
		check("tt_stored", p.Stored, r.Stored)
		check("tt_hits", p.Hits, r.Hits)
	}
	return list
}

// threeDigits returns a number in three significant digits, rounded with halves
// up, and cut off.
func threeDigits(n uint64) (rounded, cut uint64) {
	unit := uint64(1)
	for n/unit >= 1000 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit, n / unit * unit
}
