package transfer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"ltm/memory"
)

// Object reads a JSON document that is one object. Each key of it is read by its function, which must take exactly one
// value. Other keys are skipped. It returns an error of kind [memory.KindImportMalformed] for anything that is not such
// a document, and what a function returns as it is.
func Object(data []byte, keys map[string]func(*json.Decoder) error) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	switch trimmed := bytes.TrimSpace(data); {
	case len(trimmed) == 0:
		return Malformed("", "it is empty")
	case !utf8.Valid(data):
		return Malformed("", "it is not UTF-8 text")
	case trimmed[0] != '{':
		return Malformed("", "it is not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return Malformed("", "%s", Plain(err))
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return Malformed("", "%s", Plain(err))
		}
		key, _ := token.(string)
		read := keys[key]
		if read == nil {
			read = Skip
		} else if seen[key] {
			return Malformed("", "it has the key %q twice", key)
		}
		seen[key] = true
		if err := read(d); err != nil {
			if _, ok := errors.AsType[*memory.Error](err); ok {
				return err
			}
			return Malformed("", "%s: %s", memory.Quote(key, maxShown), Plain(err))
		}
	}
	if _, err := d.Token(); err != nil {
		return Malformed("", "%s", Plain(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Malformed("", "something follows the JSON object")
	}
	return nil
}

// Skip consumes one value.
func Skip(d *json.Decoder) error {
	var raw json.RawMessage
	return d.Decode(&raw)
}

// Into returns a function that decodes a value into v.
func Into(v any) func(*json.Decoder) error { return func(d *json.Decoder) error { return d.Decode(v) } }

// Each calls fn with each value of an array, from 0. It refuses more values than an import may have entries.
func Each(d *json.Decoder, fn func(n int, raw json.RawMessage)) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return Malformed("", "its entries are not a list")
	}
	n := 0
	for d.More() {
		if n == MaxItems {
			return TooMany()
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		fn(n, raw)
		n++
	}
	_, err = d.Token()
	return err
}

// TooMany is the error about a document with too many entries.
func TooMany() error {
	return memory.NewError(memory.CodeInvalid, memory.KindImportTooLarge, "",
		"it has more than %d entries, and a store holds no more memories", MaxItems)
}

// TooLarge is the error about a document or file with too many bytes.
func TooLarge(subject, what string) error {
	return memory.NewError(memory.CodeInvalid, memory.KindImportTooLarge, subject,
		"%s has more than %d MiB", what, MaxDocumentBytes>>20)
}

// Plain returns the text of an error of package json for people.
func Plain(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the JSON text ends too early"
	case errors.As(err, &kind) && kind.Field != "":
		return "the value of " + memory.Quote(kind.Field, maxShown) + " is a " + strings.Fields(kind.Value)[0] +
			", which it must not be"
	case errors.As(err, &kind):
		return "it is a " + kind.Value + ", not an object"
	}
	return "the JSON text is damaged: " + err.Error()
}
