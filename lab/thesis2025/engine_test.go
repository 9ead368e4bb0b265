package thesis2025

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/game/halma"
)

func quietWatch() *watch { return &watch{ctx: context.Background()} }

// programs lists all settings of the switches under five rule sets: the rules of the models base
// and house-code, the rules of the README, rules by which any seat may complete a goal, and rules
// by which chains may pass goals and tips.
func programs() []Program {
	var list []Program
	for _, rules := range []halma.Rules{
		Base.Program().Rules, SpecialRules.Program().Rules, Readme(),
		{Win: halma.Win{Filled: true}}, {TipsClosed: true, Limits: halma.Limits{StayInGoal: true, GoalTransit: true, StayOut: true, HomeTransit: true}},
	} {
		for _, tables := range []bool{false, true} {
			for _, ordering := range []bool{false, true} {
				list = append(list, Program{rules, tables, ordering})
			}
		}
	}
	return list
}

// configs lists every combination of program, players, pieces and algorithm, for two turns.
func configs() []Config {
	var list []Config
	for _, program := range programs() {
		for _, players := range []int{1, 2, 3, 4, 6} {
			for _, pieces := range []int{1, 3, 6, 10} {
				for _, algorithm := range []Algorithm{Minimax, Paranoid, MaxN} {
					c := Config{Program: program, Players: players, Pieces: pieces, Algorithm: algorithm, Limit: 2, MemoryBytes: 1 << 24}
					if c.Validate() == nil {
						list = append(list, c)
					}
				}
			}
		}
	}
	return list
}

func (c Config) name() string {
	return fmt.Sprintf("rules=%v/tables=%v/ordering=%v/players=%d/pieces=%d/algo=%v", c.Rules, c.Tables, c.Ordering, c.Players, c.Pieces, c.Algorithm)
}

