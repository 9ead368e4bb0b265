package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/play/player"
)

// behaviour is the environment variable that makes this test a program with some behaviour.
const behaviour = "PERFECTPLAY_TEST_PROGRAM"

func TestMain(m *testing.M) {
	how := os.Getenv(behaviour)
	if how == "" {
		os.Exit(m.Run())
	}
	if how == "gomocup" {
		if err := newBrain().Gomocup(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if how, ok := strings.CutPrefix(how, "hostile "); ok {
		hostile(how)
	}
	if how, ok := strings.CutPrefix(how, "quirk "); ok {
		quirk(how)
		os.Exit(0)
	}
	for how == "starts late" {
		if _, err := os.Stat(os.Getenv(pids)); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if wrong, ok := strings.CutPrefix(how, "gomocup "); ok {
			brainless(wrong, in.Text())
			continue
		}
		command, _, _ := strings.Cut(in.Text(), " ")
		switch {
		case command == "quit":
			fmt.Println("= bye")
			os.Exit(0)
		case command == "new" && how == "refuses":
			fmt.Println(`? "this game is \"unknown\""`)
		case command != "hint":
			fmt.Println("=")
		default:
			hint(how, in)
		}
	}
}

// pids is the environment variable with the directory where hostile programs and their children
// leave their numbers.
const pids = "PERFECTPLAY_TEST_PIDS"

// hostile is a program that does harm instead of playing, before it is ready or after.
func hostile(how string) {
	if err := os.WriteFile(filepath.Join(os.Getenv(pids), strconv.Itoa(os.Getpid())), nil, 0o666); err != nil {
		os.Exit(1)
	}
	silent := func() { time.Sleep(time.Hour) }
	flood := func(to *os.File, text string) {
		for block := strings.Repeat(text, 1<<12); ; {
			if _, err := to.WriteString(block); err != nil {
				os.Exit(0)
			}
		}
	}
	if how, ok := strings.CutPrefix(how, "ready "); ok {
		in := bufio.NewReader(os.Stdin)
		switch said, _ := in.ReadString('\n'); {
		case strings.HasPrefix(said, "START"):
			fmt.Println("OK")
		default:
			fmt.Println("= ready")
		}
		hostile(how)
	}
	switch how {
	case "floods":
		flood(os.Stdout, "AAAA\n")
	case "floods without lines":
		flood(os.Stdout, "AAAA")
	case "floods suggestions":
		flood(os.Stdout, "SUGGEST 1,1\n")
	case "floods errors":
		flood(os.Stderr, "AAAA\n")
	case "leaves others behind": // two that spin and hold its pipes; one is an orphan's child
		for _, child := range []string{"spins", "starts another"} {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), behaviour+"=hostile "+child)
			c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
			if err := c.Start(); err != nil {
				os.Exit(1)
			}
		}
		silent()
	case "starts another":
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), behaviour+"=hostile spins")
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := c.Start(); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "spins":
		for n := 0; ; n++ {
			if n < 0 {
				os.Exit(1)
			}
		}
	}
	silent()
}

// brainless answers a command of Gomocup's protocol in a wrong way.
func brainless(how, command string) {
	switch {
	case strings.HasPrefix(command, "START") && how == "refuses":
		fmt.Println("MESSAGE hello\nERROR no such board")
	case command == "END":
		os.Exit(0)
	case strings.HasPrefix(command, "START"), command == "RESTART":
		fmt.Println("OK")
	case command != "DONE":
	case how == "illegal":
		fmt.Println("DEBUG hm\n99,1")
	case how == "taken":
		fmt.Println("4,4")
	case how == "ends":
		hint(how, nil)
	}
}

