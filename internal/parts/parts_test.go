package parts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfectplay/internal/blocks"
)

func environment(text string) func(string) string {
	set := map[string]string{}
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		set[name] = value
	}
	return func(name string) string { return set[name] }
}

func TestParse(t *testing.T) {
	const slurm = "SLURM_ARRAY_TASK_ID=%d SLURM_ARRAY_TASK_COUNT=%d SLURM_ARRAY_TASK_MIN=%d SLURM_ARRAY_TASK_MAX=%d SLURM_ARRAY_TASK_STEP=%d"
	for _, c := range []struct {
		text, env string
		want      Part // the zero part if the text is refused
	}{
		{"1/1", "", Part{1, 1}},
		{"3/64", "SLURM_ARRAY_TASK_ID=5", Part{3, 64}},
		{"100000/100000", "", Part{100000, 100000}},
		{"0/4", "", Part{}},
		{"5/4", "", Part{}},
		{"1/100001", "", Part{}},
		{"4", "", Part{}},
		{"a/4", "", Part{}},
		{"4/", "", Part{}},
		{"", "", Part{}},
		{"auto", "", Part{}},
		{"auto/8", "", Part{}},
		{"auto", fmt.Sprintf(slurm, 3, 8, 1, 8, 1), Part{3, 8}},
		{"auto", fmt.Sprintf(slurm, 0, 8, 0, 7, 1), Part{1, 8}},
		{"auto", fmt.Sprintf(slurm, 14, 4, 10, 16, 2), Part{3, 4}},
		{"auto", fmt.Sprintf(slurm, 7, 2, 3, 7, 1), Part{}}, // --array=3,7 submits only two tasks of eight, which without N are no whole job
		{"auto/8", fmt.Sprintf(slurm, 7, 2, 3, 7, 1), Part{7, 8}},
		{"auto/8", fmt.Sprintf(slurm, 0, 8, 0, 7, 1), Part{}}, // with auto/N the tasks must be numbered from 1
		{"auto/8", fmt.Sprintf(slurm, 9, 9, 1, 9, 1), Part{}},
		{"auto/x", fmt.Sprintf(slurm, 1, 9, 1, 9, 1), Part{}},
		{"auto/0", fmt.Sprintf(slurm, 1, 9, 1, 9, 1), Part{}},
		{"auto/8", "JOB_COMPLETION_INDEX=0", Part{1, 8}},
		{"auto/8", "JOB_COMPLETION_INDEX=8", Part{}},
		{"auto", "JOB_COMPLETION_INDEX=7 JOB_COMPLETIONS=8", Part{8, 8}},
		{"auto", "JOB_COMPLETION_INDEX=7", Part{}},
		{"auto", "SLURM_ARRAY_TASK_ID=x", Part{}},
	} {
		got, err := Parse(c.text, environment(c.env))
		if c.want == (Part{}) {
			if err == nil {
				t.Errorf("%q with %s is part %v", c.text, c.env, got)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%q with %s: %v, %v, want %v", c.text, c.env, got, err, c.want)
		}
	}
}

// TestDivide: every task is in one part, and the parts cost the same up to the costliest task.
func TestDivide(t *testing.T) {
	for _, costs := range [][]float64{{}, {1}, {0, 0, 0, 0, 0, 0}, {5, 1, 1, 1, 1, 1}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1, 1}} {
		var tasks []Task
		most, sum := 0.0, 0.0
		for i, c := range costs {
			tasks = append(tasks, Task{fmt.Sprint(i), c})
			most, sum = max(most, c), sum+c
		}
		for n := 1; n <= 8; n++ {
			seen := make([]int, len(tasks))
			for p, share := range Divide(tasks, n) {
				load := 0.0
				for k, i := range share {
					seen[i]++
					load += costs[i]
					if k > 0 && costs[i] > costs[share[k-1]] {
						t.Errorf("%v in %d: part %d has %v out of order", costs, n, p, share)
					}
				}
				if load > sum/float64(n)+most {
					t.Errorf("%v in %d: part %d costs %v", costs, n, p, load)
				}
				if even := (len(tasks) + n - 1) / n; sum == 0 && len(share) > even {
					t.Errorf("%v in %d: part %d has %d tasks of equal cost", costs, n, p, len(share))
				}
			}
			for i, k := range seen {
				if k != 1 {
					t.Errorf("%v in %d: task %d is in %d parts", costs, n, i, k)
				}
			}
		}
	}
}

