package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/template"
)

type pages struct {
	dir    string
	tables map[string]*table
}

var (
	inline = regexp.MustCompile(`(<!-- ([a-z-]+\.csv)([^:\n]*): (\{\{.*?) -->)(.*?)(<!-- / -->)`)
	body   = regexp.MustCompile(`(?m)^(<!-- rows ([a-z-]+\.csv)([^:\n]*): (.*) -->\n\n?\|.*\n\|[-:| ]*\n)((?:\|.*\n)*)`)
	mark   = regexp.MustCompile(`<!-- (rows )?[a-z-]+\.csv`)
)

// render returns a document with the text of all its marks filled.
func (p *pages) render(text string) (string, error) {
	var errs []error
	found := 0
	replace := func(marked *regexp.Regexp, fill func(m, cells []string) (string, error)) {
		text = marked.ReplaceAllStringFunc(text, func(s string) string {
			m := marked.FindStringSubmatch(s)
			found++
			cells, err := p.cells(m[2], m[3], m[4])
			if err == nil {
				s, err = fill(m, cells)
			}
			if err != nil {
				errs = append(errs, err)
			}
			return s
		})
	}
	replace(body, func(m, cells []string) (string, error) {
		return m[1] + "| " + strings.Join(cells, " |\n| ") + " |\n", nil
	})
	replace(inline, func(m, cells []string) (string, error) {
		if len(cells) > 1 {
			return m[0], fmt.Errorf("%s:%s: %d rows where one is wanted", m[2], m[3], len(cells))
		}
		return m[1] + cells[0] + m[6], nil
	})
	if n := len(mark.FindAllString(text, -1)); n != found {
		errs = append(errs, fmt.Errorf("%d marks are not well-formed", n-found))
	}
	return text, errors.Join(errs...)
}

