// Package memfile reads and writes a memory's file: front matter and two markdown sections. It reads what people and
// other programs write, and a change keeps every byte that it does not affect.
//
// It is pure: bytes in, bytes out. It is the only package that knows YAML.
package memfile
