// Package memfile reads and writes a memory's file: front matter and two markdown
// sections. It reads what people and other writers produce, and a change keeps the
// bytes of everything that it does not concern.
//
// It is pure: bytes in, bytes out. It is the only package that knows YAML.
package memfile
