package refs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/refs"
)

const source = `package db

// Pool keeps connections.
type Pool struct {
	max int
}

// Open opens one.
func (p *Pool) Open() error {
	if p.max == 0 {

		return nil
	}
	return errFull
}

const MaxOpenConns = 50
`

func near(t *testing.T, text string, r memory.Ref) memory.Ref {
	t.Helper()
	var ok bool
	r.Near, ok = refs.Near([]byte(text), r)
	require.True(t, ok, r)
	require.True(t, r.IsNormal(), r)
	return r
}

func TestLinesAreFoundAgain(t *testing.T) {
	line := near(t, source, memory.Ref{Path: "a", Line: 10})
	for name, c := range map[string]struct {
		text string
		now  int // 0: it is not there any more
	}{
		"the same":                {source, 10},
		"other line ends":         {strings.ReplaceAll(source, "\n", "\r\n"), 10},
		"blanks at ends of lines": {strings.ReplaceAll(source, "{\n", "{ \t\n"), 10},
		"lines before":            {"a\nb\nc\n" + source, 13},
		"lines behind":            {source + "more\n", 10},
		"a line far away changed": {strings.Replace(source, "max int", "most int", 1), 10},
		"the line changed":        {strings.Replace(source, "p.max == 0", "p.max == 1", 1), 0},
		"two lines above changed": {strings.Replace(source, "// Open opens", "// Open makes", 1), 0},
		"empty":                   {"", 0},
	} {
		now, ok := refs.Place([]byte(c.text), line)
		require.Equal(t, c.now > 0, ok, name)
		if ok {
			require.Equal(t, c.now, now.Line, name)
		}
	}
	same := near(t, "x\nx\nx\nx\nx\nx\nx\nx\nx\n", memory.Ref{Path: "a", Line: 5})
	now, ok := refs.Place([]byte("x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n"), same)
	require.True(t, ok)
	require.Equal(t, 5, now.Line, "the nearest")

	whole := near(t, source, memory.Ref{Path: "a", Line: 9, End: 15})
	now, ok = refs.Place([]byte("new\n"+source), whole)
	require.True(t, ok)
	require.Equal(t, [2]int{10, 16}, [2]int{now.Line, now.End})
	_, ok = refs.Place([]byte(strings.Replace(source, "return errFull", "return nil", 1)), whole)
	require.False(t, ok)
	for _, edge := range []memory.Ref{{Path: "a", Line: 1}, {Path: "a", Line: 17}} {
		_, ok = refs.Place([]byte(source), near(t, source, edge))
		require.True(t, ok)
	}
	for _, none := range []memory.Ref{{Path: "a", Line: 18}, {Path: "a", Line: 1, End: 18}, {Path: "a", Symbol: "Shut"},
		{Path: "a"}} {
		_, ok := refs.Near([]byte(source), none)
		require.False(t, ok, none)
	}
}

func TestSymbolsAreTheirDefinitions(t *testing.T) {
	for symbol, changes := range map[string]map[string]bool{
		"Pool.Open": {"return errFull": true, "return nil": true, "max int": false, "// Open opens": false,
			"= 50": false},
		"Pool":         {"max int": true, "return errFull": false},
		"MaxOpenConns": {"= 50": true, "max int": false},
	} {
		r := near(t, source, memory.Ref{Path: "a", Symbol: symbol})
		for change, changed := range changes {
			_, same := refs.Place([]byte("// new\n"+strings.Replace(source, change, change+"x", 1)), r)
			require.Equal(t, changed, !same, "%s: %s", symbol, change)
		}
		_, same := refs.Place([]byte("package db\n"), r)
		require.False(t, same)
	}
	python := "def a():\n    x = 1\n\n    y = 2\n\ndef b():\n    z = 3\n"
	r := near(t, python, memory.Ref{Path: "a", Symbol: "a"})
	_, same := refs.Place([]byte(strings.Replace(python, "y = 2", "y = 3", 1)), r)
	require.False(t, same)
	_, same = refs.Place([]byte(strings.Replace(python, "z = 3", "z = 4", 1)), r)
	require.True(t, same)
}

