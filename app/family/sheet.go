package family

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"perfectplay/internal/files"
	"perfectplay/solve/table"
)

// Sheet describes a table in a JSON file beside it, from which the table can be read and made
// again.
type Sheet struct {
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"` // checksum of the table's file
	Command string `json:"command"`
	table.Info
	NumberingInWords string `json:"numbering_in_words"`
	CodesInWords     string `json:"codes_in_words"`
}

// SheetEnd follows a table's name in the name of its sheet.
const SheetEnd = ".json"

func sumsOf(name string) string { return filepath.Join(filepath.Dir(name), "SHA256SUMS") }

// writeSheet writes the sheet of a table, and the table's line in the list of checksums.
func writeSheet(ctx context.Context, name string, info table.Info) error {
	sum, size, err := sumOf(name)
	if err != nil {
		return err
	}
	s := Sheet{filepath.Base(name), size, sum, "solve strong " + info.Game, info, table.InWords(info.Numbering), table.CodesInWords(info.Bits)}
	if info.Rules != "" {
		s.Command += " --rules " + info.Rules
	}
	if info.Distances() {
		s.Command += " --distances"
	}
	s.Command += " --table DIR"
	if err := files.Write(name+SheetEnd, func(w io.Writer) error {
		to := json.NewEncoder(w)
		to.SetEscapeHTML(false)
		to.SetIndent("", " ")
		return to.Encode(s)
	}); err != nil {
		return err
	}
	return writeSum(ctx, sumsOf(name), s.File, sum)
}

// sumOf returns the SHA-256 of a file and its size.
func sumOf(name string) (sum string, size int64, err error) {
	f, err := files.Open(name, math.MaxInt64)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// writeSum puts a file into a list in the format of sha256sum, sorted by name. It waits for
// another process that writes the list.
func writeSum(ctx context.Context, list, file, sum string) error {
	claim, err := files.Take("the list of checksums", list)
	for errors.Is(err, files.ErrInUse) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
			claim, err = files.Take("the list of checksums", list)
		}
	}
	if err != nil {
		return err
	}
	defer claim.Release()
	text, err := os.ReadFile(list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		_, of, _ := strings.Cut(line, "  ")
		return line == "" || of == file
	})
	lines = append(lines, sum+"  "+file)
	slices.SortFunc(lines, func(a, b string) int {
		_, a, _ = strings.Cut(a, "  ")
		_, b, _ = strings.Cut(b, "  ")
		return strings.Compare(a, b)
	})
	return files.Write(list, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
		return err
	})
}
