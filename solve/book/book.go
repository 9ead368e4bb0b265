//go:build !js && !wasip1

package book

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"perfectplay/game"
	"perfectplay/solve"
)

// Book is a file of facts. It is safe for concurrent use, and other processes may use the file
// at the same time.
type Book struct {
	name     string
	writable bool
	writing  sync.Mutex

	mu      sync.Mutex           // guards the fields below
	shelves map[[2]string]string // names of shelves, by id and rules of the game
	learned map[entry]learned    // facts not written yet
	err     error                // the first error of writing
	sound   bool                 // the pages have been checked
}

type entry struct{ shelf, key string }

// learned is a fact and its position.
type learned struct {
	solve.Fact
	notes Notes
	text  string
}

const (
	patience    = 30 * time.Second // longest wait for other processes
	between     = time.Second      // delay between the first new fact and its writing
	mostLearned = 10000            // new facts written at once
	mostRead    = 128 << 10        // bytes of facts read at a time
	mostTouched = 96               // most parts that a writing transaction has in memory
	touchBytes  = 64 << 10         // bytes of a part; the system maps each part as a whole
)

// Open returns the book in a file, for reading or also for writing. To write, it makes a missing
// file, and the book must be closed.
func Open(name string, write bool) (*Book, error) {
	if write {
		if err := create(name); err != nil {
			return nil, err
		}
	}
	b := &Book{name: name, writable: write, shelves: map[[2]string]string{}, learned: map[entry]learned{}}
	if err := b.transact(true, func(*bolt.Tx) error { return nil }); err != nil {
		return nil, err
	}
	return b, nil
}

// create makes an empty book if the file is missing or empty; a process killed here leaves an
// empty file.
func create(name string) error {
	if stat, err := os.Stat(name); err == nil && (stat.Size() > 0 || !stat.Mode().IsRegular()) {
		return nil
	}
	db, err := bolt.Open(name, 0o666, &bolt.Options{Timeout: patience})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		return fmt.Errorf("book %s: %w", name, err)
	}
	return nil
}

// transact opens the file for one operation. If the store panics on damaged pages, or reads beyond
// the file, transact returns an error.
func (b *Book) transact(readOnly bool, do func(*bolt.Tx) error) (err error) {
	var db *bolt.DB
	defer func(was bool) {
		debug.SetPanicOnFault(was)
		if r := recover(); r != nil {
			err = b.wrap(fmt.Errorf("damaged: %v", r))
		}
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}(debug.SetPanicOnFault(true))
	if db, err = b.open(readOnly); err != nil {
		return err
	}
	if readOnly {
		return db.View(do)
	}
	if err = db.Update(do); err != nil {
		err = b.wrap(err)
	}
	return err
}

