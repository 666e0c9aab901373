package threads

import "time"

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
