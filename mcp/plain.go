package mcp

import (
	"reflect"
	"time"

	"ltm/memory"
	"ltm/text/safe"
)

// fenced is a text in which what others wrote is safe to show already, within ltm's own tags.
type fenced string

// plain returns a copy of a result in the form that clients get: empty lists and objects instead of null, times in UTC
// to the second, and texts that are safe to show. The result itself is not modified, because other calls may use it.
func plain(result any) any { return plainValue(reflect.ValueOf(result)).Interface() }

func plainValue(v reflect.Value) reflect.Value {
	if v.Type() == reflect.TypeFor[fenced]() {
		return v
	}
	if v.Type() == reflect.TypeFor[memory.Note]() {
		return reflect.ValueOf(plainNote(v.Interface().(memory.Note)))
	}
	switch v.Kind() {
	case reflect.Struct:
		return plainStruct(v)
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(plainValue(v.Elem()))
		return out
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(plainValue(v.Index(i)))
		}
		return out
	case reflect.String:
		out := reflect.New(v.Type()).Elem()
		out.SetString(safe.Text(v.String()))
		return out
	case reflect.Map:
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			out.SetMapIndex(plainValue(key), plainValue(value))
		}
		return out
	case reflect.Interface:
		if !v.IsNil() {
			return plainValue(v.Elem())
		}
	}
	return v
}

// plainNote is a note as one text, with what to do next.
func plainNote(n memory.Note) memory.Note {
	text := n.String()
	if n.Advises() {
		text = nextSteps().Say(n)
	}
	if text == "" {
		return nil
	}
	return memory.Say(safe.Text(text))
}

func plainStruct(v reflect.Value) reflect.Value {
	if t, ok := v.Interface().(time.Time); ok {
		return reflect.ValueOf(t.UTC().Truncate(time.Second))
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			out.Field(i).Set(plainValue(v.Field(i)))
		}
	}
	return out
}
