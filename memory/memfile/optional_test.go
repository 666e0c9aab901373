package memfile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func share(v float64) *float64 { return &v }

// doubted is a memory that has all optional keys.
func doubted() memory.Memory {
	m := sample()
	m.Aliases = []string{"why do requests hang?", `say "ö": x, #y`}
	m.Category, m.Confidence = memory.Architectural, share(0.25)
	m.Supersedes, m.Disputes = []memory.ID{"mem_00000002", "mem_00000003"}, []memory.ID{"mem_00000004"}
	m.Related, m.Agent, m.Commit = []memory.ID{"mem_00000005"}, `re"viewer: x`, "1234567"
	m.Client = "codex"
	m.Origin = &memory.Origin{System: "claude-ltm", ID: "ARCH-1", Agent: "anima"}
	m.Signature = "v1:abc:def"
	blob := strings.Repeat("1", 40)
	m.Refs = []memory.Ref{{Path: "db/pool.go", Blob: blob}, {Path: `a "b"/ü.go`, Blob: blob, Line: 7, Near: "00112233445566ff"},
		{Path: "x.go", Line: 2, End: 9}, {Path: "x.go", Symbol: "Pool.Open"}}
	return m
}

// refs is how the references of the doubted memory are written.
const refs = "refs:\n" + `  - {path: "db/pool.go", blob: "1111111111111111111111111111111111111111"}
  - {path: "a \"b\"/ü.go", blob: "1111111111111111111111111111111111111111", line: 7, near: "00112233445566ff"}
  - {path: "x.go", line: 2-9}
  - {path: "x.go", symbol: "Pool.Open"}
`

func TestOptionalKeysAreReadLiberally(t *testing.T) {
	for line, want := range map[string]memory.Memory{
		"kind: emotional":             {Category: memory.Emotional},
		"kind: 'EMOT' # a comment":    {Category: memory.Emotional},
		`kind: "Achievement"`:         {Category: memory.Achievements},
		"kind: |\n  learn":            {Category: memory.Learnings},
		"kind:":                       {},
		"kind: ~":                     {},
		`kind: ""`:                    {},
		"kind: pattern":               {OddCategory: true},
		"kind: [emotional]":           {OddCategory: true},
		"kind: {a: b}":                {OddCategory: true},
		"kind: true":                  {OddCategory: true},
		"confidence: 0":               {Confidence: share(0)},
		"confidence: '0.5'":           {Confidence: share(0.5)},
		"confidence: .123":            {Confidence: share(0.123)},
		"confidence: 1.0":             {},
		"confidence:":                 {},
		"confidence: 1.1":             {OddConfidence: true},
		"confidence: -1":              {OddConfidence: true},
		"confidence: .nan":            {OddConfidence: true},
		"confidence: nan":             {OddConfidence: true},
		"confidence: 0,5":             {OddConfidence: true},
		"confidence: high":            {OddConfidence: true},
		"confidence: [0.5]":           {OddConfidence: true},
		"confidence: 1e999":           {OddConfidence: true},
		"kind: x\nconfidence: y":      {OddCategory: true, OddConfidence: true},
		"kind: ARCH\nconfidence: 0.2": {Category: memory.Architectural, Confidence: share(0.2)},
	} {
		text := "---\ntopic: t\n" + line + "\nowner: me\n---\nText.\n"
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			f, err := memfile.Parse([]byte(text))
			require.NoError(t, err, line)
			require.Equal(t, want, memory.Memory{Category: f.Memory.Category, Confidence: f.Memory.Confidence,
				OddCategory: f.Memory.OddCategory, OddConfidence: f.Memory.OddConfidence}, line)

			m := f.Memory
			m.Tags = []string{"new"}
			out, err := f.With(m)
			require.NoError(t, err, line)
			eol := text[len("---"):strings.Index(text, "topic")]
			require.Equal(t, strings.Replace(text, eol+"---"+eol, eol+"tags:"+eol+"  - new"+eol+"---"+eol, 1),
				string(out), "the bytes of the other keys stay")
		}
	}
}

// aliases is how the aliases of the doubted memory are written.
const aliases = "aliases:\n  - \"why do requests hang?\"\n  - \"say \\\"ö\\\": x, #y\"\n"

// links is how the links of the doubted memory are written.
const links = "supersedes: [mem_00000002, mem_00000003]\ndisputes: [mem_00000004]\nrelated: [mem_00000005]\n" +
	`agent: "re\"viewer: x"` + "\nclient: \"codex\"\ncommit: \"1234567\"\n" +
	`origin: {system: "claude-ltm", id: "ARCH-1", agent: "anima"}` + "\n"

func TestOptionalKeysAreWrittenOnlyWhenSet(t *testing.T) {
	text := string(memfile.Format(doubted()))
	require.Contains(t, text, "created_session: 42\n"+aliases+"kind: architectural\nconfidence: 0.25\n"+links+
		refs+"signature: \"v1:abc:def\"\n---\n")
	f, err := memfile.Parse([]byte(text))
	require.NoError(t, err)
	requireSame(t, doubted(), f.Memory)
	require.NotContains(t, string(memfile.Format(sample())), "kind")
	out, err := f.With(sample())
	require.NoError(t, err)
	require.Equal(t, string(memfile.Format(sample())), string(out), "clearing removes the lines")

	f, err = memfile.Parse(memfile.Format(sample()))
	require.NoError(t, err)
	out, err = f.With(doubted())
	require.NoError(t, err)
	require.Equal(t, text, string(out))
}

