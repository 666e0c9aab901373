package api

import "time"

// Time is a time in an answer. The zero time means unknown and is null in JSON.
type Time struct{ time.Time }

// MarshalJSON returns null for the zero time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.Time.MarshalJSON()
}
