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

// record is an object of a dump. Known fields are taken out of it; the rest is kept elsewhere.
type record map[string]json.RawMessage

// recordOf reads an object.
func recordOf(b json.RawMessage) (record, error) {
	var r record
	if err := json.Unmarshal(b, &r); err != nil || r == nil {
		return nil, errors.New("not an object")
	}
	return r, nil
}

// records reads a list of objects, or none.
func records(what string, b json.RawMessage) (all []record, err error) {
	if b != nil && json.Unmarshal(b, &all) != nil {
		return nil, fmt.Errorf("%s is not a list of objects", what)
	}
	return all, nil
}

// has reports whether there is a value that says something.
func (r record) has(key string) bool {
	v := string(bytes.TrimSpace(r[key]))
	return v != "" && v != "null"
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

// take takes out a value, or the zero value if it is missing. wrong says, with its key, that it is of another type.
func take[T any](f *fields, key, wrong string) (v T) {
	if f.err != nil {
		return v
	}
	if f.r.has(key) && json.Unmarshal(f.r[key], &v) != nil {
		f.err = fmt.Errorf(wrong, key)
		return *new(T)
	}
	delete(f.r, key)
	return v
}

// text takes out a text; a number counts as one.
func (f *fields) text(key string) string {
	const wrong = "%q is not a text"
	if v := bytes.TrimSpace(f.r[key]); len(v) > 0 && v[0] != '"' {
		return take[json.Number](f, key, wrong).String()
	}
	return take[string](f, key, wrong)
}

// first takes out the first of several texts that is not empty.
func (f *fields) first(keys ...string) (text string) {
	for _, key := range keys {
		if text == "" {
			text = f.text(key)
		}
	}
	return text
}

func (f *fields) number(key string) (n float64, ok bool) {
	ok = f.r.has(key)
	return take[float64](f, key, "%q is not a number"), ok && f.err == nil
}

func (f *fields) is(key string) bool { return take[bool](f, key, "%q is neither true nor false") }

func (f *fields) object(key string) record { return take[record](f, key, "%q is not an object") }

// time takes out a time, which is in UTC if it does not say so.
func (f *fields) time(key string) time.Time {
	s := f.text(key)
	if s == "" {
		return time.Time{}
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07",
		"2006-01-02 15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(form, s); err == nil {
			return micro(at)
		}
	}
	f.err = fmt.Errorf("%q is not a time: %.40q", key, s)
	return time.Time{}
}
