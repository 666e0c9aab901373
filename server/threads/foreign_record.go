package threads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// record is an object of a dump. What is taken out of it is known; the rest is kept elsewhere.
type record map[string]json.RawMessage

// recordOf reads an object.
func recordOf(b json.RawMessage) (record, error) {
	var r record
	if err := json.Unmarshal(b, &r); err != nil || r == nil {
		return nil, errors.New("not an object")
	}
	return r, nil
}

// records reads a list of objects.
func records(what string, b json.RawMessage) ([]record, error) {
	var all []record
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s is not a list of objects", what)
	}
	return all, nil
}

// has reports whether there is a value that says something.
func (r record) has(key string) bool {
	v := string(bytes.TrimSpace(r[key]))
	return v != "" && v != "null"
}

// text takes out a text; a number counts as one. "" if it is missing.
func (r record) text(key string) (string, error) {
	if !r.has(key) {
		delete(r, key)
		return "", nil
	}
	var s string
	if json.Unmarshal(r[key], &s) == nil {
		delete(r, key)
		return s, nil
	}
	var n json.Number
	if json.Unmarshal(r[key], &n) == nil {
		delete(r, key)
		return n.String(), nil
	}
	return "", fmt.Errorf("%q is not a text", key)
}

// first takes out the first of several texts that is not empty.
func (r record) first(keys ...string) (string, error) {
	found := ""
	for _, key := range keys {
		if found != "" {
			break
		}
		s, err := r.text(key)
		if err != nil {
			return "", err
		}
		found = s
	}
	return found, nil
}

// number takes out a number.
func (r record) number(key string) (n float64, ok bool, err error) {
	if !r.has(key) {
		delete(r, key)
		return 0, false, nil
	}
	if json.Unmarshal(r[key], &n) != nil {
		return 0, false, fmt.Errorf("%q is not a number", key)
	}
	delete(r, key)
	return n, true, nil
}

// is takes out a truth value.
func (r record) is(key string) (b bool, err error) {
	if r.has(key) && json.Unmarshal(r[key], &b) != nil {
		return false, fmt.Errorf("%q is neither true nor false", key)
	}
	delete(r, key)
	return b, nil
}

// time takes out a time, which is in UTC if it does not say so. The zero time if it is missing.
func (r record) time(key string) (time.Time, error) {
	s, err := r.text(key)
	if err != nil || s == "" {
		return time.Time{}, err
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07",
		"2006-01-02 15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(form, s); err == nil {
			return micro(at), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time: %.40q", key, s)
}

// object takes out an object; nil if it is missing.
func (r record) object(key string) (record, error) {
	if !r.has(key) {
		delete(r, key)
		return nil, nil
	}
	o, err := recordOf(r[key])
	if err != nil {
		return nil, fmt.Errorf("%q is not an object", key)
	}
	delete(r, key)
	return o, nil
}

// says reports whether a value is anything but empty.
func (r record) says(key string) bool {
	return !slices.Contains([]string{"", "null", "{}", "[]", `""`}, string(bytes.TrimSpace(r[key])))
}

// clean removes what says nothing.
func (r record) clean() record {
	maps.DeleteFunc(r, func(key string, _ json.RawMessage) bool { return !r.says(key) })
	return r
}

// fields takes values out of a record until one of them is wrong, which it remembers. After that it returns none, so
// that a form is read line by line and the error is looked at once.
type fields struct {
	r   record
	err error
}

func (r record) fields() *fields { return &fields{r: r} }

// takeOut calls one of the readers of a record, unless an earlier one has failed.
func takeOut[T any](f *fields, read func(string) (T, error), key string) (value T) {
	if f.err == nil {
		value, f.err = read(key)
	}
	return value
}

func (f *fields) text(key string) string    { return takeOut(f, f.r.text, key) }
func (f *fields) time(key string) time.Time { return takeOut(f, f.r.time, key) }
func (f *fields) object(key string) record  { return takeOut(f, f.r.object, key) }
func (f *fields) first(keys ...string) (text string) {
	if f.err == nil {
		text, f.err = f.r.first(keys...)
	}
	return text
}

func (f *fields) number(key string) (n float64, ok bool) {
	if f.err == nil {
		n, ok, f.err = f.r.number(key)
	}
	return n, ok
}
