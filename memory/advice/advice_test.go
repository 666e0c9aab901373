package advice_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/advice"
)

func table() advice.Table {
	return advice.Table{
		memory.KindMemoryUnknown: "list shows the ids", memory.KindMergeTooLong: "shorten it: edit {}",
		memory.KindTagMisspelt: `did you mean "{}"?`, memory.KindLockHeld: "try again",
		memory.KindPartOnly: "show {} shows it",
	}
}

func TestTell(t *testing.T) {
	unknown := memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, "mem_1", "there is no memory %s", "mem_1")
	ambiguous := memory.NewError(memory.CodeInvalid, memory.KindMemoryUnknown, "mem_1", "2 ids fit\n  a\n  b")
	disk := &memory.Error{Code: memory.CodeStorage, Kind: memory.KindDiskFull, Message: "cannot write x",
		Err: errors.New("no space")}
	for _, tt := range []struct {
		name    string
		err     error
		op      advice.Operation
		message string
		hint    string
	}{
		{"a reading operation", unknown, advice.Reading, "there is no memory mem_1", "list shows the ids"},
		{"one that writes", unknown, advice.Writing, "there is no memory mem_1",
			"list shows the ids; nothing was changed"},
		{"no next step", memory.NewError(memory.CodeInvalid, memory.KindTopicEmpty, "", "empty"), advice.Writing,
			"empty", "nothing was changed"},
		{"a subject", memory.NewError(memory.CodeInvalid, memory.KindMergeTooLong, "mem_2", "too long"), advice.Reading,
			"too long", "shorten it: edit mem_2"},
		{"a question", memory.NewError(memory.CodeNotFound, memory.KindTagMisspelt, "go", "no tag"), advice.Writing,
			"no tag", `did you mean "go"? nothing was changed`},
		{"a list", ambiguous, advice.Writing, "2 ids fit", "list shows the ids; nothing was changed\n  a\n  b"},
		{"busy", memory.NewError(memory.CodeBusy, memory.KindLockHeld, "", "held"), advice.Writing, "held",
			"try again; nothing was changed"},
		{"the disk may have changed", disk, advice.Writing, "cannot write x: no space", ""},
		{"around another", fmt.Errorf("text kept in f: %w", unknown), advice.Reading,
			"text kept in f: there is no memory mem_1", "list shows the ids"},
		{"an edge's own", advice.With(unknown, "go on"), advice.Writing, "there is no memory mem_1",
			"go on; nothing was changed"},
		{"half done", advice.Partial(unknown), advice.Writing, "there is no memory mem_1", "list shows the ids"},
		{"not ours", errors.New("odd"), advice.Writing, "odd", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			message, hint := table().Split(tt.err, tt.op)
			require.Equal(t, []string{tt.message, tt.hint}, []string{message, hint})
			want := tt.message
			if hint != "" {
				want += "; " + hint
			}
			require.Equal(t, want, table().Tell(tt.err, tt.op))
		})
	}
}

func TestSay(t *testing.T) {
	note := append(memory.Advise(memory.KindPartOnly, "mem_1", "it has a part"), memory.Say("more", "")...)
	require.Equal(t, "it has a part; show mem_1 shows it; more", table().Say(note))
	require.Equal(t, "it has a part; more", note.String())
	require.Empty(t, table().Say(nil))
	require.Equal(t, "show  shows it", table().Say(memory.Advise(memory.KindPartOnly, "", "")))
}

// kinds returns all kinds, as their source in package memory has them.
func kinds(t testing.TB, file string) []memory.Kind {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []memory.Kind
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			text, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
			if err != nil || !strings.HasPrefix(name.Name, "Kind") {
				t.Fatalf("%s is not a kind", name.Name)
			}
			kinds = append(kinds, memory.Kind(text))
		}
		return false
	})
	return kinds
}

// TestKindsDiffer holds kinds to their form, and each to one situation.
func TestKindsDiffer(t *testing.T) {
	seen := map[memory.Kind]bool{}
	for _, kind := range kinds(t, "../../memory/kind.go") {
		require.Regexp(t, `^[a-z][a-z0-9_]+$`, string(kind))
		require.False(t, seen[kind], kind)
		seen[kind] = true
	}
}

// TestSpell goes through an answer of every shape that answers have, and changes none.
func TestSpell(t *testing.T) {
	type inner struct {
		Note memory.Note `json:"note"`
	}
	type outer struct {
		inner
		Inner   inner
		List    []inner
		Notes   []memory.Note
		Any     any
		Ptr     *inner
		None    *inner
		Numbers []int
		hidden  memory.Note
	}
	note := func() memory.Note { return memory.Advise(memory.KindMergeTooLong, "mem_2", "too long") }
	answer := outer{Inner: inner{note()}, List: []inner{{note()}, {nil}}, Notes: []memory.Note{note()},
		Any: inner{note()},
		Ptr: &inner{note()}, Numbers: []int{1}, hidden: note()}
	got := table().Spell(answer).(outer)
	want := memory.Say("too long; shorten it: edit mem_2")
	require.Equal(t, outer{Inner: inner{want}, List: []inner{{want}, {nil}}, Notes: []memory.Note{want},
		Any: inner{want},
		Ptr: &inner{want}, Numbers: []int{1}, hidden: note()}, got)
	require.Equal(t, note(), answer.Ptr.Note, "the answer may be in use elsewhere")
}

func TestMerge(t *testing.T) {
	all := advice.Merge(table(), advice.Table{memory.KindNudge: "keep it", memory.KindLockHeld: ""})
	require.Len(t, all, len(table())+1)
	require.Equal(t, "keep it", all.Line(memory.KindNudge, ""))
	require.Empty(t, all.Line(memory.KindLockHeld, ""))
}