// TestSymbolsAreThoseOfTheirBlock has two methods of one name, whose lines do not name their class.
func TestSymbolsAreThoseOfTheirBlock(t *testing.T) {
	for name, source := range map[string]string{
		"python": "class Queue:\n    def size(self):\n        return 1\n\n" +
			"class Pool(Base):\n    \"\"\"A pool.\"\"\"\n\n" +
			"# a comment\n    def size(self):\n        return 2\n",
		"typescript": "export class Queue {\n  size() {\n    return 1\n  }\n}\n\nexport class Pool {\n" +
			"  private n = 0\n\n  size() {\n    return 2\n  }\n}\n",
		"c#": "namespace Db\n{\n  class Queue\n  {\n    int size()\n    {\n      return 1;\n    }\n  }\n\n" +
			"  class Pool\n  {\n#if DEBUG\n    int size()\n    {\n      return 2;\n    }\n  }\n}\n",
		"rust": "impl Queue {\n    fn size() {\n        return 1\n    }\n}\n" +
			"impl Pool {\n    fn size() {\n        return 2\n    }\n}\n",
	} {
		for symbol, of := range map[string]string{"Queue.size": "return 1", "Pool.size": "return 2",
			"Pool::size": "return 2"} {
			r := near(t, source, memory.Ref{Path: "a", Symbol: symbol})
			for _, other := range []string{"return 1", "return 2"} {
				_, same := refs.Place([]byte(strings.Replace(source, other, other+"0", 1)), r)
				require.Equal(t, other != of, same, "%s of %s", symbol, name)
			}
		}
	}
	deep := ""
	for i := range 100 {
		deep += strings.Repeat(" ", i) + "class A" + strings.Repeat("x", i) + ":\n"
	}
	const first = "class B:\n def z():\n  1\n"
	r := near(t, first+deep+strings.Repeat(" ", 100)+"def z():\n", memory.Ref{Path: "a", Symbol: "B.z"})
	_, same := refs.Place([]byte(first), r)
	require.True(t, same)
}

// TestLookingIsBounded has a file that would take long to look at, and references to it.
func TestLookingIsBounded(t *testing.T) {
	symbol := memory.Ref{Path: "a", Symbol: "z"}
	_, ok := refs.Near([]byte(strings.Repeat("a", 5<<10)+" z\n"), symbol)
	require.False(t, ok, "nobody wrote a line of 5 KiB")
	deep := near(t, "b z\na z\n", memory.Ref{Path: "a", Symbol: "a.b.b.b.z"})
	_, same := refs.Place([]byte("b z\n"), deep)
	require.True(t, same, "the last four parts")

	_, ok = refs.Near([]byte("aa\nbaa\n"), memory.Ref{Path: "a", Symbol: "a"})
	require.False(t, ok, "a word that ends with its line")

	text := strings.Repeat("line\n", 10_000) + source
	line := near(t, text, memory.Ref{Path: "a", Line: 10_010})
	lines := refs.Split([]byte(text))
	require.Less(t, testing.AllocsPerRun(5, func() {
		_, ok := lines.Place(line)
		require.True(t, ok)
	}), 100.0, "not one for each line")
}

// FuzzPlace finds a place again in the text that it was taken from, and lines also behind another text.
func FuzzPlace(f *testing.F) {
	f.Fuzz(func(t *testing.T, before, text string, line, end int, symbol string) {
		r := memory.Ref{Path: "a", Line: line, End: end, Symbol: symbol}
		if !r.IsNormal() {
			return
		}
		var ok bool
		if r.Near, ok = refs.Near([]byte(text), r); !ok {
			return
		}
		now, ok := refs.Place([]byte(text), r)
		require.True(t, ok)
		require.True(t, now.IsNormal())
		if r.Symbol == "" {
			now, ok = refs.Place([]byte(before+"\n\n\n"+text), r) // the last two are as those before the first
			require.True(t, ok)
			require.True(t, now.IsNormal())
		}
	})
}