func TestMissing(t *testing.T) {
	have := func(list ...int) func(int) bool { return func(i int) bool { return slices.Contains(list, i) } }
	for want, got := range map[string]string{
		"": missing(3, have(1, 2, 3)), "1–3": missing(3, have()), "2": missing(3, have(1, 3)), "1, 3–5, 8": missing(8, have(2, 6, 7)),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// job writes five tasks in three parts as files in a directory.
func job(t *testing.T, change func(f *File)) (names []string, all Job, tasks []Task) {
	t.Helper()
	dir := t.TempDir()
	for i := range 5 {
		tasks = append(tasks, Task{fmt.Sprint("task ", i), float64(i)})
	}
	all = NewJob([]string{"count", "halma-star37-2p", "--depth=3"}, "v1", tasks)
	for p, share := range Divide(tasks, 3) {
		f := &File{Header: Header{Job: all, I: p + 1, N: 3, Share: len(share)}}
		for _, i := range share {
			f.Results = append(f.Results, Result{tasks[i].Name, 0.5, json.RawMessage(fmt.Sprint(i * i))})
		}
		if change != nil {
			change(f)
		}
		name := filepath.Join(dir, all.Name(f.Part()))
		if err := f.Save(name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names, all, tasks
}

func TestGather(t *testing.T) {
	names, all, tasks := job(t, nil)
	if base := filepath.Base(names[2]); !strings.HasPrefix(base, "count-halma-star37-2p-") || !strings.HasSuffix(base, ".3-of-3.part") {
		t.Errorf("the third part is %s", base)
	}
	w, err := Gather([]string{names[2], names[0], names[1]})
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.Of(all, tasks)
	if err != nil || len(list) != 5 || string(list[4]) != "16" || string(list[1]) != "1" {
		t.Errorf("%s, %v", list, err)
	}
	for why, other := range map[string]Job{
		"not to":  NewJob([]string{"count", "--depth=4"}, "v1", tasks),
		"version": NewJob(all.Command, "v2", tasks),
		"tasks":   NewJob(all.Command, "v1", append([]Task{{"more", 1}}, tasks...)),
	} {
		if _, err := w.Of(other, tasks); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("another job: %v, want %q", err, why)
		}
	}
}

// TestGatherRefuses: the error names all that is missing or wrong.
func TestGatherRefuses(t *testing.T) {
	names, _, _ := job(t, nil)
	foreign, _, _ := job(t, func(f *File) { f.Command = []string{"count", "other"} })
	newer, _, _ := job(t, func(f *File) { f.Program = "v2" })
	less, _, _ := job(t, func(f *File) { f.Results = f.Results[1:] })
	text, err := os.ReadFile(names[1])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name string, text []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	short := file("short", text[:len(text)-9])
	empty := file("empty", nil)
	other := file("other", []byte("my letters to somebody\n"))
	for _, c := range []struct {
		names []string
		want  []string
	}{
		{nil, []string{"no parts"}},
		{names[:2], []string{"missing of 3: 3"}},
		{names[1:2], []string{"missing of 3: 1, 3"}},
		{[]string{names[0], names[1], names[2], names[1]}, []string{"part 2/3 is the same as"}},
		{[]string{names[0], short, names[2]}, []string{short, "the end is missing", "missing of 3: 2"}},
		{[]string{names[0], empty, other}, []string{empty, other, "this is no part file", "missing of 3: 2–3"}},
		{[]string{names[0], foreign[1], names[2]}, []string{foreign[1], `"count other"`, "missing of 3: 2"}},
		{[]string{names[0], newer[1], names[2]}, []string{newer[1], "version v2", "missing of 3: 2"}},
		{[]string{names[0], less[1], names[2]}, []string{less[1], "part 2/3 is not complete: 1 of 2 tasks"}},
		{[]string{filepath.Join(dir, "none"), names[0]}, []string{"none", "missing of 3: 2–3"}},
	} {
		_, err := Gather(c.names)
		if err == nil {
			t.Errorf("%v make a whole", c.names)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v, want %q", c.names, err, want)
			}
		}
	}
}

// TestOlder: a part of an older version is refused with the remedy.
func TestOlder(t *testing.T) {
	name := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(name, []byte("perfectplay part 2\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(name); err == nil || !strings.Contains(err.Error(), "finish and merge its job") {
		t.Error(err)
	}
}

// FuzzLoad: a file with a right checksum that loads is written and read again the same.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		`{"command":["a"],"program":"p","tasks":1,"digest":"","part":1,"parts":1,"share":1,"done":0}`,
		`{"command":["a"],"program":"p","tasks":1,"digest":"","part":1,"parts":1,"share":1,"done":1,"results":[{"task":"x","seconds":1,"result":{"a":[1]}}]}`,
		`{"part":1,"parts":0}`, "\n", "",
	} {
		f.Add([]byte(text))
	}
	name := filepath.Join(f.TempDir(), "part")
	if err := new(File).Save(name); err != nil {
		f.Fatal(err)
	}
	empty, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(name, blocks.Forge(empty, func([]byte) []byte { return text }), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Load(name)
		if err != nil {
			return
		}
		if err := a.Save(name); err != nil {
			t.Fatal(err)
		}
		b, err := Load(name)
		if err != nil || !reflect.DeepEqual(a.Header, b.Header) || len(a.Results) != len(b.Results) {
			t.Fatalf("%q is read as %+v, then as %+v: %v", text, a, b, err)
		}
	})
}

// FuzzParse: any text that reads as a part prints as a text that reads the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"1/1", "3/64", "0/1", "2/1", "-1/3", "1/", "/", "1", "+1/2", "01/2", "1/2/3", "9223372036854775807/9223372036854775807", "99999999999999999999/1", "auto", "auto/7", "auto/-1"} {
		f.Add(text, 2)
	}
	f.Fuzz(func(t *testing.T, text string, id int) {
		p, err := Parse(text, environment(fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", id)))
		if err != nil {
			return
		}
		if p.Check() != nil {
			t.Fatalf("%q is part %v", text, p)
		}
		if again, err := Parse(p.String(), environment("")); err != nil || again != p {
			t.Fatalf("%q is %v, and then %v: %v", text, p, again, err)
		}
	})
}
