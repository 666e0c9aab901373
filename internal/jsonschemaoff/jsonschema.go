// Package jsonschema replaces github.com/santhosh-tekuri/jsonschema/v6 in builds of ltm.
//
// mcp-go's server imports that library for an option, validation of tool arguments against their schemas, that ltm does
// not use: its own decoder says more precisely what is allowed. But the library compiles the meta-schemas of every JSON
// Schema draft while the process starts, which is half of the time that a hook needs, and hooks run at every tool call.
// This package has the names that mcp-go refers to and does nothing at start. Compiling a schema with it is an error,
// which mcp-go takes as "do not validate".
//
// What it must hold follows from mcp-go's server/input_validation.go and
// server/output_validation.go; a change there shows as a compile error.
package jsonschema

import (
	"encoding/json"
	"errors"
	"io"
)

// Schema is a compiled schema. None can exist here.
type Schema struct{}

// Validate reports that nothing was validated.
func (*Schema) Validate(any) error { return errUnavailable() }

// Compiler would compile schemas.
type Compiler struct{}

// NewCompiler returns a compiler that refuses everything.
func NewCompiler() *Compiler { return &Compiler{} }

// AddResource returns an error.
func (*Compiler) AddResource(string, any) error { return errUnavailable() }

// Compile returns an error.
func (*Compiler) Compile(string) (*Schema, error) { return nil, errUnavailable() }

// ErrorKind tells what a value violated.
type ErrorKind interface{ KeywordPath() []string }

// ValidationError tells where a value violates a schema.
type ValidationError struct {
	InstanceLocation []string
	ErrorKind        ErrorKind
	Causes           []*ValidationError
}

func (*ValidationError) Error() string { return "validation failed" }

// UnmarshalJSON decodes one JSON value, with numbers as [json.Number].
func UnmarshalJSON(r io.Reader) (any, error) {
	var v any
	d := json.NewDecoder(r)
	d.UseNumber()
	err := d.Decode(&v)
	return v, err
}

func errUnavailable() error { return errors.New("JSON schema validation is not part of this build") }
