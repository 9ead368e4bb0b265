package host

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// TestTimes burns processor time until the clock has moved on, and checks that it never goes back.
func TestTimes(t *testing.T) {
	process, begin := ProcessTime(), time.Now()
	for {
		p := ProcessTime()
		if p < process {
			t.Fatalf("the clock goes back: %v after %v", p, process)
		}
		if p-process > 20*time.Millisecond {
			return
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("the clock stands: %v in a minute", p-process)
		}
	}
}

// TestPeakMemory fills memory and frees it: the peak counts it, the memory in use does not.
func TestPeakMemory(t *testing.T) {
	const size = 64 << 20
	filled := bytes.Repeat([]byte{1}, size)
	inUse := memoryInUse()
	runtime.KeepAlive(filled)
	filled = nil
	debug.FreeOSMemory()
	if after := memoryInUse(); inUse < size || after > inUse-size/2 {
		t.Errorf("%d bytes in use with %d filled, %d without", inUse, size, after)
	}
	if peak := PeakMemory(); runtime.GOOS == "linux" && (peak < size || peak > 64*size) {
		t.Errorf("a peak of %d bytes with %d filled", peak, size)
	}
}

// TestProcessTimeSleeps checks that a sleeping process uses no processor time, if the system
// can tell.
func TestProcessTimeSleeps(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "windows":
	default:
		t.Skip("the time of day stands in for processor time")
	}
	const length = 300 * time.Millisecond
	begin := ProcessTime()
	time.Sleep(length)
	if used := ProcessTime() - begin; used > length/2 {
		t.Errorf("%v used in a sleep of %v", used, length)
	}
}

// TestScratch checks that a scratch file starts as zeros, leaves no name, and keeps evicted
// pages.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	const n = 3<<20 + 4096
	b, err := scratch(dir, n)
	if !HasScratch {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("error %v, want unsupported", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the file has a name: %v %v", left, err)
	}
	if len(b) != n || slices.Max(b) != 0 {
		t.Fatalf("%d bytes with a maximum of %d, want %d zeros", len(b), slices.Max(b), n)
	}
	b[0], b[n-1] = 1, 2
	evict(b)
	if b[0] != 1 || b[n-1] != 2 {
		t.Error("what was evicted is lost")
	}
	if err := Unmap(b); err != nil {
		t.Error(err)
	}
	if _, err := scratch(filepath.Join(dir, "missing"), n); err == nil {
		t.Error("a file is made in a directory that does not exist")
	}
}

// TestTakeRoom checks the size and contents of a file whose room is taken by writing, as on
// systems without a call for it.
func TestTakeRoom(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 20, 1<<20 + 7} {
		name := filepath.Join(t.TempDir(), "x")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := takeRoom(f, n); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, make([]byte, n)) {
			t.Errorf("%d bytes: %d in the file, error %v", n, len(got), err)
		}
		if err := takeRoom(f, 1); err == nil {
			t.Error("a closed file takes room")
		}
	}
}

func TestPages(t *testing.T) {
	const n = 4 << 20
	b, err := Pages(n)
	if errors.Is(err, errors.ErrUnsupported) {
		if runtime.GOOS == "linux" && !race {
			t.Error("no pages on Linux")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(b) != n || slices.Max(b) != 0 {
		t.Fatalf("%d bytes with a maximum of %d, want %d zeros", len(b), slices.Max(b), n)
	}
	b[n-1] = 1
	if err := Unmap(b); err != nil {
		t.Error(err)
	}
}

// TestWatch: a watch of processor time stands still while the process sleeps. A context of Within
// ends when the process has worked for the given time, and not before.
func TestWatch(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "windows":
	default:
		t.Skip("the time of day stands in for processor time")
	}
	const length = 100 * time.Millisecond
	w, wall := NewWatch(true), NewWatch(false)
	ctx, cancel := w.Within(t.Context(), length)
	defer cancel()
	time.Sleep(3 * length)
	if w.Elapsed() > length/2 || ctx.Err() != nil {
		t.Errorf("%v passed in a sleep of %v, and the context says %v", w.Elapsed(), 3*length, ctx.Err())
	}
	if wall.Elapsed() < 3*length {
		t.Errorf("the clock on the wall went %v in %v", wall.Elapsed(), 3*length)
	}
	for sum := 0; ctx.Err() == nil; sum++ {
		if w.Elapsed() > 30*time.Second {
			t.Fatal("the context never ends")
		}
	}
	if w.Elapsed() < length {
		t.Errorf("the context ended after %v of %v", w.Elapsed(), length)
	}
	early, stop := w.Within(t.Context(), time.Hour)
	stop()
	if early.Err() == nil {
		t.Error("a context that was cancelled goes on")
	}
}
