package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/mnk/player"
	"perfectplay/game/mnk/prove"
	"perfectplay/internal/cli"
	"perfectplay/internal/files"
	"perfectplay/solve/book"
)

func commands(a *family.App) []*cobra.Command {
	cmd := cli.Group(&cobra.Command{
		Use:   "mnk",
		Short: "prove, play and compare m,n,k-games",
		Long: `mnk proves the values of m,n,k-games (m rows, n columns, k or more in a row win),
plays them, and lets players meet. GAME is an id, as in mnk-7x7k5, or the three
numbers M N K, as in 7 7 5.`,
	})
	cmd.AddCommand(newSolveCommand(a), newCheckCommand(a))
	return []*cobra.Command{cmd}
}

// boardArgs accepts the arguments of readGame: GAME, or M N K.
func boardArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 2 || len(args) == 3 {
		return cli.Args("M", "N", "K")(cmd, args)
	}
	return cli.Args("GAME")(cmd, args)
}

func completeBoard(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return mnk.TournamentIDs(), cobra.ShellCompDirectiveNoFileComp
}

// readGame reads the game of an id, as in mnk-7x7k5, or of the arguments M N K.
func readGame(a *family.App, args []string) (*mnk.Game, error) {
	if len(args) == 3 {
		g, err := mnk.Read(args[0], args[1], args[2])
		return g, cli.Usage(err)
	}
	g, err := a.Open(args[0], "")
	if err != nil {
		return nil, err
	}
	m, ok := g.(*mnk.Game)
	if !ok {
		return nil, cli.Usagef("%s is not an m,n,k-game: want for instance mnk-7x7k5", g.ID())
	}
	return m, nil
}

// record is a proved value.
type record struct {
	Game     string      `json:"game"`
	Position string      `json:"position"`
	Path     []string    `json:"path"`    // moves from the given position to this one
	Opening  int         `json:"opening"` // number of a first move, 0 for the whole board
	Move     string      `json:"move"`    // first move; for the whole board one that wins, if known
	Value    game.Value  `json:"value"`   // value for the seat to move at the position
	Nodes    uint64      `json:"nodes"`
	Hits     uint64      `json:"tt_hits"`
	Threats  uint64      `json:"threats"` // leaves of the zone search, by kind
	Forks    uint64      `json:"forks"`
	Weights  uint64      `json:"weights"`
	Pairings uint64      `json:"pairings"`
	Repeated uint64      `json:"repeated"`
	Lambda   uint64      `json:"lambda"`  // wins by λ-search
	Fill     float64     `json:"tt_fill"` // share of the table in use
	Seconds  cli.Seconds `json:"seconds"`
	Proof    string      `json:"proof"`    // how the value was found
	Recalled uint64      `json:"recalled"` // proofs taken from the book
	Learned  uint64      `json:"learned"`  // proofs added to the book

	// For the printed text of the last record.
	Rate, Divided, Book, Checked, Certificate string  `json:"-"`
	Full                                      float64 `json:"-"` // Fill in percent
}

type solveFlags struct {
	out         cli.Output
	res         cli.Resources
	search      prove.Options
	method      string
	openings    bool
	check       bool
	certificate string
	time        time.Duration
	at          family.At
	parts       cli.Parts
	split       int    // stones after which the proof is divided, 0 for not
	room        uint64 // bytes for the positions that a check remembers
	book        string
	proofs      *proofs // nil without a book
}

