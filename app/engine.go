package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/cli"
	"perfectplay/play/engine"
	"perfectplay/play/explore"
	"perfectplay/play/player"
	"perfectplay/solve"
)

// players are the flags of commands with players: their resources and time.
type players struct {
	res     cli.Resources
	sources family.Sources
	time    time.Duration
	analyst *analyst
	single  bool // one thread without --threads
}

// Flags adds the flags, with a default thinking time, and checks them before the command runs. After
// it the analyst is closed.
func (p *players) Flags(a *family.App, cmd *cobra.Command, thinking time.Duration, usage string) {
	p.res.Flags(cmd)
	p.sources.Flags(cmd)
	cmd.Flags().DurationVar(&p.time, "time", thinking, usage)
	cli.Before(cmd, func() error {
		if p.time < time.Millisecond && p.time != thinking {
			return cli.Usagef("--time %v: want at least 1ms", p.time)
		}
		if err := p.res.Resolve(cmd, leastMemory, 1<<30); err != nil {
			return err
		}
		if p.single && !cmd.Flags().Changed("threads") {
			p.res.Threads = 1
		}
		return p.open(a)
	})
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return errors.Join(run(cmd, args), p.analyst.Close())
	}
}

// open makes the analyst within half of the memory; players have tables of their own in the other
// half.
func (p *players) open(a *family.App) error {
	o, err := p.sources.Options(a, int64(p.res.Mem)/2, p.res.Threads)
	p.analyst = &analyst{o: o}
	return err
}

// option changes the resources of later questions and players.
func (p *players) option(name, value string) error {
	switch name {
	case "mem":
		mem := p.res.Mem
		if err := mem.Set(value); err != nil {
			return err
		}
		if least, most := memory(); mem < least || mem > most {
			return fmt.Errorf("option mem %v: want %v to %v", mem, least, most)
		}
		p.res.Mem = mem
	case "threads":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > solve.MaxThreads {
			return fmt.Errorf("option threads %.20q: want 1 to %d", value, solve.MaxThreads)
		}
		p.res.Threads = n
	default:
		return fmt.Errorf("unknown option %.20q", name)
	}
	return p.analyst.restart(int64(p.res.Mem)/2, p.res.Threads)
}

// memory returns the bounds of the memory of players that ask for values.
func memory() (least, most cli.Size) {
	if most = cli.Machine(); most == 0 {
		most = math.MaxInt64
	}
	return 2 * explore.MinMemory, most
}

// Prefixes of programs as players.
const (
	ownProtocol     = "cmd:"
	gomocupProtocol = "gomocup:"
)

// program splits a player's name into the protocol and the words of a command; words is nil if
// the player is no program.
func program(name string) (protocol string, words []string) {
	for _, protocol := range []string{ownProtocol, gomocupProtocol} {
		if command, ok := strings.CutPrefix(name, protocol); ok {
			return protocol, append([]string{}, strings.Fields(command)...)
		}
	}
	return "", nil
}

func knownSeat(a *family.App, name string) error {
	protocol, words := program(name)
	switch {
	case words == nil:
		if err := a.KnownPlayer(name); err != nil {
			return fmt.Errorf("%w, or %sPROGRAM, or %sPROGRAM", err, ownProtocol, gomocupProtocol)
		}
	case len(words) == 0:
		return fmt.Errorf("%q: want a program after %s", name, protocol)
	}
	return nil
}

// seat makes a player. A program must be ready to play within the time ready.
func (p *players) seat(ctx context.Context, a *family.App, name string, g game.Game, seed uint64, ready time.Duration) (player.Player, error) {
	switch protocol, words := program(name); protocol {
	case ownProtocol:
		return engine.Start(ctx, name, words, g, ready)
	case gomocupProtocol:
		return engine.StartGomocup(ctx, name, words, g, a.Of(g).Wing, ready)
	}
	return player.New(ctx, name, g, player.Options{Wing: a.Of(g).Wing, Analyst: p.analyst, Seed: seed,
		Memory: int64(p.res.Mem) / 4, Threads: p.res.Threads})
}

