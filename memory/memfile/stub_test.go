package memfile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func TestFormatStub(t *testing.T) {
	at := time.Date(2030, 1, 2, 23, 59, 59, 1, time.FixedZone("", -3600)) // the 3rd, in UTC
	m := memory.Memory{ID: "mem_1a2b3c4d", Topic: `A "quoted" topic: yes`, Tags: []string{"db", "importance:critical"},
		Phase: memory.Hint, Difficulty: 0.5,
		Summary: "The summary.", Content: "The content.", CreatedAt: at, Restored: true}
	header := "---\nid: \"mem_1a2b3c4d\"\ntopic: \"A \\\"quoted\\\" topic: yes\"\ntags:\n  - db\n  - " +
		"\"importance:critical\"\nphase: 3\narchived: \"2030-01-03\"\narchived_reason: forgotten\n---\n"
	stub := memfile.FormatStub(m, at, memory.ReasonForgotten)
	require.Equal(t, header, string(stub))
	require.Equal(t, string(stub), string(memfile.FormatStub(m, at.Add(20*time.Hour), memory.ReasonForgotten)),
		"on one day the same bytes")

	file, err := memfile.Parse(stub)
	require.NoError(t, err)
	require.True(t, file.Memory.IsStub())
	// unknown
	require.Equal(t, memory.Memory{ID: m.ID, Topic: m.Topic, Tags: m.Tags, Phase: memory.Removed, Difficulty: 0.25,
		ArchivedAt: time.Date(2030, 1, 3, 0, 0, 0, 0, time.UTC), ArchivedReason: memory.ReasonForgotten}, file.Memory)

	erased := string(memfile.FormatStub(m, at, memory.ReasonErased))
	require.Equal(t, "---\nid: \"mem_1a2b3c4d\"\ntopic: \"(erased)\"\ntags:\nphase: 3\narchived: "+
		"\"2030-01-03\"\narchived_reason: erased\n---\n", erased)
}

func TestIsStubFile(t *testing.T) {
	stub := string(memfile.FormatStub(memory.Memory{ID: "mem_1a2b3c4d", Topic: "t"}, time.Now(), memory.ReasonEvicted))
	whole := string(memfile.Format(memory.Memory{ID: "mem_1a2b3c4d", Topic: "t", Content: "phase: 3"}))
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"a stub":                         {stub, true},
		"of another system's line ends":  {strings.ReplaceAll(stub, "\n", "\r\n"), true},
		"with a text":                    {stub + "\n## Content\nText.\n", true},
		"written by hand":                {"---\ntopic: t\nphase: 3 # gone\n---\n", true},
		"a memory":                       {whole, false},
		"an abstract":                    {strings.Replace(whole, "phase: 0", "phase: 2", 1), false},
		"a memory that speaks of phases": {strings.Replace(whole, "t\"", "phase: 3\"", 1), false},
		"not a memory":                   {"phase: 3", false},
		"half a stub":                    {stub[:len(stub)-4], false},
		"nothing":                        {"", false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, memfile.IsStubFile([]byte(c.text))) })
	}
}

func TestReasonsOfStubs(t *testing.T) {
	for text, want := range map[string]string{
		"forgotten": "forgotten", "evicted": "evicted", "superseded": "superseded",
		"": "", "Forgotten": "", "two words": "", `"<x>"`: "", "averyveryveryverylongword": "", "a-b": "",
	} {
		file, err := memfile.Parse([]byte("---\ntopic: t\nphase: 3\narchived_reason: " + text + "\n---\n"))
		require.NoError(t, err)
		require.Equal(t, want, file.Memory.ArchivedReason, text)
	}
}

// TestPhasesOfHeaders reads the digits, and the names that people and the predecessor write.
func TestPhasesOfHeaders(t *testing.T) {
	for text, want := range map[string]memory.Phase{"0": memory.Full, "full": memory.Full, "hint": memory.Hint,
		"2":        memory.Abstract,
		"abstract": memory.Abstract, "3": memory.Removed} {
		file, err := memfile.Parse([]byte("---\ntopic: t\nphase: " + text + "\n---\nx"))
		require.NoError(t, err, text)
		require.Equal(t, want, file.Memory.Phase, text)
	}
	for _, text := range []string{"whole", "out of sight", "removed", "4"} {
		_, err := memfile.Parse([]byte("---\ntopic: t\nphase: " + text + "\n---\nx"))
		require.ErrorContains(t, err, "is not 0, 1, 2 or 3")
	}
}

func TestSides(t *testing.T) {
	of := func(text string) string { return "---\nid: mem_1a2b3c4d\ntopic: t\n---\n" + text }
	merge := func(ours, theirs string) string {
		return "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> other\n"
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a memory":            {of("Text.\n"), []string{of("Text.\n")}},
		"not a memory":        {"---\nText.\n", nil},
		"no header":           {"Text.\n", []string{"Text.\n"}},
		"a merge of the text": {of(merge("Ours.\n", "Theirs.\n")), []string{of("Ours.\n"), of("Theirs.\n")}},
		"a merge of all":      {merge(of("Ours.\n"), of("Theirs.\n")), []string{of("Ours.\n"), of("Theirs.\n")}},
		"two merges": {of(merge("a\n", "b\n") + "same\n" + merge("c\n", "d\n")),
			[]string{of("a\nsame\nc\n"), of("b\nsame\nd\n")}},
		"with the base": {of("<<<<<<< HEAD\nOurs.\n||||||| 1234567\nBase.\n=======\nTheirs.\n>>>>>>> " +
			"other\n"), []string{of("Ours.\n"), of("Theirs.\n")}},
		"their side is not a memory": {merge(of("Ours.\n"), "Theirs.\n"), []string{of("Ours.\n")}},
		"our side is not a memory":   {merge("Ours.\n", of("Theirs.\n")), []string{of("Theirs.\n")}},
		"neither side is":            {merge("Ours.\n", "Theirs.\n"), nil},
		"marks in a code block": {of("```\n" + merge("a\n", "b\n") + "```\n"),
			[]string{of("```\n" + merge("a\n", "b\n") + "```\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, side := range memfile.Sides([]byte(c.text)) {
				require.False(t, side.Memory.Conflicted)
				got = append(got, string(side.Bytes()))
			}
			require.Equal(t, c.want, got)
		})
	}
}