// hint answers the command hint.
func hint(how string, in *bufio.Scanner) {
	switch how {
	case "plays":
		fmt.Println("info whatever")
		fmt.Println("\n= b2")
	case "illegal":
		fmt.Println("= z9")
	case "complains":
		fmt.Println(`? "no idea"`)
	case "ends":
		fmt.Fprintln(os.Stderr, "first line\nout of luck")
		os.Exit(3)
	case "babbles":
		fmt.Println(strings.Repeat("x", 3*maxLine))
		fmt.Println("no answer")
		fmt.Println("= b2")
	case "waits": // waits for the command stop
		fmt.Println("info thinks")
		in.Scan()
		fmt.Println("= c3\n=")
	}
}

// start starts this test as a program.
func start(t *testing.T, how string) (player.Player, game.Game, error) {
	t.Helper()
	if runtime.GOOS == "js" {
		t.Skip("js/wasm starts no processes")
	}
	t.Setenv(behaviour, how)
	exe := must(os.Executable())(t)
	g := must(mnk.ByID("mnk-3x3k3"))(t)
	p, err := Start(t.Context(), how, []string{exe}, g, time.Minute)
	return p, g, err
}

// TestProgram: a program's moves, and the faults of wrong moves.
func TestProgram(t *testing.T) {
	for how, want := range map[string]string{
		"plays":     "b2",
		"babbles":   "b2",
		"illegal":   `illegal answered "z9": mnk: `,
		"complains": `complains refused "hint 1h0m0s": no idea`,
		"ends":      "ends ended: out of luck",
	} {
		p, g, err := start(t, how)
		if err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		s := g.Start()
		c, err := p.Move(t.Context(), s, player.Clock{Time: time.Hour})
		if bad := new(Fault); errors.As(err, &bad) {
			if !strings.HasPrefix(bad.Why, want) {
				t.Errorf("%s: %q, want %q", how, bad.Why, want)
			}
		} else if err != nil || s.MoveString(c.Move) != want {
			t.Errorf("%s: %v, %v", how, c, err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}

// TestProgramStops: a program whose time is up while it thinks gets stop, and its answer counts.
func TestProgramStops(t *testing.T) {
	p, g, err := start(t, "waits")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	said, lines, thinks := p.(*program).lines, make(chan string), make(chan struct{})
	p.(*program).lines = lines
	go func() {
		defer close(lines)
		for line := range said {
			if strings.HasPrefix(line, "info") {
				thinks <- struct{}{}
			}
			lines <- line
		}
	}()
	for range 2 { // each move is answered by its own line
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-thinks
			cancel()
		}()
		s := g.Start()
		if c, err := p.Move(ctx, s, player.Clock{}); err != nil || s.MoveString(c.Move) != "c3" {
			t.Errorf("%v, %v", c, err)
		}
	}
}

// TestProgramStartsLate: while a program waits for a processor, its time to start stands still.
func TestProgramStartsLate(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("js/wasm starts no processes")
	}
	file := filepath.Join(t.TempDir(), "go")
	t.Setenv(behaviour, "starts late")
	t.Setenv(pids, file)
	p, err := launch(t.Context(), "late", []string{os.Args[0]}, "quit")
	if err != nil {
		t.Fatal(err)
	}
	p.waited = func() time.Duration {
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Error(err)
		}
		return longestWait
	}
	if _, err := p.start(t.Context(), time.Millisecond-patience, func(ctx context.Context) (string, error) { return p.ask(ctx, "new") }); err != nil {
		t.Error(err)
	}
	p.Close()
}

// TestProgramRefuses: a program that does not know the game, or does not speak the protocol.
func TestProgramRefuses(t *testing.T) {
	_, g, err := start(t, "refuses")
	if bad := new(Fault); !errors.As(err, &bad) || !strings.Contains(err.Error(), `refuses refused "new mnk-3x3k3": this game is "unknown"`) {
		t.Errorf("%v", err)
	}
	if _, err := Start(t.Context(), "none", []string{"./no such program"}, g, time.Minute); err == nil {
		t.Error("a program that is not there")
	}
	if _, err := Start(t.Context(), "none", nil, g, time.Minute); err == nil {
		t.Error("no program")
	}
}
