package api_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestEveryPartOfAPatchIsAField sets each part of a patch alone: it is a change, with a name for the log.
func TestEveryPartOfAPatchIsAField(t *testing.T) {
	require.True(t, api.Patch{Redact: true, Session: "s", Follow: true}.Empty())
	var p api.Patch
	for i := range reflect.TypeOf(p).NumField() {
		name := reflect.TypeOf(p).Field(i).Name
		switch name {
		case "Redact", "Session", "Follow":
			continue
		}
		one := reflect.New(reflect.TypeOf(p)).Elem()
		switch v := one.Field(i); v.Kind() {
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		case reflect.Bool:
			v.SetBool(true)
		default:
			v.SetString("low")
		}
		require.NotEmpty(t, one.Interface().(api.Patch).Changes(), name)
	}
}

// full returns a memory with a value in every field.
func full() memory.Memory {
	half := 0.5
	return memory.Memory{Topic: "t", Content: "c", Summary: "s", Tags: []string{"a", "importance:low"},
		Category: memory.Learnings, Agent: "tester", Difficulty: 0.3, Confidence: &half, Aliases: []string{"b"},
		Supersedes: []memory.ID{"mem_00000001"}, Disputes: []memory.ID{"mem_00000002"},
		Related: []memory.ID{"mem_00000003"}, Refs: []memory.Ref{{Path: "a.go"}}}
}

// TestFieldsAreComparedAndKept compares a memory with an empty one, field by field, and gives the empty one its values.
func TestFieldsAreComparedAndKept(t *testing.T) {
	copied, merged := memory.Memory{}, api.Joined(memory.Memory{}, full())
	api.Overlay(&copied, full())
	for _, f := range api.Fields() {
		require.NotEqual(t, f.Text(memory.Memory{}), f.Text(full()), f.Name)
		if f.Copy != nil {
			require.Equal(t, f.Text(full()), f.Text(copied), f.Name)
		}
		if f.Join != nil {
			require.Equal(t, f.Text(full()), f.Text(merged), f.Name)
		}
		if f.Odd != nil {
			odd, mine := full(), memory.Memory{}
			*f.Odd(&odd) = true
			api.Overlay(&mine, odd)
			require.Equal(t, f.Text(memory.Memory{}), f.Text(mine), "%s cannot be read, and is not taken", f.Name)
		}
	}
	require.Equal(t, []string{"topic", "content", "summary", "tags", "importance", "kind", "agent", "difficulty",
		"confidence", "aliases", "links", "refs"}, api.Differences(memory.Memory{}, full()))
}

// TestAMergeFillsWhatOursCannotSay joins fields whose value is absent, or not read whole, on one side.
func TestAMergeFillsWhatOursCannotSay(t *testing.T) {
	sure := 0.5
	theirs := memory.Memory{Category: memory.Categories()[0], Confidence: &sure, Aliases: []string{"why?"}}
	got := api.Joined(memory.Memory{OddAliases: true}, theirs)
	require.Equal(t, theirs, got, "the aliases are whole now")
	odd := memory.Memory{OddCategory: true, OddConfidence: true}
	got = api.Joined(odd, theirs)
	require.Empty(t, got.Category, "what cannot be read is kept for the person")
	require.Nil(t, got.Confidence)
	for _, f := range api.Fields() {
		if f.Name == "agent" {
			require.True(t, f.IsOdd(&memory.Memory{OddLinks: true}))
		}
	}
}
