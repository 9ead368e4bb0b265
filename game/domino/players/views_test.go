package players

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game/domino"
	"perfectplay/game/domino/equilibrium"
)

// eachDecision visits every position of a deal in which the mover has several moves.
func eachDecision(table Table, visit func(*Table)) {
	moves := table.pos.Moves(nil)
	if table.pos.Over() {
		return
	}
	if len(moves) == 0 {
		table.past = slices.Clone(table.past)
		table.Play(domino.Passed)
		eachDecision(table, visit)
	}
	if len(moves) > 1 {
		visit(&table)
	}
	for _, m := range moves {
		next := table
		next.past = slices.Clone(table.past)
		next.Play(m)
		eachDecision(next, visit)
	}
}

// TestViews: in all lines of some deals of 28 tiles the opponent's hand is one of the possible ones.
func TestViews(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		d, _ := domino.RandomDeal(r)
		eachDecision(NewTable(domino.AllTiles, d), func(table *Table) {
			v, theirs := table.view(), table.pos.Hands[table.pos.Mover^1]
			if theirs&^v.Possible != 0 || v.Possible&^v.Unseen != 0 || v.Unseen&v.Hand != 0 || theirs.Len() != v.Opponent {
				t.Fatalf("%v: view %+v of %v", d, v, table.pos)
			}
		})
	}
}

// TestPossible walks all lines of all deals of small sets. The hands that a player takes into
// account are exactly the hands of the deals with the same view, at the table and as an information
// set. The study's candidates are the tiles of these hands and the higher doubles that no pass has
// excluded.
func TestPossible(t *testing.T) {
	type seen struct {
		View
		hands map[domino.Set]bool // hands of the other seat, over all deals
		table Table
	}
	for _, g := range []equilibrium.Game{{Double: 2, Tiles: 2, Rules: equilibrium.Study}, {Double: 2, Tiles: 3, Rules: equilibrium.Study},
		{Double: 3, Tiles: 2, Rules: equilibrium.Study}, {Double: 3, Tiles: 3, Rules: equilibrium.Study}} {
		all := map[string]*seen{}
		for _, root := range g.Roots() {
			for p := range root.Positions() {
				d := domino.Deal{Starter: p.Hands[domino.Starter] | root.First, Second: p.Hands[domino.Second]}
				eachDecision(NewTable(g.All(), d), func(table *Table) {
					v := table.view()
					key := fmt.Sprint(root.Name, table.past, v.Hand)
					if all[key] == nil {
						all[key] = &seen{v, map[domino.Set]bool{}, *table}
					}
					all[key].hands[table.pos.Hands[v.Seat^1]] = true
					if all[key].View != v {
						t.Fatalf("%v: %s: views %+v and %+v of one past", g, key, v, all[key].View)
					}
				})
			}
		}
		higher, excluded := 0, 0
		for key, one := range all {
			want := slices.Sorted(maps.Keys(one.hands))
			if got := slices.Sorted(one.Possible.Subsets(one.Opponent)); !slices.Equal(got, want) {
				t.Fatalf("%v: %s: possible hands %v, want %v", g, key, got, want)
			}
			state := one.table.start // the state from which the rest is solved
			for _, m := range one.table.past {
				state = state.Play(m)
			}
			if got := slices.Sorted((state.Allowed[one.Seat^1] &^ one.Hand).Subsets(one.Opponent)); !slices.Equal(got, want) {
				t.Fatalf("%v: %s: a rest has the hands %v, want %v", g, key, got, want)
			}
			doubles := domino.Set(0)
			for x := one.table.first.Low() + 1; x <= g.Double; x++ {
				if ends := passedOn(&one.table, one.Seat^1); ends>>x&1 == 0 {
					doubles = doubles.With(domino.Double(x))
					higher++
				} else {
					excluded++
				}
			}
			if one.Unseen != one.Possible|doubles || one.Possible&doubles != 0 {
				t.Fatalf("%v: %s: candidates %v, want %v and %v", g, key, one.Unseen, one.Possible, doubles)
			}
		}
		if excluded == 0 && g.Double == 3 && g.Tiles == 3 {
			t.Errorf("%v: no pass excludes a higher double", g)
		}
		s, err := equilibrium.New(g)
		if err != nil {
			t.Fatal(err)
		}
		sets := 0
		_ = s.Strategies(func(root *equilibrium.Root, spot *equilibrium.Spot, _ []float64) error {
			if len(spot.Moves) > 1 {
				table := Seen(g, root, spot)
				key := fmt.Sprint(root.Name, spot.Path, spot.Hand)
				if one := all[key]; one == nil || table.view() != one.View {
					t.Fatalf("%v: %s: an information set shows %+v, the table %+v", g, key, table.view(), one)
				}
				sets++
			}
			return nil
		})
		for _, one := range all {
			if one.Hand.Len() > 1 {
				sets--
			}
		}
		if sets != 0 {
			t.Errorf("%v: %+d information sets more than at the table", g, sets)
		}
		t.Logf("%v: %d decisions, %d times a higher double is a candidate, %d times excluded", g, len(all), higher, excluded)
	}
}

// passedOn returns, as bits, the numbers at the ends when a seat passed.
func passedOn(table *Table, seat uint8) (numbers int) {
	p := domino.Position{Left: int8(table.first.Low()), Right: int8(table.first.Low()), Mover: domino.Second}
	for _, m := range table.past {
		if m != domino.Passed {
			p = p.Play(m)
			continue
		}
		if p.Mover == seat {
			numbers |= 1<<p.Left | 1<<p.Right
		}
		p = p.Pass()
	}
	return numbers
}
