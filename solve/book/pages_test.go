//go:build !js && !wasip1

package book

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// storeOf makes a store with shelves of n entries each, and removes some again, so that it has
// branch pages and free pages.
func storeOf(t testing.TB, entries int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "store")
	db, err := bolt.Open(name, 0o666, &bolt.Options{PageSize: 4096})
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int{0, entries / 2} {
		err := db.Update(func(tx *bolt.Tx) error {
			for _, shelf := range []string{"one", "two"} {
				b, err := tx.CreateBucketIfNotExists([]byte(shelf))
				for i := from; i < entries && err == nil; i++ {
					if err = b.Put(fmt.Appendf(nil, "%06d", i), make([]byte, 40)); err == nil && i%3 == 0 {
						err = b.Delete(fmt.Appendf(nil, "%06d", i/2))
					}
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPages: a file written by the store is sound; a page that leads to itself, a free page in use
// and an empty page are named, and never followed.
func TestPages(t *testing.T) {
	for _, entries := range []int{0, 3, 3000} {
		if err := checkPages(storeOf(t, entries)); err != nil {
			t.Errorf("%d entries: %v", entries, err)
		}
	}
	name := storeOf(t, 3000)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const size = 4096
	for id := range 2 { // the store itself would take the other of the two pages
		bad := append([]byte{}, good...)
		bad[id*size+pageHeader] ^= 1 << 2
		if err := os.WriteFile(name, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if b, err := Open(name, false); err == nil || !strings.Contains(err.Error(), "one of its two first pages is damaged") {
			t.Errorf("page %d: opened as %v, %v", id, b, err)
		}
	}
	kinds := map[string]int{}
	for id := uint64(2); id < uint64(len(good)/size); id++ {
		page := good[id*size:]
		if binary.LittleEndian.Uint64(page) != id {
			continue
		}
		bad := append([]byte{}, good...)
		damage, want := "", ""
		switch binary.LittleEndian.Uint16(page[8:]) {
		case branchPage:
			damage, want = "leads to itself", "in use twice"
			binary.LittleEndian.PutUint64(bad[id*size+pageHeader+8:], id)
		case leafPage:
			damage, want = "is empty", "is damaged"
			binary.LittleEndian.PutUint16(bad[id*size+10:], 0)
		case freePage:
			damage, want = "frees the root", "is said to be free"
			for i := range uint64(2) {
				copy(bad[id*size+pageHeader:], bad[i*size+pageHeader+16:i*size+pageHeader+24])
			}
		}
		if err := os.WriteFile(name, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		err := checkPages(name)
		if err != nil && strings.Contains(err.Error(), want) {
			kinds[damage]++
		}
		if b, opened := Open(name, false); err != nil && (opened == nil || !strings.Contains(opened.Error(), "damaged: "+err.Error())) {
			t.Errorf("page %d, %v: opened as %v, %v", id, err, b, opened)
		}
	}
	if kinds["leads to itself"] == 0 || kinds["is empty"] == 0 || kinds["frees the root"] == 0 {
		t.Errorf("found %v", kinds)
	}
}

// TestSparse: a small file that claims to be long is refused and takes no memory for the claim,
// whether its pages were never written or one of them claims all others as its overflow.
func TestSparse(t *testing.T) {
	const size, long = 4096, 64 << 30
	name := storeOf(t, 3)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		length uint64
		page   bool // claims all others as its overflow
		want   string
	}{
		{long, false, "are on the disk"},
		{long, true, "are on the disk"},
		{32 << 20, false, "are neither free nor in use"},
		{32 << 20, true, "is damaged"},
	} {
		bad := append([]byte{}, good...)
		for id := range 2 {
			meta := bad[id*size+pageHeader:]
			binary.LittleEndian.PutUint64(meta[40:], c.length/size)
			sum := fnv.New64a()
			sum.Write(meta[:56])
			binary.LittleEndian.PutUint64(meta[56:], sum.Sum64())
			if root := binary.LittleEndian.Uint64(meta[16:]); c.page {
				binary.LittleEndian.PutUint32(bad[root*size+12:], uint32(c.length/size-root-1))
			}
		}
		if err := errors.Join(os.Remove(name), os.WriteFile(name, bad, 0o666), os.Truncate(name, int64(c.length))); err != nil {
			t.Skipf("no file of this length: %v", err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := checkPages(name)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bytes: %v", c.length, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%d bytes: took %d bytes of memory to say %v", c.length, took, err)
		}
	}
}

// TestPagesAnyDamage: for any contents of the pages, the check and every operation of a book end.
func TestPagesAnyDamage(t *testing.T) {
	name := storeOf(t, 1000)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	named := 0
	for range 300 {
		bad := append([]byte{}, good...)
		page := random.IntN(len(bad) / 4096)
		for range 1 + random.IntN(3) {
			bad[page*4096+random.IntN(64)] = byte(random.Uint32())
		}
		if err := os.WriteFile(name, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if checkPages(name) != nil {
			named++
		}
		if b, err := Open(name, true); err == nil {
			_ = b.Each(func(Item) error { return nil })
			_ = b.Close()
		}
	}
	if named < 50 { // the others are in free pages, or inside entries
		t.Errorf("%d of 300 damages were named", named)
	}
}