func newSolveCommand(a *family.App) *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve GAME",
		Short: "prove whether the first player wins or can be held to a draw",
		Long: `solve proves the value of the empty board. The search asks whether the first
player can complete a line before the second; if not, the game is a draw,
because by strategy stealing the second player never wins. Boards have at most
128 cells; with K of 9 or more any board is a draw by a pairing of the plane.

With --position or --moves it proves the value of another position, for the
player to move: it asks whether either side can complete a line first. --openings
are then all moves from there.

--split S divides the question by the positions after S stones, mirror images
counted once. They are proved apart, one a thread, and joined to one proof that
the checker replays. With --part I/N the positions of one part are proved and
kept in a file (--split 1 by default). The --certificate of solve merge is the
same, byte for byte, for any number of parts and without --part. A draw wants
--split 1; where the first player wins, pieces that the proof does not need are
proved, too.

--book FILE keeps proofs of at least --book-nodes nodes, and each answer: the next
proof of the game begins with them, whatever its method and position, so the same
command continues where one was stopped or killed. solve book lists, joins and checks
such files, and probe, analyse and the page answer from them.

Methods:
  mixed      zones and numbers in turn, or side by side on two threads
  zones      depth-first search with relevance zones, and λ-search for the
             attacker
  deepening  zones in rounds, each with one more quiet move for the attacker:
             finds wins with far fewer nodes, draws a little slower
  numbers    depth-first search by proof numbers`,
		Example: `  solve mnk solve mnk-6x6k4
  solve mnk solve mnk-6x6k4 --moves c3,a1
  solve mnk solve mnk-5x5k4 --check
  solve mnk solve mnk-5x5k4 --certificate 554.proof
  solve mnk solve mnk-6x6k5 --part 1/4 --parts pieces
  solve mnk solve mnk-6x6k5 --book 665.book`,
		Args:              boardArgs,
		ValidArgsFunction: completeBoard,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(a, cmd, args) },
	}
	f.out.Flags(cmd)
	f.res.Flags(cmd)
	fl := cmd.Flags()
	cli.Choice(cmd, &f.method, "algo", prove.Methods()[prove.Mixed], prove.Methods(), "`ENGINE`: "+strings.Join(prove.Methods(), ", "))
	fl.BoolVar(&f.openings, "openings", false, "also prove what each first move is worth (one of those that mirror each other)")
	fl.BoolVar(&f.check, "check", false, "replay the proof against every move by the independent checker")
	fl.StringVar(&f.certificate, "certificate", "", "write the proof to `FILE`, compressed, for solve mnk check")
	cli.TimeFlag(cmd, &f.time, 0)
	f.at.Flags(cmd)
	f.parts.Flags(cmd, a.Program, &a.Merging)
	cli.SplitFlag(cmd, &f.split)
	cli.Rules(cmd, cli.AtLeast("split", 1), cli.Needs("book-nodes", "book"),
		cli.Excludes("split", "openings", "position", "moves"), cli.Excludes("part", "openings", "position", "moves", "certificate", "check", "time"))
	family.BookFlag(cmd, &f.book)
	family.BookNodesFlag(cmd, &f.search.BookNodes)
	cli.Before(cmd, func() error {
		if f.split == 0 && (f.parts.One() || f.parts.Merging()) {
			f.split = 1
		}
		if f.book != "" && f.split > 0 {
			return cli.Usagef("--book does not go with --split and --part: the pieces of a proof share nothing")
		}
		return f.res.Resolve(cmd, f.least(), DefaultTable)
	})
	return cmd
}

// One part in roomShare of the memory is for the positions of a check.
const roomShare = 4

// leastJob is the memory for a piece of a proof with its table and its check.
const leastJob = 16 << 20

// checks reports whether the checker runs, beside the table of the search.
func (f *solveFlags) checks() bool { return f.certificate != "" || f.check || f.split > 0 }

// least is the smallest memory that the job can work with.
func (f *solveFlags) least() cli.Size {
	if f.checks() {
		return 2 * cli.ProgramMemory
	}
	return cli.ProgramMemory + 1<<20
}

// divide divides the memory among jobs that run side by side. Each has a table and, if the
// checker runs, the positions that it remembers. The heap stays within the rest until undo
// is called; tables are not part of it.
func (f *solveFlags) divide(jobs int) (table int64, room uint64, undo func()) {
	table = int64(f.res.Mem-cli.ProgramMemory) / int64(jobs)
	if f.checks() {
		bytes := int64(f.res.Mem) / roomShare / int64(jobs)
		table, room = max(table-prove.RoomBytes(bytes), prove.MinMemory), uint64(bytes)
	}
	return table, room, f.res.LimitHeapBeside(int64(jobs) * table)
}

