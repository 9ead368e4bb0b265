package app

import (
	"fmt"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"perfectplay/app/family"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/serve"
)

// fields are the optional fields of a family and of its wing.
func fields() (names []string) {
	for _, of := range []reflect.Type{reflect.TypeFor[wing.Wing](), reflect.TypeFor[family.Family]()} {
		for i := range of.NumField() {
			if f := of.Field(i); !f.Anonymous && !slices.Contains([]string{"Name", "Open", "IDs"}, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// TestFields: every command works for a family that lacks one of the optional fields, or has
// only one, and prints nothing false.
func TestFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id     string
		fields []string
	}{
		{"halma-star13-2p", append(fields(), "")}, {"halma-star13-3p", []string{"Positions", "Sources", ""}},
		{"mnk-3x3k3", append(fields(), "")}, {"domino", append(fields(), "")},
	} {
		id := c.id
		full := ours[slices.IndexFunc(ours, func(f family.Family) bool { return strings.HasPrefix(id, f.Name) })]
		full.IDs = func() []string { return []string{id} }
		for _, name := range c.fields {
			for _, alone := range []bool{false, true} {
				if alone && testing.Short() {
					continue
				}
				f := full
				if alone {
					f = family.Family{Wing: wing.Wing{Name: full.Name, Open: full.Open, IDs: full.IDs}}
				}
				if name != "" {
					to := reflect.ValueOf(&f).Elem().FieldByName(name)
					if to.SetZero(); alone {
						to.Set(reflect.ValueOf(full).FieldByName(name))
					}
				}
				t.Run(fmt.Sprintf("%s/%s/alone=%t", id, name, alone), func(t *testing.T) {
					families, err := withDefaults([]family.Family{f})
					if err != nil {
						t.Fatal(err)
					}
					for _, words := range []string{
						"info", "info GAME", "info GAME --json", "search GAME --limit 2", "analyse GAME --limit 1", "strong GAME --plan",
						"match GAME random random --pairs 1", "play GAME", "engine",
					} {
						runFields(t, newApp(families...), strings.ReplaceAll(words, "GAME", id))
					}
					if _, ofWing := reflect.TypeFor[wing.Wing]().FieldByName(name); ofWing || name == "" { // the page uses only the fields of wings
						page(t, families[0].Wing, id)
					}
				})
			}
		}
	}
}

// nonsense matches traces of missing values.
var nonsense = regexp.MustCompile(`(?m)%!|<nil>|NaN|^cells +0|^pieces +0|\(\)`)

func runFields(t *testing.T, a *family.App, words string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("solve %s: %v", words, r)
		}
	}()
	out, _, err := says(t.Context(), a, "help\nmoves\nquit\n", strings.Fields(words)...)
	if found := nonsense.FindString(out); err != nil || found != "" || out == "" {
		t.Errorf("solve %s: %v; it prints %q in %q", words, err, found, out)
	}
}

func page(t *testing.T, w wing.Wing, id string) {
	t.Helper()
	service, err := explore.New(explore.Options{Wings: []wing.Wing{w}, Threads: 1})
	if err != nil {
		t.Error(err)
		return
	}
	defer service.Close()
	s, err := serve.New(serve.Options{Explorer: service, Version: "test"})
	if err != nil {
		t.Error(err)
		return
	}
	for _, path := range []string{"games", "games/GAME", "games/GAME/legal", "games/GAME/position?limit=2", "games/GAME/hidden?deal=1"} {
		r := httptest.NewRecorder()
		s.ServeHTTP(r, httptest.NewRequest("GET", "http://localhost/api/v1/"+strings.ReplaceAll(path, "GAME", id), nil))
		if r.Code >= 500 {
			t.Errorf("%s: %d %s", path, r.Code, r.Body)
		}
	}
}

// TestBare: a family with only the required fields prints nothing of other games, and only
// true things of its own.
func TestBare(t *testing.T) {
	t.Parallel()
	f := family.Family{Wing: wing.Wing{Name: "mnk", Open: ours[1].Open, IDs: func() []string { return []string{"mnk-3x3k3"} }}}
	families, err := withDefaults([]family.Family{f})
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []func(*family.App) *cobra.Command{newRoot, labOf} {
		walk(program(newApp(families...)), func(cmd *cobra.Command) {
			if found := regexp.MustCompile(`(?i)chinese|halma-|domino-`).FindString(cmd.Example); found != "" || cmd.Root() == cmd && strings.Contains(cmd.Long, "Chinese") {
				t.Errorf("%s names %q, which is not among its games", cmd.CommandPath(), found)
			}
		})
	}
	out, _, err := says(t.Context(), newApp(families...), "", "info")
	if err != nil || !regexp.MustCompile(`(?m)^mnk-3x3k3 +- +2 +- +6,046 +13$`).MatchString(out) {
		t.Errorf("%v\n%s", err, out)
	}
	f.Board = ours[1].Board
	w, err := f.Wing.Complete()
	if err != nil {
		t.Fatal(err)
	}
	g, err := w.Open("mnk-3x3k3", "")
	if err != nil {
		t.Fatal(err)
	}
	if p := w.Picture(g, g.Start()); len(p.Pieces) != 9 || slices.Contains(p.Pieces, 0) {
		t.Errorf("a board without pictures has pieces: %v", p.Pieces)
	}
}

// TestRequired: the error about a missing field names it, in one line.
func TestRequired(t *testing.T) {
	t.Parallel()
	good := wing.Wing{Name: "mnk", Open: ours[1].Open, IDs: ours[1].IDs}
	for field, want := range map[string]string{
		"Name": `app: family 1 of 1: wing: "": the field Name is missing: Name, Open and IDs are required`,
		"Open": `app: family 1 of 1: wing: "mnk": the field Open is missing: Name, Open and IDs are required`,
		"IDs":  `app: family 1 of 1: wing: "mnk": the field IDs is missing: Name, Open and IDs are required`,
	} {
		w := good
		reflect.ValueOf(&w).Elem().FieldByName(field).SetZero()
		if _, err := withDefaults([]family.Family{{Wing: w}}); err == nil || err.Error() != want {
			t.Errorf("without %s: %v", field, err)
		}
	}
	for want, families := range map[string][]family.Family{
		"app: no games: Main wants at least one family": nil,
		"app: two families are called mnk":              {{Wing: good}, {Wing: good}},
	} {
		if _, err := withDefaults(families); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