// searches returns a search, and where equal subtrees can be merged, searches with little room for
// them.
func searches(t *testing.T, c Config) map[string]*walk {
	list := map[string]*walk{}
	make := func(name string) *walk {
		e, err := newWalk(newGrid(c), quietWatch())
		if err != nil {
			t.Fatal(err)
		}
		list[name] = e
		return e
	}
	make("search")
	if c.counts() && c.Algorithm == MaxN {
		for _, c.MemoryBytes = range []int64{mergedBucket * slotBytes, 1 << 18} {
			if err := make(fmt.Sprintf("merged in %d bytes", c.MemoryBytes)).mergeSubtrees(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return list
}

// TestEngines compares all counts of searches with the reference, for every opening, on growing
// limits until the reference needs too many nodes. Boards of one piece get more nodes: games on
// them end early.
func TestEngines(t *testing.T) {
	for _, c := range configs() {
		t.Run(c.name(), func(t *testing.T) {
			budget := uint64(500)
			if c.Pieces == 1 {
				budget = 5_000
			}
			if testing.Short() {
				budget /= 10
			}
			for c.Limit = 1; c.Limit < 60; c.Limit++ {
				s := newReference(c)
				g := newGrid(c)
				total := uint64(0)
				openings := g.openings()
				for i, m := range s.openings() {
					if at := openings[i]; at.piece != m.piece || g.at[m.to] != at.to {
						t.Fatalf("opening %d differs", i+1)
					}
					want := s.run(m)
					for name, e := range searches(t, c) {
						got := e.run(openings[i])
						if got != want || e.Counts != s.Counts {
							t.Fatalf("limit %d, opening %d: %s: winner %d, %+v; reference %d, %+v",
								c.Limit, i+1, name, got, e.Counts, want, s.Counts)
						}
					}
					total += s.Nodes
				}
				if total > budget {
					break
				}
			}
		})
	}
}

// TestWithoutEnd compares searches without a limit with the reference.
func TestWithoutEnd(t *testing.T) {
	for _, c := range configs() {
		if c.Limit = 0; !c.Tables || c.Pieces > 3 || c.Pieces == 3 && (c.Players > 1 || testing.Short()) || c.Players > 3 {
			continue
		}
		t.Run(c.name(), func(t *testing.T) {
			s, g := newReference(c), newGrid(c)
			for i, m := range s.openings() {
				e, err := newWalk(g, quietWatch())
				if err != nil {
					t.Fatal(err)
				}
				want, got := s.run(m), e.run(g.openings()[i])
				if got != want || e.Counts != s.Counts {
					t.Fatalf("opening %d: winner %d, %+v; reference %d, %+v", i+1, got, e.Counts, want, s.Counts)
				}
				if s.Hits < s.Stored && s.Cutoffs == 0 && !c.Ordering {
					t.Errorf("opening %d: %d boards and %d visited again: the search has not gone round", i+1, s.Stored, s.Hits)
				}
			}
		})
	}
}

// TestRulesAgree compares the lists of moves with those of the game along random games, under rules
// by which pieces can hop over all others.
func TestRulesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range configs() {
		if c.Tables || c.Ordering || c.Algorithm == Paranoid || c.own() && c.Players > 2 {
			continue
		}
		board, _, err := c.board()
		if err != nil {
			t.Fatal(err)
		}
		h, err := halma.New(board, c.Players, c.Rules)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			g, state := newGrid(c), h.Start()
			p := g.start
			for turn := range 60 {
				seat := g.seats[turn%len(g.seats)]
				want := map[string]bool{}
				for _, m := range state.Moves(nil) {
					if m != game.Pass {
						from, to := halma.Cells(m)
						want[board.CellName(from)+board.CellName(to)] = true
					}
				}
				var list []opening
				for piece := range g.Pieces {
					for _, to := range p.generate(g, seat, seat, piece, nil) {
						list = append(list, opening{piece, to})
						name := board.CellName(int(g.hole[p.piece[seat][piece]])) + board.CellName(int(g.hole[to]))
						if !want[name] {
							t.Fatalf("%s: turn %d: %s is no move", c.name(), turn, name)
						}
					}
				}
				if len(list) != len(want) {
					t.Fatalf("%s: turn %d: %d moves, want %d", c.name(), turn, len(list), len(want))
				}
				if len(list) == 0 {
					break
				}
				m := list[rng.IntN(len(list))]
				from := p.piece[seat][m.piece]
				state.Make(halma.NewMove(int(g.hole[from]), int(g.hole[m.to])))
				p.move(g, seat, m.piece, m.to)
				if state.Result() != game.Ongoing {
					break
				}
			}
		}
	}
}

// TestCount compares counts of moves with the lists, and the lists with the reference's, along
// random games.
func TestCount(t *testing.T) {
	for _, c := range configs() {
		if c.Algorithm == Paranoid || c.Tables || c.Ordering {
			continue
		}
		s, g := newReference(c), newGrid(c)
		p := g.start
		k := new(counter)
		pick := uint32(c.Players*1000 + c.Pieces)
		seat := 1
		for turn := range 1500 {
			var want []opening
			for _, m := range s.generate(seat, seat) {
				want = append(want, opening{m.piece, g.at[m.to]})
			}
			var got []opening
			for piece := range g.Pieces {
				for _, to := range p.generate(g, seat, seat, piece, nil) {
					got = append(got, opening{piece, to})
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: turn %d: %v, reference %v", c.name(), turn, got, want)
			}
			if c.free() && k.countMoves(&p, g, seat) != len(want) {
				t.Fatalf("%s: turn %d: counted %d moves of %d", c.name(), turn, k.countMoves(&p, g, seat), len(want))
			}
			if p.canMove(g, seat, 0) && len(want) == 0 && c.free() {
				t.Fatalf("%s: turn %d: canMove without a move", c.name(), turn)
			}
			if len(want) > 0 {
				pick = pick*1664525 + 1013904223
				i := int(pick>>8) % len(want)
				m := s.generate(seat, seat)[i]
				s.play(seat, m)
				p.move(g, seat, got[i].piece, got[i].to)
			}
			seat = g.next[seat]
		}
	}
}

// TestBoards fills a small set until it grows and refuses, and finds all boards.
func TestBoards(t *testing.T) {
	for width := 1; width <= 3; width++ {
		b, err := newBoards(width, 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		key := func(i int) []uint64 {
			k := make([]uint64, width)
			for j := range k {
				k[j] = uint64(i/(j+1)*(j+1)) << keyShift
			}
			k[0] = uint64(i) << keyShift
			return k
		}
		n := 0
		for ; ; n++ {
			slot, _, seen, err := b.enter(key(n))
			if errors.Is(err, errMemory) {
				break
			}
			if seen || err != nil {
				t.Fatalf("width %d: board %d: seen %v, %v", width, n, seen, err)
			}
			b.setWinner(slot, n%7)
		}
		if room := 1 << 20 / (8 * width); n < room*2/5 || len(b.slots)*8 > 1<<20 {
			t.Errorf("width %d: %d boards in %d slots, room for %d", width, n, b.cap, room)
		}
		for i := range n {
			if _, w, seen, _ := b.enter(key(i)); !seen || w != i%7 {
				t.Fatalf("width %d: board %d: seen %v, winner %d", width, i, seen, w)
			}
		}
	}
	if _, err := newBoards(1, 1<<20, 1<<20); !errors.Is(err, errMemory) {
		t.Errorf("a set that is too large for its budget: %v", err)
	}
}

// TestBoardsMemory: a set that has grown has released the memory of its smaller tables.
func TestBoardsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("enters millions of boards; not with -short")
	}
	b, err := newBoards(1, 0, 96<<20)
	if err != nil {
		t.Fatal(err)
	}
	debug.FreeOSMemory()
	resident := func() uint64 {
		text, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			t.Skip("the system does not say what is resident: ", err)
		}
		var size, pages uint64
		if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
			t.Fatal(err)
		}
		return pages * uint64(os.Getpagesize())
	}
	before, held := resident(), b.cap
	for k := uint64(1); ; k++ {
		if _, _, _, err := b.enter([]uint64{k << keyShift}); err != nil {
			if !errors.Is(err, errMemory) || b.cap*8 != 64<<20 {
				t.Fatalf("%v at a capacity of %d", err, b.cap)
			}
			return
		}
		if b.cap == held {
			continue
		}
		held = b.cap
		if now := resident(); now > before+held*8+24<<20 {
			t.Errorf("%d MiB are resident for %d boards, and %d were before", now>>20, held, before>>20)
		}
	}
}

