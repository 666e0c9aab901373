// Package settings defines every setting of a store: its key, type, range, default and help text,
// and which of the files that can hold it takes precedence.
//
// It is pure: callers read and write the files, and pass maps of raw JSON. A value that is not allowed counts as not
// set, because a typo must not stop a session; [Layers.Odd] describes such values.
package settings
