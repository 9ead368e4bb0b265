package app

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/bits"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/internal/cli"
	"perfectplay/solve/retro"
	"perfectplay/solve/table"
)

// solvedRecord is what solve strong says of any game.
type solvedRecord struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// From the start, for the first seat alone against all others.
	family.Worth
	Openings family.SolvedMoves `json:"moves"`
	// What sets of seats can force from the start, where there are more than two seats.
	Coalitions []family.Forced `json:"coalitions,omitempty"`
	// Over all positions, for the seat to move alone.
	Positions uint64          `json:"positions"`
	Wins      uint64          `json:"wins"`
	Losses    uint64          `json:"losses"`
	Draws     uint64          `json:"draws"`
	Reachable *family.Reached `json:"reachable,omitempty"` // if asked for
	WinsIn    []uint64        `json:"wins_in"`
	LossesIn  []uint64        `json:"losses_in"`

	family.Spent
	MemoryBytes cli.Size `json:"memory_bytes"` // resident at the most
	family.Written

	Speed string `json:"-"` // for people
}

// solvedPlan is what a solve takes.
type solvedPlan struct {
	Game    string   `json:"game"`
	Rules   string   `json:"rules"`
	Places  *uint64  `json:"places,omitempty"` // nil where positions are found from the start
	Bytes   cli.Size `json:"memory_bytes"`
	Disk    cli.Size `json:"disk_bytes"` // of files that the solve works on
	Threads int      `json:"threads"`

	Found, How string `json:"-"` // for people
}

// solvedFlags are the flags of solve strong.
type solvedFlags struct {
	*family.Strong
	own   map[string]func(*cobra.Command, game.Game) error // what solves, by family
	owner map[string]string                                // the family that a flag is for, if not for all
}

func newStrongCommand(a *family.App) *cobra.Command {
	f := solvedFlags{own: map[string]func(*cobra.Command, game.Game) error{}, owner: map[string]string{}}
	cmd := &cobra.Command{
		Use:   "strong GAME",
		Short: "solve a game completely: the value of every position",
		Long: `strong gives every position of a game its value and the plies to the end: won,
lost, or drawn if play can go on for ever; with more than two seats, what every set
of seats can force against all others.

A game that numbers its positions takes a byte for each, and where it knows no
moves backwards 7 more and 4 for each move; of any other those that the start leads
to are found, as many as --mem has room for: in about 160 bytes each with 9 moves, or
some 4 where the game says how many plies are left. --plan says which. With --table it writes a table for solve probe and solve verify.

With --work DIR it saves its state there from time to time and when it is
interrupted; the same command goes on from there, --fresh begins anew. Where --mem
is too small for numbered positions it works in files in DIR. When the table is on
the disk the state is removed; without --table it stays, and the same command
answers from it.`,
		GroupID:           cli.GroupSolve,
		Args:              cli.Args("GAME"),
		ValidArgsFunction: a.CompleteGame,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args[0]) },
	}
	f.Strong = family.NewStrong(a, cmd)
	_ = cmd.Flags().MarkHidden("distances") // they cost nothing here
	flags := func(of string) {
		cmd.Flags().VisitAll(func(fl *pflag.Flag) {
			if _, known := f.owner[fl.Name]; !known {
				f.owner[fl.Name] = of
			}
		})
	}
	flags("")
	for _, fam := range a.Families {
		if fam.Strong != nil {
			f.own[fam.Name] = fam.Strong(a, cmd, f.Strong)
			flags(fam.Name)
		}
	}
	return cmd
}

// run solves.
func (f *solvedFlags) run(a *family.App, cmd *cobra.Command, id string) error {
	if f.Fresh && f.Work == "" {
		return cli.Usagef("--fresh needs --work")
	}
	g, err := f.Open(id)
	if err != nil {
		return err
	}
	fam, err := a.Find(id)
	if err != nil {
		return err
	}
	own := f.own[fam.Name]
	if g.Seats() == 1 {
		own = nil // a family's solvers are for those who play each other
	}
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if of := f.owner[fl.Name]; of != "" && (of != fam.Name || own == nil) {
			err = cli.Usagef("--%s is not for %s %s", fl.Name, cmd.Name(), id)
		}
	})
	if err != nil {
		return err
	}
	if own != nil {
		return own(cmd, g)
	}
	return f.runAny(a, cmd, g)
}