// TestRunErrors checks refusals, cancellation and running out of memory.
func TestRunErrors(t *testing.T) {
	good := Config{Program: Tables.Program(), Players: 2, Pieces: 3, Algorithm: Minimax, Limit: 20, Opening: 1}
	for _, change := range []func(*Config){
		func(c *Config) { c.Limit, c.Tables = 0, false },
		func(c *Config) { c.Rules.Illegal = halma.Sturtevant },
		func(c *Config) { c.Rules = halma.Rules{Name: "sturtevant"} },
		func(c *Config) { c.Players = 5 },
		func(c *Config) { c.Pieces = 2 },
		func(c *Config) { c.Algorithm = MaxN },
		func(c *Config) { c.Algorithm = "" },
		func(c *Config) { c.Limit = -1 },
		func(c *Config) { c.Limit = MaxLimit + 1 },
		func(c *Config) { c.Opening = 7 },
		func(c *Config) { c.Opening = 0 },
		func(c *Config) { c.MemoryBytes = -1 },
		func(c *Config) { c.MemoryBytes = 100 },
	} {
		c := good
		change(&c)
		if _, err := Run(context.Background(), c, nil); err == nil {
			t.Errorf("%+v was run", c)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, good, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled run: %v", err)
	}
	c := good
	c.MemoryBytes = 1 << 18
	if row, err := Run(context.Background(), c, nil); !errors.Is(err, errMemory) || row.Stored < 10_000 {
		t.Errorf("run out of memory: %v after %d boards", err, row.Stored)
	}
}

// TestAllocations: the hot paths do not allocate.
func TestAllocations(t *testing.T) {
	for _, c := range []Config{
		{Program: Base.Program(), Players: 2, Pieces: 3, Algorithm: Minimax, Limit: 5},
		{Program: Base.Program(), Players: 3, Pieces: 1, Algorithm: Paranoid, Limit: 8},
		{Program: MoveOrdering.Program(), Players: 2, Pieces: 3, Algorithm: Minimax, Limit: 4, ExpectBoards: 1 << 16},
	} {
		g := newGrid(c)
		e, err := newWalk(g, quietWatch())
		if err != nil {
			t.Fatal(err)
		}
		m := g.openings()[0]
		e.run(m)
		if n := testing.AllocsPerRun(10, func() { e.run(m) }); n > 0 {
			t.Errorf("%s: %v allocations a run", c.name(), n)
		}
	}
}
