// Package settings knows every setting of a store: its key, its type, its range, its
// default, one sentence of help, and which of the places that it can be in counts.
//
// It is pure: callers read the files, and give and get maps of raw JSON. A value that
// is not allowed counts as not set, for a typo must not stop a session; [Layers.Odd]
// names those.
package settings
