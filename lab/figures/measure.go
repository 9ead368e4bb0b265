package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
)

// measure runs the commands of the rows that meet conditions, and writes the table after each.
func measure(name string, conditions []string) error {
	t, err := readTable(name)
	if err != nil {
		return err
	}
	list, err := t.where(conditions)
	if err != nil {
		return err
	}
	bin, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	build := exec.Command("go", "build", "-o", bin, "perfectplay/cmd/solve", "perfectplay/cmd/lab")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the programs: %w", err)
	}
	commit, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return fmt.Errorf("asking git for the commit: %w", err)
	}
	for _, row := range list {
		if row["command"] == "" {
			continue
		}
		fmt.Fprintln(os.Stderr, row["command"])
		if err := fill(t.columns, row, bin); err != nil {
			return fmt.Errorf("%s: %w", row["command"], err)
		}
		set(t.columns, row, "machine", machine())
		set(t.columns, row, "commit", strings.TrimSpace(string(commit)))
		set(t.columns, row, "date", time.Now().UTC().Format(time.DateOnly))
		if err := t.write(); err != nil {
			return err
		}
	}
	return nil
}

// set fills a column if the table has it.
func set(columns []string, row map[string]string, column, value string) {
	if slices.Contains(columns, column) {
		row[column] = value
	}
}

// fill runs the commands of a row and takes the columns from their answers.
func fill(columns []string, row map[string]string, bin string) error {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i, command := range strings.Split(row["command"], " && ") {
		words := strings.Fields(command)
		cmd := exec.Command(filepath.Join(bin, words[0]), append(words[1:], "--json")...)
		cmd.Dir = dir
		var out, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%w: %s", err, stderr.Bytes())
		}
		answer, err := first(out.Bytes())
		if err != nil {
			return err
		}
		prefix := ""
		if i > 0 {
			prefix = strconv.Itoa(i+1) + ":"
		}
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		set(columns, row, prefix+"processor_seconds", strconv.FormatFloat(cpu.Seconds(), 'g', 3, 64))
		set(columns, row, prefix+"peak_bytes", peak(cmd.ProcessState))
		for _, column := range columns {
			path, ok := strings.CutPrefix(column, prefix)
			if !ok || i == 0 && strings.Contains(column, ":") {
				continue
			}
			if value, ok := lookup(answer, strings.Split(path, ".")); ok {
				row[column] = value
			}
		}
	}
	for _, column := range columns {
		if file, ok := strings.CutPrefix(column, "file:"); ok {
			info, err := os.Stat(filepath.Join(dir, file))
			if err != nil {
				return err
			}
			row[column] = strconv.FormatInt(info.Size(), 10)
		}
	}
	return nil
}

// first returns the first record of an answer.
func first(out []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(out))
	d.UseNumber()
	var answer any
	if err := d.Decode(&answer); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	return answer, nil
}

// lookup finds a value by its path of keys and indices. * stands for all elements, last for the
// index of the last element that is not 0.
func lookup(v any, path []string) (string, bool) {
	if len(path) == 0 {
		switch v := v.(type) {
		case nil:
			return "", true
		case map[string]any, []any:
			return "", false
		default:
			return fmt.Sprint(v), true
		}
	}
	switch v := v.(type) {
	case map[string]any:
		next, ok := v[path[0]]
		if !ok {
			return "", false
		}
		return lookup(next, path[1:])
	case []any:
		if path[0] == "*" {
			var list []string
			for _, e := range v {
				s, ok := lookup(e, path[1:])
				if !ok {
					return "", false
				}
				list = append(list, s)
			}
			return strings.Join(list, " "), true
		}
		if path[0] == "last" {
			last := 0
			for i, e := range v {
				if fmt.Sprint(e) != "0" {
					last = i
				}
			}
			return strconv.Itoa(last), true
		}
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(v) {
			return lookup(v[i], path[1:])
		}
	}
	return "", false
}

// peak is the peak of a process's resident memory in bytes, empty if unknown.
func peak(s *os.ProcessState) string {
	usage := reflect.Indirect(reflect.ValueOf(s.SysUsage()))
	if runtime.GOOS != "linux" || usage.Kind() != reflect.Struct {
		return ""
	}
	return strconv.FormatInt(usage.FieldByName("Maxrss").Int()<<10, 10)
}

// machine names the processor and how many threads Go may use.
func machine() string {
	name := runtime.GOARCH
	if cpu := cpuid.CPU; cpu.BrandName != "" {
		name = fmt.Sprintf("%s, family %d", cpu.BrandName, cpu.Family)
	}
	return fmt.Sprintf("%s, %d threads", name, runtime.GOMAXPROCS(0))
}

var errUsage = errors.New("want pages FILES OR DIRECTORIES, or measure FILE [COLUMN=VALUE...]")
