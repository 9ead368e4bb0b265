package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Decode reads one value in JSON, such as a [Query], into v. It refuses unknown keys, repeated
// keys and text after the value, and says at which byte. After an error v keeps the parts read
// so far.
func Decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("at byte %d: %s", d.InputOffset(), strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("at byte %d: more than one value", d.InputOffset())
	}
	return twice(json.NewDecoder(bytes.NewReader(text)))
}

// twice refuses an object with a repeated key. Like the decoder, it ignores capitals.
func twice(d *json.Decoder) error {
	type level struct {
		keys map[string]bool // nil in a list
		key  bool            // a key comes next
	}
	var open []level
	for {
		token, err := d.Token()
		if err != nil {
			return nil // the end of the text: the decoder has reported any error already
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			open = open[:len(open)-1]
			continue
		}
		if n := len(open) - 1; n >= 0 && open[n].keys != nil {
			if open[n].key {
				key := strings.ToLower(token.(string))
				if open[n].keys[key] {
					return fmt.Errorf("at byte %d: the key %.40q is given twice", d.InputOffset(), token)
				}
				open[n].keys[key] = true
			}
			open[n].key = !open[n].key
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{map[string]bool{}, true})
		case json.Delim('['):
			open = append(open, level{})
		}
	}
}
