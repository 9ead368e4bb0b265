package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// table is a file of figures, each row by column.
type table struct {
	name    string
	columns []string
	rows    []map[string]string
}

func readTable(name string) (*table, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: it has no header", name)
	}
	t := &table{name: name, columns: lines[0]}
	for _, line := range lines[1:] {
		row := make(map[string]string, len(line))
		for i, cell := range line {
			row[t.columns[i]] = cell
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

func (t *table) write() error {
	var b strings.Builder
	w := csv.NewWriter(&b)
	lines := [][]string{t.columns}
	for _, row := range t.rows {
		line := make([]string, len(t.columns))
		for i, c := range t.columns {
			line[i] = row[c]
		}
		lines = append(lines, line)
	}
	if err := w.WriteAll(lines); err != nil {
		return err
	}
	return os.WriteFile(t.name, []byte(b.String()), 0o666)
}

// where returns the rows that meet conditions COLUMN=VALUE or COLUMN=VALUE|VALUE.
func (t *table) where(conditions []string) ([]map[string]string, error) {
	list := t.rows
	for _, c := range conditions {
		column, values, ok := strings.Cut(c, "=")
		if !ok || !slices.Contains(t.columns, column) {
			return nil, fmt.Errorf("%s: %q is not a condition COLUMN=VALUE on one of its columns", t.name, c)
		}
		list = slices.DeleteFunc(slices.Clone(list), func(row map[string]string) bool {
			return !slices.Contains(strings.Split(values, "|"), row[column])
		})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no row with %s", t.name, strings.Join(conditions, " "))
	}
	return list, nil
}

// grouped joins rows that follow each other with the same cells in some columns. Their other cells
// hold all values, with bars between.
func (t *table) grouped(list []map[string]string, by []string) ([]map[string]string, error) {
	for _, c := range by {
		if !slices.Contains(t.columns, c) {
			return nil, fmt.Errorf("%s: by=%s: it has no such column", t.name, c)
		}
	}
	if len(by) == 0 {
		return list, nil
	}
	var groups []map[string]string
	for _, row := range list {
		n := len(groups)
		if n == 0 || slices.ContainsFunc(by, func(c string) bool { return groups[n-1][c] != row[c] }) {
			groups = append(groups, maps.Clone(row))
			continue
		}
		for _, c := range t.columns {
			if !slices.Contains(by, c) {
				groups[n-1][c] += "|" + row[c]
			}
		}
	}
	return groups, nil
}
