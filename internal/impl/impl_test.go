package impl

import (
	"fmt"
	"slices"
	"testing"
)

// register adds entries for one test and removes them afterwards.
func register(t *testing.T, pkg, name string, enabled *bool, unusable string) {
	t.Helper()
	before := len(registry.entries)
	Register(pkg, name, enabled, unusable)
	t.Cleanup(func() { registry.entries = registry.entries[:before] })
}

func TestRegisterDecides(t *testing.T) {
	t.Setenv(envWithout, "slowest, demo:fast")
	var fast, wide, absent, other bool
	register(t, "demo", "fast", &fast, "")
	register(t, "demo", "wide", &wide, "")
	register(t, "demo", "absent", &absent, "no such unit")
	register(t, "another", "fast", &other, "")
	if fast || !wide || absent || !other {
		t.Fatalf("fast=%v wide=%v absent=%v other=%v", fast, wide, absent, other)
	}
	if got := Active("demo"); got != "wide" {
		t.Errorf("Active = %q", got)
	}
	if got := Active("nobody"); got != portable {
		t.Errorf("Active of an unknown package = %q", got)
	}
	want := []Implementation{
		{"another", "fast", true, ""},
		{"demo", "fast", false, "excluded by " + envWithout},
		{"demo", "wide", true, ""},
		{"demo", "absent", false, "no such unit"},
	}
	if got := List(); !slices.Equal(got, want) {
		t.Errorf("List = %+v", got)
	}
}

func TestRegisterTwicePanics(t *testing.T) {
	var b bool
	register(t, "demo", "fast", &b, "")
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Register("demo", "fast", &b, "")
}

func TestCPU(t *testing.T) {
	name, features := CPU()
	if name == "" || !slices.IsSorted(features) {
		t.Errorf("%q %q", name, features)
	}
}

// fake records the calls of TestAll on a test.
type fake struct {
	log  *[]string
	name string
}

func (f *fake) Helper()           {}
func (f *fake) Skip(args ...any)  { *f.log = append(*f.log, f.name+" skip "+fmt.Sprint(args...)) }
func (f *fake) Fatal(args ...any) { *f.log = append(*f.log, f.name+" fatal "+fmt.Sprint(args...)) }
func (f *fake) Run(name string, body func(*fake)) bool {
	body(&fake{f.log, name})
	return true
}

func TestTestAll(t *testing.T) {
	var fast, wide, absent bool
	register(t, "demo", "fast", &fast, "")
	register(t, "demo", "wide", &wide, "")
	register(t, "demo", "absent", &absent, "no such unit")
	for _, c := range []struct {
		require string
		want    []string
	}{
		{"", []string{"impl=portable run false false", "impl=fast run true false", "impl=wide run false true",
			"impl=absent skip not available: no such unit", "impl=all run true true"}},
		{"absent", []string{"impl=portable run false false", "impl=fast run true false", "impl=wide run false true",
			"impl=absent fatal required by PERFECTPLAY_REQUIRE but not available: no such unit",
			"impl=absent skip not available: no such unit", // the real Fatal does not return
			"impl=all run true true"}},
	} {
		t.Setenv(envRequire, c.require)
		var log []string
		TestAll(&fake{log: &log}, "demo", func(f *fake) {
			log = append(log, fmt.Sprintf("%s run %v %v", f.name, fast, wide))
		})
		if !slices.Equal(log, c.want) {
			t.Errorf("require %q:\n got %q\nwant %q", c.require, log, c.want)
		}
		if !fast || !wide || absent {
			t.Errorf("dispatch not restored: %v %v %v", fast, wide, absent)
		}
	}
}
