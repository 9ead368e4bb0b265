package serve

import (
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// example is a request of docs/serve.md and the output shown below it.
type example struct {
	line   int
	target string
	body   string
	want   string
}

// curl is a request as the page shows it.
var curl = regexp.MustCompile(`^\$ curl (?:-N )?(?:-d '([^']*)' -H 'Content-Type: application/json' )?'http://localhost:8080(/[^']*)'$`)

// examples reads docs/serve.md.
func examples(t *testing.T) (list []example) {
	t.Helper()
	text := must(os.ReadFile("../../docs/serve.md"))(t)
	inside := false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && strings.HasPrefix(line, "$"):
			m := curl.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("docs/serve.md:%d: %s: the test cannot read it", i+1, line)
			}
			list = append(list, example{line: i + 1, body: m[1], target: m[2]})
		case inside:
			list[len(list)-1].want += line + "\n"
		}
	}
	return list
}

// within reports whether an answer holds everything shown: fields of objects, and the first
// elements of arrays.
func within(shown, answer any) bool {
	switch shown := shown.(type) {
	case map[string]any:
		all, ok := answer.(map[string]any)
		for name, v := range shown {
			one, has := all[name]
			ok = ok && has && within(v, one)
		}
		return ok
	case []any:
		all, ok := answer.([]any)
		for i, v := range shown {
			ok = ok && i < len(all) && within(v, all[i])
		}
		return ok
	}
	return reflect.DeepEqual(shown, answer)
}

// holds reports whether an answer in JSON holds what the page shows.
func holds(t *testing.T, shown, answer string) bool {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(shown), &a); err != nil {
		t.Fatalf("%v: %s", err, shown)
	}
	return json.Unmarshal([]byte(answer), &b) == nil && within(a, b)
}

// TestDocs makes the requests of docs/serve.md and compares.
func TestDocs(t *testing.T) {
	s := newTestServer(t, newService(t), usual, nil)
	list := examples(t)
	if len(list) < 10 {
		t.Fatalf("found %d examples", len(list))
	}
	for _, x := range list {
		method := http.MethodGet
		if x.body != "" {
			method = http.MethodPost
		}
		w := do(s, request(method, x.target, x.body))
		got := w.Body.String()
		ok := false
		switch kind := w.Header().Get("Content-Type"); kind {
		case "application/json":
			ok = holds(t, x.want, got)
		case "text/event-stream":
			events := readEvents(t, strings.NewReader(got))
			shown := readEvents(t, strings.NewReader(strings.ReplaceAll(x.want, "\nevent", "\n\nevent")))
			ok = len(shown) > 0
			for i, j := 0, 0; i < len(shown); i, j = i+1, j+1 {
				for j < len(events) && (events[j].name != shown[i].name || shown[i].data != "" && !holds(t, shown[i].data, events[j].data)) {
					j++
				}
				ok = ok && j < len(events)
			}
		default:
			ok = strings.HasPrefix(got, strings.TrimSpace(x.want))
		}
		if !ok {
			t.Errorf("docs/serve.md:%d: status %d: %.2000s", x.line, w.Code, got)
		}
	}
}