// open opens the file, and checks its pages the first time.
func (b *Book) open(readOnly bool) (*bolt.DB, error) {
	stat, err := os.Stat(b.name)
	if err == nil && !stat.Mode().IsRegular() {
		err = errors.New("not a regular file")
	} else if err == nil && stat.Size() == 0 {
		err = errors.New("not a book: the file is empty")
	}
	if err != nil {
		return nil, b.wrap(err)
	}
	db, err := bolt.Open(b.name, 0o666, &bolt.Options{ReadOnly: readOnly, Timeout: patience})
	if err != nil {
		return nil, b.wrap(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.sound { // checked while the file is locked
		if err := checkPages(b.name); err != nil {
			return nil, b.wrap(errors.Join(fmt.Errorf("damaged: %w", err), db.Close()))
		}
		b.sound = true
	}
	return db, nil
}

// wrap names the book in an error of the store.
func (b *Book) wrap(err error) error {
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.Is(err, bolterrors.ErrTimeout):
		err = errors.New("another process holds it")
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		err = fmt.Errorf("not a book, or a damaged one: %w", err)
	}
	return fmt.Errorf("book %s: %w", b.name, err)
}

func (b *Book) shelf(g game.Game) (string, error) {
	id := [2]string{g.ID(), g.Rules()}
	b.mu.Lock()
	defer b.mu.Unlock()
	if name, ok := b.shelves[id]; ok {
		return name, nil
	}
	s, err := ShelfOf(g)
	if err == nil {
		b.shelves[id] = s.name()
	}
	return b.shelves[id], err
}

func about(shelf string, key []byte, err error) error {
	s, _ := parseShelf(shelf)
	return fmt.Errorf("%s %s: fact %x: %w", s.Game, s.Rules, key, err)
}

// Facts calls f with each fact about a game that the file holds, see [solve.Book].
func (b *Book) Facts(g game.Game, hero int, f func(key []uint64, fact solve.Fact)) error {
	return b.Noted(g, hero, func(it Item) error { f(it.Key, it.Fact); return nil })
}

// Noted calls f with each fact about a game in the file, and its notes, until f returns an error.
func (b *Book) Noted(g game.Game, seat int, f func(Item) error) error {
	shelf, err := b.shelf(g)
	if err != nil {
		return err
	}
	return b.walk(shelf, []byte{view(g, seat)}, f)
}

// walk calls f with the facts whose keys begin with prefix, in key order: the facts of the shelf
// only, or of all shelves if only is "". It reads mostRead bytes at a time, so that others may
// write while f works.
func (b *Book) walk(only string, prefix []byte, f func(Item) error) error {
	shelf, last := only, []byte(nil) // the last shelf and key read
	for more := true; more; {
		var items []Item
		err := b.transact(true, func(tx *bolt.Tx) error {
			more = false
			size, names := 0, tx.Cursor()
			for name, _ := names.Seek([]byte(shelf)); name != nil && (only == "" || string(name) == only); name, _ = names.Next() {
				about, ok := parseShelf(string(name))
				if !ok {
					return b.wrap(fmt.Errorf("%q is not a game", name))
				}
				if string(name) != shelf {
					shelf, last = string(name), nil
				}
				c := tx.Bucket(name).Cursor()
				k, v := c.Seek(slices.MaxFunc([][]byte{prefix, last}, bytes.Compare))
				if last != nil && bytes.Equal(k, last) {
					k, v = c.Next()
				}
				for ; k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
					if size += len(k) + len(v); size > mostRead && len(items) > 0 {
						more = true
						return nil
					}
					it, err := b.item(shelf, about, k, v)
					if err != nil {
						return err
					}
					items, last = append(items, it), append([]byte{}, k...)
				}
			}
			return nil
		})
		for _, it := range items {
			if err := f(it); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) item(name string, shelf Shelf, k, v []byte) (Item, error) {
	fact, notes, text, err := decode(name, k, v)
	if err != nil {
		return Item{}, b.wrap(about(name, k, err))
	}
	it := Item{Shelf: shelf, Hero: hero(k[0]), Position: text, Fact: fact, Notes: notes, key: string(k)}
	for at := 1; at+8 <= len(k); at += 8 {
		it.Key = append(it.Key, binary.BigEndian.Uint64(k[at:]))
	}
	return it, nil
}

// Look looks up positions of a game, with one look into the file: for each state a fact, or false.
func (b *Book) Look(g game.Game, hero int, states []game.State) (facts []solve.Fact, known []bool, err error) {
	shelf, err := b.shelf(g)
	if err != nil {
		return nil, nil, err
	}
	facts, known = make([]solve.Fact, len(states)), make([]bool, len(states))
	err = b.transact(true, func(tx *bolt.Tx) error {
		bucket := tx.Bucket([]byte(shelf))
		for i, s := range states {
			k := s.(game.Keyer)
			words := make([]uint64, k.KeyWords())
			sym := k.Key(words)
			key := keyOf(view(g, hero), words)
			if bucket == nil {
				continue
			}
			if v := bucket.Get(key); v != nil {
				f, _, _, err := decode(shelf, key, v)
				if err != nil {
					return b.wrap(about(shelf, key, err))
				}
				f.Best = k.Actual(f.Best, sym)
				facts[i], known[i] = f, true
			}
		}
		return nil
	})
	return facts, known, err
}

// Learn adds a fact, see [solve.Book]. It is written within about a second; a book opened for
// reading ignores it.
func (b *Book) Learn(g game.Game, hero int, s game.State, key []uint64, f solve.Fact) {
	b.LearnNoted(g, hero, s, key, f, Notes{})
}

// LearnNoted is Learn with notes.
func (b *Book) LearnNoted(g game.Game, hero int, s game.State, key []uint64, f solve.Fact, notes Notes) {
	shelf, err := b.shelf(g)
	if err != nil || !b.writable {
		// The game has no keys, so no run searches it with a book; or the book was opened for
		// reading.
		return
	}
	e := entry{shelf, string(keyOf(view(g, hero), key))}
	b.mu.Lock()
	old, again := b.learned[e]
	if again {
		f, notes = old.And(f), old.notes.and(notes)
	} else {
		old.text = s.String()
	}
	b.learned[e] = learned{f, notes, old.text}
	n := len(b.learned)
	b.mu.Unlock()
	switch {
	case n >= mostLearned:
		b.flush()
	case n == 1 && !again:
		time.AfterFunc(between, b.flush)
	}
}

// flush writes the new facts. Close returns the error.
func (b *Book) flush() {
	b.writing.Lock()
	defer b.writing.Unlock()
	b.mu.Lock()
	batch := b.learned
	b.learned = map[entry]learned{}
	b.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	_, err := b.put(batch)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = cmp.Or(b.err, err)
}

// put writes facts in key order, in transactions with few pages in memory. It returns the number
// of facts that added something.
func (b *Book) put(batch map[entry]learned) (news int, err error) {
	rest := slices.SortedFunc(maps.Keys(batch), func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.shelf, y.shelf), cmp.Compare(x.key, y.key))
	})
	for err == nil && len(rest) > 0 {
		done, more := 0, 0
		err = b.transact(false, func(tx *bolt.Tx) error {
			at, touched := uintptr(0), 0
			for ; done < len(rest) && touched < mostTouched; done++ {
				e := rest[done]
				bucket, err := tx.CreateBucketIfNotExists([]byte(e.shelf))
				if err != nil {
					return err
				}
				k, v := bucket.Cursor().Seek([]byte(e.key))
				if now := reflect.ValueOf(k).Pointer() / touchBytes; now != at {
					at = now
					touched++
				}
				if string(k) != e.key {
					v = nil
				}
				new, err := putFact(bucket, e, v, batch[e])
				if err != nil {
					return err
				}
				more += new
			}
			return nil
		})
		rest, news = rest[done:], news+more
	}
	if err != nil {
		return 0, err
	}
	return news, nil
}

