package solve_test

import (
	"encoding/csv"
	"flag"
	"os"
	"strconv"
	"testing"

	"perfectplay/game"
	"perfectplay/solve"
)

// masked is a game whose states have only some of their abilities.
type masked struct {
	game.Game
	wrap func(game.State) game.State
}

func (m masked) Start() game.State { return m.wrap(m.Game.Start()) }

// The states have the embedded abilities only.
type (
	bare  struct{ game.State }
	keyed struct {
		game.State
		game.Keyer
	}
	gaining struct {
		keyed
		game.Orderer
	}
	racing struct {
		gaining
		game.Racer
	}
	listing struct {
		gaining
		game.RaceLister
		game.Racer
	}
	helping struct {
		listing
		game.AllyLister
	}
)

func asBare(s game.State) game.State    { return bare{s} }
func asKeyed(s game.State) game.State   { return keyed{s, s.(game.Keyer)} }
func asGaining(s game.State) game.State { return gaining{asKeyed(s).(keyed), s.(game.Orderer)} }
func asRacing(s game.State) game.State  { return racing{asGaining(s).(gaining), s.(game.Racer)} }
func asListing(s game.State) game.State {
	return listing{asGaining(s).(gaining), s.(game.RaceLister), s.(game.Racer)}
}
func asHelping(s game.State) game.State { return helping{asListing(s).(listing), s.(game.AllyLister)} }

func (s bare) Clone() game.State    { return asBare(s.State.Clone()) }
func (s keyed) Clone() game.State   { return asKeyed(s.State.Clone()) }
func (s gaining) Clone() game.State { return asGaining(s.State.Clone()) }
func (s racing) Clone() game.State  { return asRacing(s.State.Clone()) }
func (s listing) Clone() game.State { return asListing(s.State.Clone()) }
func (s helping) Clone() game.State { return asHelping(s.State.Clone()) }

var abilitiesFile = flag.String("abilities", "", "write the nodes of TestAbilities to this file, docs/data/abilities.csv")

// TestAbilities: with an ability a search of one thread visits fewer nodes and gives the same
// answer.
func TestAbilities(t *testing.T) {
	rows := [][]string{{"ability", "beside", "game", "rules", "limit", "without", "with"}}
	for _, c := range []struct {
		ability, beside string
		game            game.Game
		limit           int
		without, with   func(game.State) game.State
	}{
		{"Keyer", "", onLine(t, "mnk-4x4k4"), 7, asBare, asKeyed},
		{"Orderer", "Keyer", onLine(t, "mnk-5x4k4"), 12, asKeyed, asGaining},
		{"Racer", "Keyer, Orderer", onStar(t, "halma-star37-2p", "house"), 14, asGaining, asRacing},
		{"RaceLister", "Keyer, Orderer, Racer", onStar(t, "halma-star37-2p", "house"), 20, asRacing, asListing},
		{"AllyLister", "Keyer, Orderer, Racer, RaceLister", onStar(t, "halma-star37-4p", "base"), 17, asListing, asHelping},
		{"SafeLister", "Keyer, Orderer, Racer", onLine(t, "mnk-5x4k4"), 14, asRacing, asSafely},
	} {
		without, _ := ordered{masked{c.game, c.without}, "", c.limit, nil}.run(t, solve.AllOrdering(), 0)
		with, _ := ordered{masked{c.game, c.with}, "", c.limit, nil}.run(t, solve.AllOrdering(), 0)
		if with.Total.Nodes >= without.Total.Nodes || with.Whole.Value != without.Whole.Value || with.Whole.Distance != without.Whole.Distance {
			t.Errorf("%s: %s: %d nodes and %v with it, %d and %v without", c.game.ID(), c.ability, with.Total.Nodes, with.Whole.Value, without.Total.Nodes, without.Whole.Value)
		}
		rows = append(rows, []string{c.ability, c.beside, c.game.ID(), c.game.Rules(), strconv.Itoa(c.limit),
			strconv.FormatUint(without.Total.Nodes, 10), strconv.FormatUint(with.Total.Nodes, 10)})
		t.Log(rows[len(rows)-1], without.Elapsed, with.Elapsed)
	}
	if *abilitiesFile == "" {
		return
	}
	out, err := os.Create(*abilitiesFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := csv.NewWriter(out).WriteAll(rows); err != nil {
		t.Error(err)
	}
	if err := out.Close(); err != nil {
		t.Error(err)
	}
}