// DefaultTable is the largest table that a proof of a few seconds can use; larger ones
// are made on request.
const DefaultTable = 4 << 30

func (f *solveFlags) run(a *family.App, cmd *cobra.Command, args []string) (err error) {
	g, err := readGame(a, args)
	if err != nil {
		return err
	}
	s, err := f.at.Unfinished(g)
	if err != nil {
		return err
	}
	if err := f.fits(cmd, g); err != nil {
		return err
	}
	if err := cli.Replaceable(cmd, "the certificate", f.certificate, func([]byte) bool { return proofOf(f.certificate, g) }); err != nil {
		return err
	}
	f.search.Method = prove.Method(slices.Index(prove.Methods(), f.method)) // the flag accepts known methods only
	f.search.Threads = f.res.Threads
	if f.split > 0 {
		return f.runSplit(a, cmd, g)
	}
	var undo func()
	f.search.Memory, f.room, undo = f.divide(1)
	defer undo()
	if f.book != "" && Searched(g) {
		var b *book.Book
		if b, err = book.Open(f.book, true); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, b.Close()) }()
		f.proofs = newProofs(g, b)
		f.search.Book = f.proofs
	}
	var records []record
	err = cli.Run(&f.out, &a.Progress, cmd, g.ID(), cli.Endless, func(ctx context.Context, bar *cli.Bar) ([]record, error) {
		bar.Limit(f.time)
		limited, cancel := cli.Timed(ctx, f.time)
		defer cancel()
		var err error
		records, err = f.prove(limited, bar, g, s)
		return records, cmp.Or(err, ctx.Err()) // known results stand, unchecked
	}, func(w io.Writer, records []record) { solveText(w, g, s, records) })
	switch {
	case err != nil:
		return err
	case whole(records).open():
		kept := ""
		if f.proofs != nil {
			kept = fmt.Sprintf("; its proofs are kept in %s", f.book)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s is not decided after %v and %s nodes%s\n", g.ID(), f.time, cli.Count(whole(records).Nodes), kept)
	case slices.ContainsFunc(records, record.open):
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: not all first moves are decided after %v\n", g.ID(), f.time)
	}
	return nil
}

// whole returns the record of the empty board, the last one.
func whole(records []record) record { return records[len(records)-1] }

func (r record) open() bool { return r.Value == game.Unknown }

// elsewhere reports whether the flags ask for another position than the empty board.
func (f *solveFlags) elsewhere() bool { return f.at.Position != "start" || len(f.at.Moves) > 0 }

// fits refuses flags without effect: the flags of a search if the pairing of the plane, which is
// always checked, settles the board.
func (f *solveFlags) fits(cmd *cobra.Command, g *mnk.Game) error {
	idle, why := []string{"algo", "openings", "certificate", "book"}, g.ID()+" is not searched"
	switch {
	case !prove.Fits(g) && g.K() < player.PlaneK:
		return cli.Usagef("%s has %d cells: at most 128 can be searched, or any number with K of %d or more", g.ID(), g.Cells(), player.PlaneK)
	case f.elsewhere() && !prove.Fits(g):
		return cli.Usagef("%s: boards of more than 128 cells, or of more than 64 with K above %d, are decided from the empty board only", g.ID(), prove.MostWide)
	case f.elsewhere():
		idle, why = []string{"check", "certificate"}, "proofs are checked from the empty board"
	case Searched(g):
		return nil
	}
	for _, name := range idle {
		if cmd.Flags().Changed(name) {
			return cli.Usagef("--%s: %s", name, why)
		}
	}
	return nil
}

// Searched reports whether a board is searched: the pairing of the plane settles those
// of more than 64 cells with long lines.
func Searched(g *mnk.Game) bool {
	return g.Lines64() != nil || g.K() < player.PlaneK && prove.Fits(g)
}

