package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// readSpec reads openapi.yaml.
func readSpec(t testing.TB) (*openapi3.T, routers.Router) {
	t.Helper()
	doc := must(openapi3.NewLoader().LoadFromData(spec))(t)
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router := must(legacy.NewRouter(doc))(t)
	openapi3filter.RegisterBodyDecoder("text/event-stream", func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		text, err := io.ReadAll(body)
		return string(text), err
	})
	return doc, router
}

// conforms checks a request and its answer against the description.
func conforms(t *testing.T, s *Server, router routers.Router, r *http.Request, body string) {
	t.Helper()
	route, path, err := router.FindRoute(r)
	if err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL, err)
		return
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: path, Route: route, Options: &openapi3filter.Options{SkipSettingDefaults: true}}
	if err := openapi3filter.ValidateRequest(t.Context(), in); err != nil {
		t.Errorf("%s %s: the request is not as described: %v", r.Method, r.URL, err)
	}
	if body != "" {
		r.Body = io.NopCloser(strings.NewReader(body))
	}
	w := do(s, r)
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: w.Code, Header: w.Header(), Body: io.NopCloser(bytes.NewReader(w.Body.Bytes()))}
	if err := openapi3filter.ValidateResponse(t.Context(), out); err != nil {
		t.Errorf("%s %s: the answer is not as described: %v\n%.400s", r.Method, r.URL, err, w.Body)
	}
	if w.Code != http.StatusOK {
		t.Errorf("%s %s: status %d: %s", r.Method, r.URL, w.Code, w.Body)
	}
}

// TestDescription runs the example of every path, checks its answer against its schema, and
// looks for every path of the server in the description.
func TestDescription(t *testing.T) {
	doc, router := readSpec(t)
	s := newTestServer(t, newService(t), usual, nil)
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			target, query, body := "/api/v1"+path, url.Values{}, ""
			for _, ref := range op.Parameters {
				p := ref.Value
				switch {
				case p.In == openapi3.ParameterInPath:
					target = strings.ReplaceAll(target, "{"+p.Name+"}", fmt.Sprint(p.Example))
				case p.Example != nil:
					query.Set(p.Name, fmt.Sprint(p.Example))
				}
			}
			if op.RequestBody != nil {
				example := must(json.Marshal(op.RequestBody.Value.Content["application/json"].Example))(t)
				body = string(example)
			}
			if len(query) > 0 {
				target += "?" + query.Encode()
			}
			conforms(t, s, router, request(method, target, body), body)
		}
	}
}

// TestDescribedAnswers checks answers of every kind of game and source against the schema:
// finished games, two to six seats, hands, open values.
func TestDescribedAnswers(t *testing.T) {
	doc, router := readSpec(t)
	s := newTestServer(t, newService(t), usual, nil)
	for _, target := range []string{
		"halma-star13-2p/position", "halma-star37-2p/position?rules=house&moves=b1-c4", "halma-star13-3p/position", "halma-star37-6p/position?seconds=0.2",
		"halma-star37-4p/position?seconds=0.1", "halma-star121-6p/position?seconds=0.1", "halma-4x4p3/position?rules=sturtevant", "halma-9x9p10/position?seconds=0.1",
		"mnk-3x3k3/position?position=xxx.oo1.3", "mnk-3x3k3/position?position=xox.xox.oxo", "mnk-5x5k4/position?seconds=0.2", "mnk-15x15k5/position?seconds=0.1",
		"domino/position", "domino/legal", "domino/position?position=02_12_11_0", "domino", "mnk-70x70k5", "halma-star121-6p", "halma-2x2p1?rules=filled+stay-in-goal",
		"halma-star13-1p/position", "halma-star37-1p/move?level=level-2", "halma-star121-3p/move?level=random", "domino/move?moves=4|4",
		"domino/hidden?deal=3&seat=second&player=sampling", "domino/hidden?deal=12&seat=starter&player=candidates",
		"halma-star13-2p/report?moves=a1-b2,e1-d2", "mnk-15x15k5/report?moves=h8,h9&seconds=0.1", "domino/report?moves=4|4,2|4",
		"mnk-3x3k3/setup?pieces=0,,,,1,,,,", "domino/setup?seat=second&hands=0|0_1|1,2|2&ends=0,1", "domino/position?position=deal-7",
		"halma-star13-2p/line", "mnk-3x3k3/line?position=xxx.oo1.3", "halma-star37-3p/line?seconds=0.1", "domino/line",
	} {
		conforms(t, s, router, request("GET", "/api/v1/games/"+target, ""), "")
	}
	// The data of events have no schema of their own: they are answers.
	conform(t, s, "mnk-4x4k3/analysis", doc.Components.Schemas["Answer"].Value)
}