// putFact adds a fact to the shelf's entry for the position. It returns 1 if that adds anything.
func putFact(bucket *bolt.Bucket, e entry, has []byte, l learned) (news int, err error) {
	key, text := []byte(e.key), l.text
	f, notes := l.Fact, l.notes
	if has != nil {
		old, had, was, err := decode(e.shelf, key, has)
		if err != nil {
			return 0, about(e.shelf, key, err)
		}
		if f, text = old.And(f), was; !f.Valid() {
			return 0, about(e.shelf, key, fmt.Errorf("%s: %+v contradicts %+v", text, l.Fact, old))
		}
		if notes = had.and(notes); f == old && notes == had {
			return 0, nil
		}
		if l.Says(old) || notes != had {
			news = 1
		}
	} else if !f.Valid() {
		return 0, about(e.shelf, key, fmt.Errorf("%s: the new fact contradicts itself: %+v", text, f))
	} else {
		news = 1
	}
	return news, bucket.Put(key, encode(e.shelf, key, f, notes, text))
}

// Close writes the new facts. The error is the first of any writing.
func (b *Book) Close() error {
	b.flush()
	return b.err
}

// Each calls f with every fact of the file, shelf by shelf in the order of their names, until f
// returns an error.
func (b *Book) Each(f func(Item) error) error {
	return b.walk("", nil, f)
}

// Merge adds all facts of another book, even those of rules or keys that this program no longer
// has. It returns the number of facts that added something to b.
func (b *Book) Merge(from *Book) (news int, err error) {
	batch := map[entry]learned{}
	put := func() error {
		n, err := b.put(batch)
		news += n
		clear(batch)
		return err
	}
	err = from.Each(func(it Item) error {
		batch[entry{it.Shelf.name(), it.key}] = learned{it.Fact, it.Notes, it.Position}
		if len(batch) == mostLearned {
			return put()
		}
		return nil
	})
	return news, errors.Join(err, put())
}

var _ solve.Book = (*Book)(nil)