// cells fills the template of a mark for each of its rows.
func (p *pages) cells(name, conditions, text string) ([]string, error) {
	t := p.tables[name]
	if t == nil {
		var err error
		if t, err = readTable(filepath.Join(p.dir, name)); err != nil {
			return nil, err
		}
		p.tables[name] = t
	}
	words := strings.Fields(conditions)
	var by []string
	if len(words) > 0 && strings.HasPrefix(words[0], "by=") {
		by, words = strings.Split(words[0][len("by="):], "+"), words[1:]
	}
	list, err := t.where(words)
	if err != nil {
		return nil, err
	}
	if list, err = t.grouped(list, by); err != nil {
		return nil, err
	}
	cells, err := execute(text, list...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cells, nil
}

func execute(text string, list ...map[string]string) (filled []string, err error) {
	t, err := template.New("").Option("missingkey=error").Funcs(formats).Parse(text)
	if err != nil {
		return nil, err
	}
	for _, row := range list {
		var b strings.Builder
		if err := t.Execute(&b, row); err != nil {
			return nil, err
		}
		filled = append(filled, b.String())
	}
	return filled, nil
}

// formats are the functions of a mark. An empty cell stays empty.
var formats = template.FuncMap{
	"n":        grouped,
	"secs":     seconds,
	"size":     size,
	"pct":      percent,
	"sig":      significant,
	"fields":   strings.Fields,
	"millions": func(cell string) string { return significant("2", fmt.Sprint(number(cell)/1e6)) },
	"openings": openings,
	"count": func(word, cell string) int {
		return strings.Count(" "+strings.Join(strings.Fields(cell), "  ")+" ", " "+word+" ")
	},
	"alone": alone,
	"max": func(cell string) string {
		most := ""
		for _, v := range strings.Fields(cell) {
			if len(v) > len(most) || len(v) == len(most) && v > most {
				most = v
			}
		}
		return most
	},
	"signed": func(digits int, cell string) string {
		return strings.Replace(fmt.Sprintf("%+.*f", digits, number(cell)), "-", "−", 1)
	},
	"sci":      scientific,
	"outcomes": outcomes,
	"first":    func(cell string) string { one, _, _ := strings.Cut(cell, "|"); return one },
	"last":     func(cell string) string { return cell[strings.LastIndexByte(cell, '|')+1:] },
	"span":     span,
	"over":     func(a, b string) string { return fmt.Sprint(number(a) / number(b)) },
}

// number returns the number in a cell, NaN if there is no number.
func number(cell string) float64 {
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// grouped writes a number with commas between the thousands.
func grouped(cell string) string {
	whole, after, point := strings.Cut(cell, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + after
	}
	return whole
}

// seconds writes a time with two digits, in minutes from five and in hours from two on.
func seconds(cell string) string {
	x := number(cell)
	switch {
	case cell == "":
		return ""
	case x < 0.05:
		return "0.05 s"
	case x < 300:
		return significant("2", cell) + " s"
	case x < 7200:
		return significant("2", fmt.Sprint(x/60)) + " min"
	}
	return significant("2", fmt.Sprint(x/3600)) + " h"
}

func size(cell string) string {
	x := number(cell)
	switch {
	case cell == "":
		return ""
	case x < 1<<20:
		return significant("2", fmt.Sprint(x/(1<<10))) + " KiB"
	case x < 1<<30:
		return significant("2", fmt.Sprint(x/(1<<20))) + " MiB"
	}
	return significant("2", fmt.Sprint(x/(1<<30))) + " GiB"
}

func percent(digits int, part, whole string) string {
	return strconv.FormatFloat(100*number(part)/number(whole), 'f', digits, 64)
}

// significant rounds to a number of significant digits, but never digits before the point.
func significant(digits, cell string) string {
	if cell == "" {
		return ""
	}
	x := number(cell)
	after, _ := strconv.Atoi(digits)
	if x != 0 {
		after -= 1 + int(math.Floor(math.Log10(math.Abs(x))))
	}
	return grouped(strconv.FormatFloat(x, 'f', max(after, 0), 64))
}

func openings(value, moves, values string) string {
	var list []string
	of := strings.Fields(values)
	for i, m := range strings.Fields(moves) {
		if of[i] == value {
			list = append(list, m)
		}
	}
	return strings.Join(list, ", ")
}

// alone takes the numbers of each seat alone, as many as the game's id has, from a list of all
// sets of seats.
func alone(game string, all string) (string, error) {
	seats := int(game[len(game)-2] - '0')
	list := strings.Fields(all)
	if len(list) < seats {
		return "", fmt.Errorf("%s has %d seats, and the list %q", game, seats, all)
	}
	return strings.Join(list[:seats], ", "), nil
}

// outcomes lists the results of one engine's searches in grouped rows: the plies to a loss, or the
// value. Values with a second proof are bold.
func outcomes(engine string, row map[string]string) string {
	column := func(name string) []string { return strings.Split(row[name], "|") }
	var list []string
	for i, algo := range column("algo") {
		if (algo == "maxn") != (engine == "maxn") {
			continue
		}
		distance, winner := column("distance")[i], column("winner")[i]
		text := distance
		switch value := column("value")[i]; {
		case value == "open":
			text = "> " + column("not_within")[i]
		case winner != "":
			text = "seat " + winner + " in " + distance
		case value == "draw":
			text = "draw"
		case value == "win":
			text = "wins in " + distance
		}
		if column("second_value")[i] != "" {
			text = "**" + text + "**"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func scientific(cell string) string {
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(number(cell), 'e', 1, 64), "e")
	exponent, _ := strconv.Atoi(power)
	if exponent > -3 && exponent < 3 {
		return significant("2", cell)
	}
	return mantissa + "·10" + strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0']
	}, strconv.Itoa(exponent))
}

// span writes an interval with enough digits to tell its ends apart, rounded outwards.
func span(low, high string) (string, error) {
	a, b := number(low), number(high)
	if !(a < b) {
		return "", fmt.Errorf("%q to %q is not an interval", low, high)
	}
	unit := math.Pow(10, math.Floor(math.Log10(b-a)))
	after := int(max(0, -math.Floor(math.Log10(unit))))
	return fmt.Sprintf("%.*f to %.*f", after, math.Floor(a/unit)*unit, after, math.Ceil(b/unit)*unit), nil
}