func TestChangingOptionalKeysKeepsTheRest(t *testing.T) {
	const file = "---\r\n# first\r\ntopic: t\r\nkind: nonsense # mine\r\n# about x\r\nx: [1, 2]\r\n" +
		"confidence: maybe\r\n---\r\nText.\r\n"
	change := func(file string, change func(*memory.Memory)) string {
		t.Helper()
		f, err := memfile.Parse([]byte(file))
		require.NoError(t, err)
		m := f.Memory
		change(&m)
		out, err := f.With(m)
		require.NoError(t, err)
		return string(out)
	}
	set := change(file, func(m *memory.Memory) {
		m.Category, m.Confidence, m.OddCategory, m.OddConfidence = memory.Learnings, share(0.5), false, false
	})
	want := strings.NewReplacer("nonsense", "learnings", "maybe", "0.5").Replace(file)
	require.Equal(t, want, set)
	cleared := change(file, func(m *memory.Memory) { m.OddCategory, m.OddConfidence = false, false })
	want = strings.NewReplacer("kind: nonsense # mine\r\n", "", "confidence: maybe\r\n", "").Replace(file)
	require.Equal(t, want, cleared)

	flow := "---\n{topic: a, kind: odd, owner: me, confidence: 0.5}\n---\nx\n"
	require.Equal(t, "---\ntopic: \"b\"\nkind: odd\nowner: me\nconfidence: 0.5\n---\nx\n",
		change(flow, func(m *memory.Memory) { m.Topic = "b" }))
	require.Equal(t, "---\ntopic: \"a\"\nowner: me\n---\nx\n",
		change(flow, func(m *memory.Memory) { m.OddCategory, m.Confidence = false, nil }))
	require.Equal(t, "---\ntopic: \"a\"\nkind: emotional\nowner: me\nconfidence: 0\n---\nx\n",
		change(flow, func(m *memory.Memory) {
			m.Category, m.OddCategory, m.Confidence = memory.Emotional, false, share(0)
		}))
}

func TestStubsKeepOptionalKeys(t *testing.T) {
	stub := memfile.FormatStub(doubted(), time.Unix(1e9, 0), memory.ReasonForgotten)
	require.Contains(t, string(stub), "phase: 3\n"+aliases+"kind: architectural\nconfidence: 0.25\n"+links+"archived: ")
	f, err := memfile.Parse(stub)
	require.NoError(t, err)
	require.Equal(t, memory.Architectural, f.Memory.Category)
	erased := memfile.FormatStub(doubted(), time.Unix(1e9, 0), memory.ReasonErased)
	require.NotContains(t, string(erased), "kind")
	require.NotContains(t, string(erased), "confidence")
	require.NotContains(t, string(erased), "mem_00000002")
	require.Contains(t, string(erased), "commit: ", "an erased memory that is found again stays erased")
}

// TestTwoKindsAreServed has a header as a merge of two branches can leave it.
func TestTwoKindsAreServed(t *testing.T) {
	for _, text := range []string{
		"---\nkind: arch\ntopic: t # why\nconfidence: 0.5\nkind: learn\nconfidence: 0.2\n---\nText.\n",
		"---\n{kind: arch, topic: t, confidence: 0.5, kind: learn, confidence: 0.2}\n---\nText.\n",
	} {
		file, err := memfile.Parse([]byte(text))
		require.NoError(t, err)
		require.Empty(t, file.Memory.Category)
		require.Nil(t, file.Memory.Confidence)
		require.True(t, file.Memory.OddCategory && file.Memory.OddConfidence)

		m := file.Memory
		m.Category, m.OddCategory, m.OddConfidence = memory.Learnings, false, false
		data, err := file.With(m)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(data), "kind: "), string(data))
		require.NotContains(t, string(data), "confidence")
		require.Contains(t, string(data), "topic: ")
	}
	_, err := memfile.Parse([]byte("---\ntopic: a\ntopic: b\n---\nx"))
	require.ErrorContains(t, err, "twice", "one of two topics cannot be dropped")
}

// TestACommentBehindABlockStays changes and removes keys whose values are block scalars.
func TestACommentBehindABlockStays(t *testing.T) {
	const text = "---\ntopic: >-\n  a\n  # of the topic\n# keep me\nkind: |\n" +
		"  learnings\n\n# keep me too\nowner: me\n---\nText.\n"
	file, err := memfile.Parse([]byte(text))
	require.NoError(t, err)
	m := file.Memory
	require.Equal(t, "a # of the topic", m.Topic)
	for _, category := range []memory.Category{memory.Achievements, ""} {
		m.Topic, m.Category = "b", category
		data, err := file.With(m)
		require.NoError(t, err)
		require.NotContains(t, string(data), "of the topic")
		require.Regexp(t, `(?s)topic: "b"\n# keep me\n.*# keep me too\nowner: me\n---`, string(data))
	}
}