// conform checks the data of a stream's events, except for the last one, against a schema.
func conform(t *testing.T, s *Server, target string, schema *openapi3.Schema) {
	t.Helper()
	events := readEvents(t, do(s, request("GET", "/api/v1/games/"+target, "")).Body)
	if len(events) < 2 || events[len(events)-1].name != "end" {
		t.Fatalf("%s: %d events", target, len(events))
	}
	for _, ev := range events[:len(events)-1] {
		var v any
		if err := json.Unmarshal([]byte(ev.data), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.VisitJSON(v); err != nil {
			t.Errorf("%s: event %s: %v", target, ev.id, err)
		}
	}
}

// TestDescribedOutlooks checks the events of outlooks against the schema.
func TestDescribedOutlooks(t *testing.T) {
	doc, _ := readSpec(t)
	s := newTestServer(t, newService(t), usual, nil)
	schema := doc.Components.Schemas["Outlook"].Value
	for _, target := range []string{"halma-star121-6p/outlook?seconds=0.3", "halma-star73-2p/outlook?limit=2", "mnk-15x15k5/outlook?limit=1&moves=h8,a1,h9,a3,h10", "halma-star121-1p/outlook?limit=1"} {
		conform(t, s, target, schema)
	}
	for target, want := range map[string]int{
		"mnk-3x3k3/outlook?position=xxx.oo1.3": 200, "mnk-3x3k3/outlook?moves=zz": 400, "mnk-3x3k3/setup?pieces=0": 400, "mnk-3x3k3/setup?pieces=0,x": 400,
		"halma-star13-2p/setup?pieces=9,,,,,,,,,,,,": 400, "domino/report?moves=9|9": 400, "mnk-3x3k3/report?seconds=61": 400, "chess/outlook": 404,
	} {
		if w := do(s, request("GET", "/api/v1/games/"+target, "")); w.Code != want {
			t.Errorf("%s: status %d, want %d: %s", target, w.Code, want, w.Body)
		}
	}
}

// TestDescriptionIsStrict: answers with a field more or less, or with an unknown word, do not
// conform.
func TestDescriptionIsStrict(t *testing.T) {
	doc, _ := readSpec(t)
	s := newTestServer(t, newService(t), usual, nil)
	answer := do(s, request("GET", "/api/v1/games/mnk-3x3k3/position?moves=b2", "")).Body.Bytes()
	schema := doc.Components.Schemas["Answer"].Value
	for name, change := range map[string]func(map[string]any){
		"":           func(map[string]any) {},
		"less":       func(a map[string]any) { delete(a, "distance") },
		"more":       func(a map[string]any) { a["depth"] = 1.0 },
		"word":       func(a map[string]any) { a["value"] = "unknown" },
		"text":       func(a map[string]any) { a["distance"] = "7" },
		"move":       func(a map[string]any) { a["moves"] = []any{map[string]any{"move": "a1"}} },
		"negative":   func(a map[string]any) { a["distance"] = -1.0 },
		"no picture": func(a map[string]any) { a["picture"] = map[string]any{} },
	} {
		var v map[string]any
		if err := json.Unmarshal(answer, &v); err != nil {
			t.Fatal(err)
		}
		change(v)
		if err := schema.VisitJSON(v); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