// valueText are the printed names of the empty board's values.
var valueText = map[game.Value]string{game.Win: "the first player wins", game.Draw: "a draw", game.Unknown: "not decided"}

func toRecord(g *mnk.Game, v game.Value, r prove.Result) record {
	rec := record{Game: g.ID(), Value: v, Nodes: r.Nodes, Hits: r.Hits, Threats: r.Leaves[0], Forks: r.Leaves[1],
		Weights: r.Leaves[2], Pairings: r.Leaves[3], Repeated: r.Leaves[4], Lambda: r.Leaves[5], Fill: r.Fill, Full: 100 * r.Fill,
		Seconds: cli.Seconds(r.Elapsed), Rate: cli.Rate(r.Nodes, cli.Seconds(r.Elapsed)), Proof: "search"}
	if r.Won && r.Move >= 0 {
		rec.Move = g.CellName(r.Move)
	}
	return rec
}

// prove proves the first moves, if asked for, and the whole board, which is the last
// record. It lets the checker replay the proof if the flags ask for it, see verify.
func (f *solveFlags) prove(ctx context.Context, bar *cli.Bar, g *mnk.Game, s game.State) (records []record, err error) {
	if !Searched(g) && !f.elsewhere() {
		return []record{{Game: g.ID(), Position: s.String(), Path: []string{}, Value: game.Draw, Proof: PlaneProof}}, ProvePlane(g)
	}
	begin, last := time.Now(), uint64(0)
	f.search.Progress = func(nodes uint64, fill float64) {
		if nodes < last { // a new question counts from 0
			begin = time.Now()
		}
		last = nodes
		kept := ""
		if f.proofs != nil {
			kept = ", book " + f.proofs.String()
		}
		bar.Describe("%s, %s nodes, %s, table %.0f %% full%s", g.ID(), cli.Short(nodes), cli.Rate(nodes, time.Since(begin)), 100*fill, kept)
	}
	p, err := prove.New(g, f.search)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	defer func() {
		for i := range records {
			records[i].Position, records[i].Path = s.String(), append([]string{}, f.at.Moves...)
			if f.proofs != nil {
				r := &records[i]
				r.Recalled, r.Learned, r.Book = f.proofs.recalled.Load(), f.proofs.learned.Load(), f.proofs.String()
				switch {
				case r.Recalled > 0 && r.Nodes == 0:
					r.Proof = "book"
				case r.Recalled > 0:
					r.Proof = "search and book"
				}
			}
		}
	}()
	at := s.(mnk.Position)
	if f.elsewhere() {
		records = f.proveMoves(ctx, p, g, at, at.Moves(nil))
		x, o := at.Stones()
		v, r := p.ValueAt(ctx, x, o, at.Seat())
		return append(records, toRecord(g, v, r)), nil
	}
	v, r := p.Value(ctx)
	whole := toRecord(g, v, r)
	var openings []game.Move
	for _, c := range g.Openings() {
		openings = append(openings, game.Move(c))
	}
	records = append(f.proveMoves(ctx, p, g, at, openings), whole)
	if v == game.Unknown {
		return records, nil
	}
	claim := prove.Claim{Attacker: 0, Win: v == game.Win}
	strategy := p.Solver(ctx, claim)
	err = f.verify(bar, g, &records[len(records)-1], func(w io.Writer, told func(prove.Checked)) (prove.Checked, error) {
		return prove.Certify(ctx, g, claim, strategy, prove.RoomFor(g, r.Nodes, f.room), w, told)
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("mnk: %s: %s, but the proof is not checked after %v", g.ID(), valueText[whole.Value], f.time)
	}
	return records, err
}

// proveMoves proves the values of moves of a position, with --openings.
func (f *solveFlags) proveMoves(ctx context.Context, p *prove.Prover, g *mnk.Game, s mnk.Position, moves []game.Move) (records []record) {
	if !f.openings {
		return nil
	}
	for i, m := range moves {
		v, r := game.Draw, prove.Result{Move: -1}
		s.Make(m)
		x, o := s.Stones()
		switch _, won := s.Result().Winner(); {
		case won:
			v = game.Loss // for the seat that would be next to move
		case s.Result() == game.Ongoing:
			v, r = p.ValueAt(ctx, x, o, s.Seat())
		}
		s.Unmake()
		rec := toRecord(g, v.Negate(), r)
		rec.Opening, rec.Move = i+1, s.MoveString(m)
		records = append(records, rec)
	}
	return records
}

// PlaneProof names the proof of large boards.
const PlaneProof = "pairing of the plane"

// ProvePlane lets the checker look for a pair of the pairing of the plane in every
// window of a board of any size.
func ProvePlane(g *mnk.Game) error {
	pairs := player.PlanePairs(g)
	return prove.CheckPairs(g, func(cell int) int { return pairs[cell] })
}

// proofOf reports whether a file is a certificate about this board.
func proofOf(name string, g *mnk.Game) bool {
	in, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return false
	}
	defer in.Close()
	proof, err := prove.OpenCertificate(in)
	if err != nil {
		return false
	}
	defer proof.Close()
	return proof.Game().ID() == g.ID()
}