// runAny solves by the solver of any game.
func (f *solvedFlags) runAny(a *family.App, cmd *cobra.Command, g game.Game) error {
	o := retro.Options{Threads: f.Job.Threads, Work: f.Work, Reachable: f.Reachable}
	plan, err := retro.NewPlan(g, o)
	if err != nil {
		return cli.Usage(err)
	}
	if err := f.tooMany(a, cmd, g, plan); err != nil {
		return err
	}
	if err := f.Job.Resolve(cmd, max(cli.Size(plan.Need(o)), 1<<20), 0); err != nil {
		return err
	}
	o.Threads, o.Memory = f.Job.Threads, uint64(f.Job.Mem)
	whole := uint64(0)
	if plan, err = retro.NewPlan(g, o); err != nil {
		return cli.Usage(err)
	}
	if f.Plan {
		return f.printPlan(cmd, g, plan, o)
	}
	if err := f.Check(cmd, &f.Job, g, true); err != nil {
		return err
	}
	if plan.Files(o) {
		whole = plan.Bytes
	}
	defer f.Job.LimitHeap()()
	remove := func() error { return retro.RemoveWork(f.Work) }
	return family.Complete(a, cmd, f.Strong, family.Solver[solvedRecord]{
		Whole:   whole,
		Saved:   func() (bool, error) { return retro.Saved(f.Work) },
		Discard: func() error { return retro.Discard(f.Work, g) },
		Remove:  remove,
		Solve: func(ctx context.Context, bar *cli.Bar) (family.Answer[solvedRecord], error) {
			return f.solve(ctx, bar, g, o)
		},
		Text: (*solvedRecord).write,
	})
}

// solve solves, and asks the solution what the game is worth.
func (f *solvedFlags) solve(ctx context.Context, bar *cli.Bar, g game.Game, o retro.Options) (s family.Answer[solvedRecord], err error) {
	o.Progress = func(p retro.Progress) {
		if p.Step == 0 {
			bar.Describe("%v positions found", cli.Count(p.Decided))
		} else {
			bar.Describe("layer %d of %d, ply %d, %v positions decided", p.Step, p.Steps, p.Pass, cli.Count(p.Decided))
		}
		bar.Share(p.Share)
	}
	all, err := retro.Solve(ctx, g, o)
	if err != nil {
		return s, err
	}
	r, err := newSolvedRecord(ctx, g, all)
	if err != nil {
		all.Close()
		return s, err
	}
	return family.Answer[solvedRecord]{
		Resumed: all.Resumed,
		Reach: func(ctx context.Context) (err error) {
			r.Reachable, err = reached(ctx, all)
			return err
		},
		Save: func(ctx context.Context, name, program string, report func(done float64)) (table.Info, error) {
			return all.Save(ctx, name, program, report)
		},
		Record: func(spent family.Spent, to family.Written) (*solvedRecord, error) {
			r.Spent, r.MemoryBytes, r.Written, r.Speed = spent, spent.Memory, to, spent.Speed(r.Positions)
			return r, nil
		},
		Close: all.Close,
	}, nil
}

// tooMany refuses a game without numbers that is known to have more positions than there is
// room for on this machine.
func (f *solvedFlags) tooMany(a *family.App, cmd *cobra.Command, g game.Game, plan retro.Plan) error {
	fam, err := a.Find(g.ID())
	if err != nil || plan.Places > 0 || !fam.Bounded || fam.Info == nil {
		return err
	}
	room := cli.Machine()
	if cmd.Flags().Changed("mem") {
		room = f.Job.Mem
	}
	plan, err = retro.NewPlan(g, retro.Options{Threads: f.Job.Threads, Memory: uint64(room), Work: f.Work})
	if err != nil || room == 0 {
		return nil // another message is better
	}
	n := fam.Info(g).Positions
	// Symmetric positions of two seats are one: a board has at most twelve symmetries,
	// and two ways to name the seats.
	if count, ok := new(big.Int).SetString(string(n), 10); ok && count.BitLen() > bits.Len64(plan.Limit)+5 {
		return cli.Usagef("%s has up to %s positions, and --mem %v has room for about %v of them; solve search and solve analyse look at one position at a time",
			g.ID(), n, room, cli.Count(plan.Limit))
	}
	return nil
}

