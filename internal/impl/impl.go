// Package impl knows which implementations of the fast kernels this program
// contains, which of them this machine can run, and which are in use.
//
// A package keeps a bool for each faster implementation, which its dispatcher reads, and
// registers it:
//
//	var useBMI2 bool
//	var _ = impl.Register("bitboard", "bmi2", &useBMI2, whyNoBMI2())
//
// That decides the dispatch before main. Afterwards only [TestAll] changes it, for the length
// of a test. If every bool is false, the package uses its [portable] implementation, which
// exists on every machine and is the reference.
//
// Two environment variables hold names separated by commas, each bare or as package:name:
//
//	PERFECTPLAY_WITHOUT=bmi2   leaves an implementation unused
//	PERFECTPLAY_REQUIRE=bmi2   makes tests fail, rather than skip, if it cannot run
package impl

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/cpuid/v2"
)

// portable is the name of a package's implementation if none of the registered ones is active.
const portable = "portable"

// The environment variables, see the package comment.
const (
	envWithout = "PERFECTPLAY_WITHOUT"
	envRequire = "PERFECTPLAY_REQUIRE"
)

// Implementation describes one registered implementation.
type Implementation struct {
	Package string // the package it speeds up, for instance bitboard
	Name    string // name of the implementation, for instance bmi2
	Active  bool   // in use now
	Reason  string // why it is not in use; empty if it is
}

// entry is a registered implementation and its switch.
type entry struct {
	pkg, name string
	enabled   *bool
	unusable  string // why this machine or build cannot run it, empty if it can
	without   bool   // switched off by envWithout
}

// registry lists all registrations in order. It is complete before main.
var registry struct {
	sync.Mutex
	entries []entry
}

// Register registers an implementation and sets *enabled if unusable is empty and the environment
// does not exclude it. unusable says why this machine or this build cannot run it. Packages call
// Register while their variables are initialized, even without the implementation, so that tests
// can require it. It panics if the name is taken. The result has no meaning.
func Register(pkg, name string, enabled *bool, unusable string) struct{} {
	registry.Lock()
	defer registry.Unlock()
	for _, e := range registry.entries {
		if e.pkg == pkg && e.name == name {
			panic("impl: Register: " + pkg + ":" + name + " is registered already")
		}
	}
	e := entry{pkg, name, enabled, unusable, listed(envWithout, pkg, name)}
	*enabled = unusable == "" && !e.without
	registry.entries = append(registry.entries, e)
	return struct{}{}
}

// List returns all registered implementations by package, in the order of registration.
func List() []Implementation {
	registry.Lock()
	defer registry.Unlock()
	var list []Implementation
	for _, e := range registry.entries {
		im := Implementation{Package: e.pkg, Name: e.name, Active: *e.enabled, Reason: e.unusable}
		if im.Reason == "" && e.without {
			im.Reason = "excluded by " + envWithout
		}
		list = append(list, im)
	}
	slices.SortStableFunc(list, func(a, b Implementation) int { return strings.Compare(a.Package, b.Package) })
	return list
}

// Active returns the names of the implementations that pkg uses, joined by
// "+", or portable if there is none.
func Active(pkg string) string {
	var names []string
	for _, im := range List() {
		if im.Package == pkg && im.Active {
			names = append(names, im.Name)
		}
	}
	if names == nil {
		return portable
	}
	return strings.Join(names, "+")
}

// CPU returns the processor's name and the features it reports, sorted.
func CPU() (name string, features []string) {
	name = cpuid.CPU.BrandName
	if name == "" {
		name = runtime.GOARCH
	}
	features = cpuid.CPU.FeatureSet()
	slices.Sort(features)
	return name, features
}

// tester is the part of a *testing.T or *testing.B that TestAll uses.
type tester[T any] interface {
	Helper()
	Skip(args ...any)
	Fatal(args ...any)
	Run(name string, f func(T)) bool
}

// TestAll runs f as one subtest per implementation of pkg: with none in use (impl=portable), with
// each alone, and with all that the machine can run if there are several (impl=all). A subtest
// that the machine cannot run is skipped with the reason, or fails if PERFECTPLAY_REQUIRE names
// it. T is *testing.T or *testing.B.
//
// While f runs, the dispatch of pkg is changed for the whole process, so neither the test that
// calls TestAll nor f may be parallel.
func TestAll[T tester[T]](t T, pkg string, f func(T)) {
	t.Helper()
	registry.Lock()
	var entries []entry
	for _, e := range registry.entries {
		if e.pkg == pkg {
			entries = append(entries, e)
		}
	}
	registry.Unlock()
	if len(entries) == 0 {
		t.Fatal("impl: TestAll: package " + pkg + " has registered nothing")
	}

	saved := make([]bool, len(entries))
	for i, e := range entries {
		saved[i] = *e.enabled
	}
	use := func(in func(i int) bool) {
		for i, e := range entries {
			*e.enabled = in(i)
		}
	}
	defer use(func(i int) bool { return saved[i] })

	use(func(int) bool { return false })
	t.Run("impl="+portable, f)
	usable := 0
	for i, e := range entries {
		if e.unusable == "" {
			usable++
			use(func(j int) bool { return j == i })
			t.Run("impl="+e.name, f)
			continue
		}
		use(func(int) bool { return false })
		t.Run("impl="+e.name, func(t T) {
			if listed(envRequire, e.pkg, e.name) {
				t.Fatal("required by " + envRequire + " but not available: " + e.unusable)
			}
			t.Skip("not available: " + e.unusable)
		})
	}
	if usable > 1 {
		use(func(i int) bool { return entries[i].unusable == "" })
		t.Run("impl=all", f)
	}
}

// listed reports whether the environment variable env lists the implementation.
func listed(env, pkg, name string) bool {
	list := strings.FieldsFunc(os.Getenv(env), func(r rune) bool { return r == ',' || r == ' ' })
	return slices.Contains(list, name) || slices.Contains(list, pkg+":"+name)
}
