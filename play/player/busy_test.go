package player

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/mnk"
	"perfectplay/internal/host"
)

// neighbour, in the environment, makes TestNeighbour keep a processor busy.
const neighbour = "PERFECTPLAY_NEIGHBOUR"

// TestNeighbour is a neighbour process of TestBusy, which works until its input ends.
func TestNeighbour(t *testing.T) {
	if os.Getenv(neighbour) == "" {
		t.Skip("a busy neighbour, which TestBusy starts")
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
	}()
	os.Stdout.WriteString("busy\n")
	for sum := 0; ; sum++ {
		if sum&0xffff == 0 {
			select {
			case <-ended:
				return
			default:
			}
		}
	}
}

// TestBusy: no move is late, by this process's processor time, beside eight busy processes.
func TestBusy(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "windows":
	default:
		t.Skip("no clock of processor time")
	}
	for range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestNeighbour$")
		cmd.Env = append(os.Environ(), neighbour+"=1")
		in := must(cmd.StdinPipe())(t)
		out := must(cmd.StdoutPipe())(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()
			_ = cmd.Wait()
		})
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	m := must(mnk.ByID("mnk-15x15k5"))(t)
	h := must(halma.ByID("halma-star121-3p", "base"))(t)
	plies := 4
	if testing.Short() {
		plies = 2 // neighbours take all processors as long
	}
	for _, g := range []game.Game{m, h} {
		p := newPlayer(t, Strongest, g, 1)
		s := g.Start()
		for ply := range plies {
			const most = 60 * time.Millisecond
			w, wall := host.NewWatch(true), time.Now()
			c, err := p.Move(t.Context(), s, Clock{Time: most, Processor: true})
			if err != nil {
				t.Fatal(err)
			}
			if took := w.Elapsed(); took > most {
				t.Errorf("%s, ply %d: %v of %v, %v on the wall: %s", g.ID(), ply, took, most, time.Since(wall), c.Note)
			}
			if r, ok := p.(Rester); ok {
				r.Rest()
			}
			s.Make(c.Move)
		}
	}
}
