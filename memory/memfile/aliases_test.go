package memfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func TestAliasesAreReadLiberally(t *testing.T) {
	long := strings.Repeat("ä", memory.MaxAliasChars)
	var many strings.Builder
	for i := range memory.MaxAliases + 1 {
		fmt.Fprintf(&many, "\n  - a%d", i)
	}
	for text, want := range map[string]memory.Memory{
		"":                              {},
		" ~":                            {},
		" []":                           {},
		" ''":                           {},
		" [~, '', a]":                   {Aliases: []string{"a"}},
		" one, with a comma":            {Aliases: []string{"one, with a comma"}},
		"\n  - 'A  b'\n  - a B\n  - 17": {Aliases: []string{"A b", "17"}},
		"\n- why?\n- |\n  two\n  lines": {Aliases: []string{"why?", "two lines"}},
		` ["tab\there", "\x1b[31m"]`:    {Aliases: []string{"tab here", "[31m"}},
		" [a, [b], {c: d}, e]":          {Aliases: []string{"a", "e"}, OddAliases: true},
		" {a: b}":                       {OddAliases: true},
		` ["a\0b", c]`:                  {Aliases: []string{"c"}, OddAliases: true},
		" [" + long + "]":               {Aliases: []string{long}},
		" [" + long + "ä, b]":           {Aliases: []string{"b"}, OddAliases: true},
		many.String(): {Aliases: []string{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"},
			OddAliases: true},
		" [a]\naliases: [b, A]": {Aliases: []string{"a", "b"}, OddAliases: true}, // as a merge leaves it
	} {
		file := "---\ntopic: t\naliases:" + text + "\nowner: me\n---\nText.\n"
		for _, file := range []string{file, strings.ReplaceAll(file, "\n", "\r\n")} {
			f, err := memfile.Parse([]byte(file))
			require.NoError(t, err, text)
			require.Equal(t, want, memory.Memory{Aliases: f.Memory.Aliases, OddAliases: f.Memory.OddAliases}, text)
			m := f.Memory
			m.Tags = []string{"new"}
			out, err := f.With(m)
			require.NoError(t, err, text)
			eol := file[len("---"):strings.Index(file, "topic")]
			require.Equal(t, strings.Replace(file, eol+"---"+eol, eol+"tags:"+eol+"  - new"+eol+"---"+eol, 1),
				string(out), "their bytes stay")
		}
	}
}

func TestChangingAliases(t *testing.T) {
	set := func(aliases ...string) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Aliases, m.OddAliases = aliases, false }
	}
	for name, c := range map[string]struct {
		file, want string
		change     func(*memory.Memory)
	}{
		"added": {"topic: t\nx: 1\n", "topic: t\nx: 1\naliases:\n  - \"a\"\n", set("a")},
		"changed": {"topic: t\naliases: [b] # mine\nx: 1\n",
			"topic: t\naliases:\n  - \"b\"\n  - \"c\"\nx: 1\n", set("b", "c")},
		"removed": {"topic: t\naliases:\n- b\nx: 1\n", "topic: t\nx: 1\n", set()},
		"odd":     {"topic: t\naliases: {a: b}\n", "topic: t\n", set()},
		"odd, the rest kept": {"topic: t\naliases: [a, [b]]\n", "topic: t\naliases:\n  - \"a\"\n",
			set("a")},
		"twice": {"aliases: [a]\ntopic: t\naliases: [b]\n", "aliases:\n  - \"a\"\n  - \"b\"\ntopic: t\n",
			set("a", "b")},
		"flow": {"{topic: t, aliases: [a]}\n", "topic: \"u\"\naliases:\n  - \"a\"\n",
			func(m *memory.Memory) { m.Topic = "u" }},
		"flow, odd": {"{topic: t, aliases: [a, [b]]}\n", "topic: \"u\"\naliases: [a, [b]]\n",
			func(m *memory.Memory) { m.Topic = "u" }},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := memfile.Parse([]byte("---\n" + c.file + "---\nText.\n"))
			require.NoError(t, err)
			m := f.Memory
			c.change(&m)
			out, err := f.With(m)
			require.NoError(t, err)
			require.Equal(t, "---\n"+c.want+"---\nText.\n", string(out))
		})
	}
}