const leastMemory cli.Size = 2 << 20

// analyst is the service of values, made at the first question. It belongs to one goroutine.
type analyst struct {
	o       explore.Options
	service *explore.Service
}

func (a *analyst) get() (*explore.Service, error) {
	if a.service != nil {
		return a.service, nil
	}
	if a.o.Memory < explore.MinMemory {
		return nil, cli.Usagef("--mem %v: at least %v is needed to know what moves are worth", cli.Size(2*a.o.Memory), cli.Size(2*explore.MinMemory))
	}
	service, err := explore.New(a.o)
	a.service = service
	return service, err
}

func (a *analyst) restart(memory int64, threads int) error {
	err := a.Close()
	a.o.Memory, a.o.Threads, a.service = memory, threads, nil
	return err
}

func (a *analyst) Game(id, rules string) (*explore.Game, error) {
	s, err := a.get()
	if err != nil {
		return nil, err
	}
	return s.Game(id, rules)
}

func (a *analyst) Analyse(ctx context.Context, q explore.Query, report func(*explore.Answer) error) error {
	s, err := a.get()
	if err != nil {
		return err
	}
	return s.Analyse(ctx, q, report)
}

func (a *analyst) Close() error {
	if a.service == nil {
		return nil
	}
	return a.service.Close()
}

func newEngineCommand(a *family.App) *cobra.Command {
	var p players
	var protocol string
	e := &engine.Engine{Program: "perfectplay " + a.Program, Open: a.Open, Known: a.KnownPlayer, Wing: func(id string) (wing.Wing, error) {
		f, err := a.Find(id)
		return f.Wing, err
	}}
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "play and analyse any game over a line protocol",
		Long: `engine reads commands from standard input, one a line, and answers each, in
order, with one line on standard output: "=", or "= " and the answer, or "? "
and what is wrong, quoted. After an error the game is as before. A longer answer
has further lines before the one with the equals sign; they do not begin with =
or ?. Empty lines and what follows # are not answered.

` + engine.Commands() + `

A line that begins with { is a question in JSON about any position of any game,
answered with lines of JSON; docs/engine.md has its keys.

With --protocol gomocup it is an engine for five in a row in the protocol of
Gomocup, for managers such as piskvork.

Players: ` + a.PlayerList() + `.

A player answers with a tenth of its time left, and with at least 50 ms left of
100 ms or more. Commands sent meanwhile wait, and so does what follows them;
only a stop that comes first takes effect at once. The end of input is like
quit: commands before it are carried out. An interrupt ends the program at once,
with exit code 130.`,
		Example: `  printf 'new halma-star37-2p house\ngo 1s\nquit\n' | solve engine`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.KnownPlayer(e.Player); err != nil {
				return cli.Usage(err)
			}
			e.Analyst, e.Budget = p.analyst, p.time
			e.Seat = func(ctx context.Context, name string, g game.Game) (player.Player, error) {
				return p.seat(ctx, a, name, g, 0, p.time)
			}
			e.Option = p.option
			e.Memory = func(bytes int64) error {
				least, most := memory()
				return p.option("mem", strconv.FormatInt(min(max(bytes, int64(least)), int64(most)), 10))
			}
			talk := e.Converse
			if protocol == "gomocup" {
				talk = e.Gomocup
			}
			return talk(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	p.Flags(a, cmd, 10*time.Second, "`TIME` for a command that names none")
	cli.Choice(cmd, &protocol, "protocol", "lines", []string{"lines", "gomocup"}, "`PROTOCOL`: lines or gomocup")
	cmd.Flags().StringVar(&e.Player, "player", player.Strongest, "`PLAYER` that chooses moves at first")
	return cmd
}