// printPlan says what a solve takes.
func (f *solvedFlags) printPlan(cmd *cobra.Command, g game.Game, plan retro.Plan, o retro.Options) error {
	p := solvedPlan{Game: g.ID(), Rules: g.Rules(), Bytes: cli.Size(plan.Bytes), Threads: f.Job.Threads}
	if plan.Files(o) {
		p.Bytes, p.Disk = f.Job.Mem, cli.Size(plan.Disk)
	}
	if plan.Places > 0 {
		p.Places = &plan.Places
		p.How = map[retro.Method]string{
			retro.Unmoves: "moves backwards by the game", retro.Graph: "all moves are listed and kept",
		}[plan.Method]
	} else {
		p.Found = fmt.Sprintf("those that the start leads to; there is room for about %v", cli.Count(plan.Limit))
		if plan.Method == retro.Stages {
			p.How = "by the plies that are left, stage by stage"
		}
	}
	return cli.Records(&f.Job.Output, cmd, []solvedPlan{p}, cli.Fields[solvedPlan]("positions=Found?", "places=places?", "memory=memory_bytes", "files=disk_bytes?", "how=How?"))
}

// newSolvedRecord asks a solved game what it is worth.
func newSolvedRecord(ctx context.Context, g game.Game, all *retro.Solution) (*solvedRecord, error) {
	c, err := all.Mover(ctx)
	if err != nil {
		return nil, err
	}
	r := &solvedRecord{Game: g.ID(), Rules: g.Rules(), Positions: all.Positions(), Wins: c.Wins, Losses: c.Losses, Draws: c.Draws, WinsIn: c.WinsIn, LossesIn: c.LossesIn}
	longest := max(len(r.WinsIn), len(r.LossesIn))
	r.WinsIn = append(r.WinsIn, make([]uint64, longest-len(r.WinsIn))...)
	r.LossesIn = append(r.LossesIn, make([]uint64, longest-len(r.LossesIn))...)
	s := g.Start()
	value := func(s game.State, seats uint8) (game.Value, int, error) {
		v, d, ok := all.Forced(s, seats)
		if !ok {
			return v, d, table.ErrUnknown
		}
		return v, d, nil
	}
	v, d, _ := all.Value(s)
	r.Worth = family.NewWorth(v, d)
	if r.Openings, err = family.Judge(s, value); err != nil || g.Seats() == 2 {
		return r, err
	}
	for seats := range family.Sets(g.Seats()) {
		v, d, _ := all.Forced(s, seats)
		c, err := all.Set(ctx, seats)
		if err != nil {
			return r, err
		}
		r.Coalitions = append(r.Coalitions, family.Forced{Seats: family.SetText(g, seats), Worth: family.NewWorth(v, d),
			Longest: max(len(c.WinsIn)-1, 0), Wins: c.Wins, Losses: c.Losses, Draws: c.Draws})
	}
	return r, nil
}

// reached counts what play from the start can lead to.
func reached(ctx context.Context, all *retro.Solution) (*family.Reached, error) {
	c, err := all.Reachable(ctx)
	if err != nil {
		return nil, err
	}
	return &family.Reached{Positions: c.Wins + c.Losses + c.Draws, Wins: c.Wins, Losses: c.Losses, Draws: c.Draws,
		LongestWin: new(max(len(c.WinsIn)-1, 0)), LongestLoss: new(max(len(c.LossesIn)-1, 0))}, nil
}

// solvedText is what is printed for people.
var solvedText = cli.Fields[*solvedRecord]("game=game,rules:%s%s", "start=Worth", "positions=positions", "  won=wins", "  lost=losses", "  drawn=draws", "reachable=reachable?",
	"solved in=seconds,threads,Speed,memory_bytes:%s, %d threads, %s, %s of memory", "table=file?", "signature=table_signature?")

// write prints the record for people.
func (r *solvedRecord) write(w io.Writer) error {
	shown := *r
	if shown.Rules != "" {
		shown.Rules = ", rules " + shown.Rules
	}
	if err := solvedText(w, []*solvedRecord{&shown}); err != nil {
		return err
	}
	if len(r.Coalitions) > 0 {
		fmt.Fprintln(w, "\nWhat sets of seats can force from the start against all others, and over all positions:")
		err := cli.Grid[family.Forced]("seats=coalition", "from the start=Worth", "longest win=longest_win", ">won=wins", ">lost=losses", ">drawn=draws")(w, r.Coalitions)
		if err != nil {
			return err
		}
	}
	if len(r.Openings) > 0 {
		fmt.Fprintln(w, "\nOpening moves, best first:")
		if err := family.WriteJudged(w, r.Openings); err != nil {
			return err
		}
	}
	if len(r.WinsIn) == 0 {
		return nil
	}
	return family.WriteByPlies(w, r.WinsIn, r.LossesIn)
}