// verify runs the independent checker if the flags ask for it, on the proof that certify
// walks through and writes down. It adds to the record what is printed.
func (f *solveFlags) verify(bar *cli.Bar, g *mnk.Game, r *record, certify func(io.Writer, func(prove.Checked)) (prove.Checked, error)) error {
	if f.certificate == "" && !f.check {
		return nil
	}
	write := func(w io.Writer) error {
		n, err := certify(w, told(bar, g))
		if err == nil {
			r.Checked = fmt.Sprintf("%s positions, %s claims, %s games to their end", cli.Count(n.Positions), cli.Count(n.Claims), cli.Count(n.Ends))
		}
		return err
	}
	if f.certificate == "" {
		return write(io.Discard)
	}
	if err := files.Write(f.certificate, write); err != nil {
		return err
	}
	info, err := os.Stat(f.certificate)
	if err == nil {
		r.Certificate = fmt.Sprintf("%s, %s bytes", f.certificate, cli.Count(info.Size()))
	}
	return err
}

// told shows the progress of a check.
func told(bar *cli.Bar, g *mnk.Game) func(prove.Checked) {
	begin := time.Now()
	return func(n prove.Checked) {
		bar.Describe("checking %s, %s positions, %s", g.ID(), cli.Short(n.Positions), cli.Rate(n.Positions, time.Since(begin)))
	}
}

var provedText = cli.Fields[record]("proof=proof?", "divided=Divided?", "time=seconds", "nodes=nodes,Rate:%s (%s)",
	"leaves=threats,forks,weights,pairings,lambda,repeated:threats %s, forks %s, weights %s, pairings %s, λ-wins %s, seen before %s",
	"table=Full:%.1f %% full", "move=move?", "book=Book?", "checked=Checked?", "certificate=Certificate?")

func solveText(w io.Writer, g *mnk.Game, s game.State, records []record) {
	whole := whole(records)
	title, text := g.ID(), valueText[whole.Value]
	if start := g.Start().String(); whole.Position != start {
		title += " " + whole.Position
		switch seat := s.Seat(); whole.Value {
		case game.Win:
			text = g.SeatName(seat) + " wins"
		case game.Loss:
			text = g.SeatName(1-seat) + " wins"
		}
	}
	fmt.Fprintf(w, "%s: %s\n", title, text)
	if whole.Proof == PlaneProof {
		fmt.Fprintln(w, "proof ", PlaneProof)
		return
	}
	if whole.Proof == "search" {
		whole.Proof = ""
	}
	provedText(w, []record{whole})
	if len(records) > 1 {
		cli.Grid[record]("first move=move", "value", "nodes", "time=seconds")(w, records[:len(records)-1])
	}
}
