package transfer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/memory"
	"ltm/memory/memfile"
)

func options() transfer.Options {
	return transfer.Options{Scope: transfer.ScopeProject, Project: "p", Day: time.Unix(1e9, 0), Difficulty: 0.3}
}

// planned plans the import of entries.
func planned(t *testing.T, shelf *shelf, o transfer.Options, items ...transfer.Item) transfer.Plan {
	t.Helper()
	for i := range items {
		items[i].Entry = fmt.Sprintf("[%d]", i)
	}
	p, err := transfer.NewPlan(transfer.Prepare("form", "in", transfer.Reading{System: "s", Items: items}, o), shelf, o)
	require.NoError(t, err)
	return p
}

func item(key, text string) transfer.Item {
	return transfer.Item{Key: key, Memory: memory.Memory{Content: text}}
}

func TestPlanGivesLinks(t *testing.T) {
	shelf := newShelf()
	a, b := item("a", "A."), item("b", "B.")
	a.Related, a.Disputes = []string{"b", "a", "nowhere", "b"}, []string{"c"}
	bad := item("c", "")
	o := options()
	o.SkipBad = true
	p := planned(t, shelf, o, a, b, bad)
	require.Equal(t, transfer.Counts{New: 2, Refused: 1}, p.Counts)
	require.Equal(t, []string{`the link to "c" was dropped`, `the link to "nowhere" was dropped`}, p.Steps[0].Remarks)
	shelf.Apply(t, p)
	m := shelf.Memory(t, p.Steps[0].ID)
	require.Equal(t, []memory.ID{p.Steps[1].ID}, m.Related)
	require.Empty(t, m.Disputes)

	// A later document may name what came with an earlier one.
	c := item("c", "C.")
	c.Related = []string{"a"}
	p = planned(t, shelf, options(), c)
	shelf.Apply(t, p)
	require.Equal(t, []memory.ID{m.ID}, shelf.Memory(t, p.Steps[0].ID).Related)
}

// TestPlanDropsWhatIsTooMuch has an entry with more links than a memory can have.
func TestPlanDropsWhatIsTooMuch(t *testing.T) {
	shelf := newShelf()
	first := item("first", "First.")
	all := []transfer.Item{first}
	for i := range memory.MaxLinks + 2 {
		key := fmt.Sprintf("k%03d", i)
		all = append(all, item(key, "Text "+key))
		all[0].Related = append(all[0].Related, key)
	}
	p := planned(t, shelf, options(), all...)
	require.Equal(t, transfer.Counts{New: len(all)}, p.Counts)
	require.Len(t, p.Steps[0].Remarks, 2)
	shelf.Apply(t, p)
	require.Len(t, shelf.Memory(t, p.Steps[0].ID).Related, memory.MaxLinks)
}

// TestPlanArchivesOnce has two entries that supersede one memory, which is here already.
func TestPlanArchivesOnce(t *testing.T) {
	shelf := newShelf()
	old := planned(t, shelf, options(), item("old", "Old."))
	shelf.Apply(t, old)
	a, b := item("a", "A."), item("b", "B.")
	a.Supersedes, b.Supersedes = []string{"old", "old"}, []string{"old"}
	p := planned(t, shelf, options(), a, b)
	require.Len(t, p.Steps, 3)
	require.Equal(t, transfer.ActionArchive, p.Steps[1].Action)
	require.Equal(t, old.Steps[0].ID, p.Steps[1].ID)
	require.Equal(t, transfer.ActionNew, p.Steps[2].Action)
}

// TestPlanTakesOffASignatureOverAnotherID gives a record another id than the one that was signed.
func TestPlanTakesOffASignatureOverAnotherID(t *testing.T) {
	m := memory.Memory{ID: "mem_00000001", Topic: "Signed", Content: "It was.", CreatedAt: time.Unix(1e9, 0),
		Signature: "v1:0123456789abcdef:" + strings.Repeat("0", 64)}
	record := func(m memory.Memory) transfer.Item {
		return transfer.Item{Key: string(m.ID), WantID: m.ID, Memory: m, Own: &transfer.Record{File: memfile.Format(m)}}
	}
	shelf := newShelf()
	p := planned(t, shelf, options(), record(m))
	shelf.Apply(t, p)
	require.Equal(t, m.Signature, shelf.Memory(t, m.ID).Signature, "with its own id")

	other := memory.Memory{ID: m.ID, Topic: "Another", Content: "It has the id.", CreatedAt: time.Unix(2e9, 0)}
	shelf = newShelf()
	shelf.Memories[m.ID.File()] = memfile.Format(other)
	p = planned(t, shelf, options(), record(m))
	shelf.Apply(t, p)
	require.NotEqual(t, m.ID, p.Steps[0].ID)
	require.Equal(t, "Signed", shelf.Memory(t, p.Steps[0].ID).Topic)
	require.Empty(t, shelf.Memory(t, p.Steps[0].ID).Signature)
}

// TestPlanLeavesWhatWasErased has a record of a memory of which only the stub is left here.
func TestPlanLeavesWhatWasErased(t *testing.T) {
	m := memory.Memory{ID: "mem_00000001", Topic: "Erased", Content: "It was.", CreatedAt: time.Unix(1e9, 0)}
	shelf := newShelf()
	shelf.Memories[m.ID.File()] = memfile.FormatStub(memory.Memory{ID: m.ID}, time.Unix(2e9, 0), memory.ReasonErased)
	p := planned(t, shelf, options(), transfer.Item{Key: string(m.ID), WantID: m.ID, Memory: m,
		Own: &transfer.Record{File: memfile.Format(m)}})
	require.Equal(t, transfer.ActionSkip, p.Steps[0].Action)
	require.Contains(t, p.Steps[0].Reason, "it is archived here")
}

// TestPlanGivesAnAgent imports for another agent than the document says.
func TestPlanGivesAnAgent(t *testing.T) {
	signed := memory.Memory{ID: "mem_00000001", Topic: "Signed", Content: "It was.", CreatedAt: time.Unix(1e9, 0),
		Agent: "a", Signature: "v1:0123456789abcdef:" + strings.Repeat("0", 64)}
	old := signed
	old.Agent, old.Content = "", "It was else."
	stub := memory.Memory{ID: "mem_00000002", Topic: "Gone", Content: "It is.", CreatedAt: time.Unix(1e9, 0),
		Agent: "c"}
	items := func() []transfer.Item {
		name := memfile.VersionName(signed.ID, 1, memfile.Format(old))
		return []transfer.Item{
			{Key: string(signed.ID), WantID: signed.ID, Memory: signed, Own: &transfer.Record{
				File:     memfile.Format(signed),
				Versions: []transfer.Version{{Name: name, Data: memfile.Format(old)}}}},
			{Key: string(stub.ID), WantID: stub.ID, Memory: stub, Own: &transfer.Record{
				File:     memfile.FormatStub(stub, time.Unix(2e9, 0), memory.ReasonForgotten),
				Versions: []transfer.Version{{Name: stub.ID.File(), Data: memfile.Format(stub)}}}},
			item("plain", "A plain one."),
		}
	}
	for _, agent := range []string{"b", ""} {
		o := options()
		o.Agent = &agent
		shelf := newShelf()
		p := planned(t, shelf, o, items()...)
		require.Equal(t, transfer.Counts{New: 3, Archived: 1}, p.Counts)
		shelf.Apply(t, p)
		require.Empty(t, shelf.Memory(t, signed.ID).Signature, "it signs the agent")
		require.True(t, shelf.Memory(t, stub.ID).IsStub())
		for _, files := range []map[string][]byte{shelf.Memories, shelf.Archives} {
			for name, data := range files {
				file, err := memfile.Parse(data)
				require.NoError(t, err)
				require.Equal(t, agent, file.Memory.Agent, name)
				if id, number, ok := memory.ParseArchiveName(name); ok && number > 0 {
					require.Equal(t, memfile.VersionName(id, number, data), name)
				}
			}
		}
		for _, step := range p.Steps {
			require.Equal(t, agent, step.Agent)
		}
		again := planned(t, shelf, o, items()...)
		require.Equal(t, transfer.Counts{Skipped: 3}, again.Counts)
		for _, step := range again.Steps {
			require.Empty(t, step.Remarks)
		}

		// Another agent, or as the document says, which says none of the plain one.
		other := "d"
		o.Agent = &other
		again = planned(t, shelf, o, items()...)
		require.False(t, again.Changes())
		require.Equal(t, []string{map[string]string{"b": "its agent stays as it is here: b",
			"": "it stays for the sessions of all agents"}[agent]}, again.Steps[2].Remarks)
		o.Agent, o.Known = nil, transfer.KnownUpdate
		again = planned(t, shelf, o, items()...)
		require.Equal(t, transfer.Counts{Updated: 1, Skipped: 2}, again.Counts)
		o.Agent = &other
		again = planned(t, shelf, o, items()...)
		require.Equal(t, transfer.Counts{Updated: 2, Skipped: 1}, again.Counts)
		shelf.Apply(t, again)
		require.Equal(t, "d", shelf.Memory(t, p.Steps[2].ID).Agent)
	}
	conflict := memory.Memory{ID: "mem_00000003", Topic: "C"}
	bad := transfer.Item{Key: string(conflict.ID), WantID: conflict.ID, Memory: conflict, Own: &transfer.Record{
		File: []byte("---\nid: \"mem_00000003\"\ntopic: C\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")}}
	o, agent := options(), "b"
	o.Agent = &agent
	require.ErrorContains(t, planned(t, newShelf(), o, bad).Err(), "merge")
}

// TestPlanKeepsOneTextForEachAgent has one text for two agents, and then for all.
func TestPlanKeepsOneTextForEachAgent(t *testing.T) {
	a, b, all := item("a", "A."), item("b", "A."), item("all", "A.")
	a.Memory.Agent, b.Memory.Agent = "a", "b"
	shelf := newShelf()
	require.Equal(t, transfer.Counts{New: 1, Skipped: 2}, planned(t, shelf, options(), all, a, b).Counts)
	p := planned(t, shelf, options(), a, b, all)
	require.Equal(t, transfer.Counts{New: 3}, p.Counts)
	shelf.Apply(t, p)
	again := item("again", "A.")
	again.Memory.Agent = "c"
	require.Equal(t, transfer.Counts{Skipped: 1}, planned(t, shelf, options(), again).Counts, "it sees that for all")
}

// TestPlanReplacesWhatIsForeignByWhatIsTrusted updates a memory that has tags of its own.
func TestPlanReplacesWhatIsForeignByWhatIsTrusted(t *testing.T) {
	for name, c := range map[string]struct{ foreign, trusted, replaced bool }{
		"from elsewhere, by a document that is trusted": {true, true, true},
		"from elsewhere, by one that is not":            {true, false, false},
		"written here, by a document that is trusted":   {false, true, false},
	} {
		shelf := newShelf()
		first := item("a", "A.")
		first.Memory.Tags = []string{"here"}
		p := planned(t, shelf, options(), first)
		shelf.Apply(t, p)
		signed := shelf.Memory(t, p.Steps[0].ID)
		signed.Signature = "v1:0123456789abcdef:" + strings.Repeat("0", 64)
		shelf.Memories[signed.ID.File()] = memfile.Format(signed)
		shelf.Foreign = c.foreign
		o := options()
		o.Known, o.Trust = transfer.KnownUpdate, c.trusted
		p = planned(t, shelf, o, item("a", "Another text."))
		require.Equal(t, transfer.Counts{Updated: 1}, p.Counts, name)
		shelf.Apply(t, p)
		m := shelf.Memory(t, p.Steps[0].ID)
		require.Equal(t, "Another text.", m.Content, name)
		require.Equal(t, c.replaced, len(m.Tags) == 0, name)
		require.Empty(t, m.Signature, name)
	}
}

func TestPlanArchivesAtOnce(t *testing.T) {
	shelf := newShelf()
	a := item("a", "A.")
	a.Archived = &transfer.Archived{Reason: memory.ReasonForgotten, Day: time.Date(2020, 2, 2, 0, 0, 0, 0, time.UTC)}
	p := planned(t, shelf, options(), a)
	shelf.Apply(t, p)
	m := shelf.Memory(t, p.Steps[0].ID)
	require.True(t, m.IsStub())
	require.Equal(t, memory.ReasonForgotten, m.ArchivedReason)
	require.Equal(t, 2020, m.ArchivedAt.Year())
	require.Equal(t, "a", m.Origin.ID)
	require.False(t, planned(t, shelf, options(), a).Changes())
}

func TestPlanSupersedesInChains(t *testing.T) {
	shelf := newShelf()
	a, b, c := item("a", "A."), item("b", "B."), item("c", "C.")
	b.Supersedes, c.Supersedes = []string{"a"}, []string{"b"}
	p := planned(t, shelf, options(), c, b, a)
	require.Equal(t, transfer.Counts{New: 3, Archived: 2}, p.Counts)
	shelf.Apply(t, p)
	require.False(t, shelf.Memory(t, p.Steps[0].ID).IsStub())
	require.True(t, shelf.Memory(t, p.Steps[1].ID).IsStub())
	require.Equal(t, []memory.ID{p.Steps[2].ID}, shelf.Memory(t, p.Steps[1].ID).Supersedes)
	require.False(t, planned(t, shelf, options(), c, b, a).Changes())
}

// TestPlanWalksLongCircles has a circle of as many entries as a document may have.
func TestPlanWalksLongCircles(t *testing.T) {
	var items []transfer.Item
	for i := range 5000 {
		next := item(fmt.Sprint(i), fmt.Sprint("Text ", i))
		next.Supersedes = []string{fmt.Sprint((i + 1) % 5000)}
		items = append(items, next)
	}
	p := planned(t, newShelf(), options(), items...)
	require.Equal(t, transfer.Counts{New: 5000}, p.Counts)
}

func TestPlanNeedsRoom(t *testing.T) {
	shelf := newShelf()
	shelf.Most = 2
	o := options()
	ready := transfer.Prepare("form", "in", transfer.Reading{System: "s", Items: []transfer.Item{item("a", "A."),
		item("b", "B."), item("c", "C.")}}, o)
	_, err := transfer.NewPlan(ready, shelf, o)
	require.Equal(t, memory.KindImportFull, memory.KindOf(err))
	require.ErrorContains(t, err, "the store has room for 1 fewer memories than the import needs")
}

// TestPlanNeedsRoomInTheArchives updates a memory whose text goes there.
func TestPlanNeedsRoomInTheArchives(t *testing.T) {
	shelf := newShelf()
	shelf.Apply(t, planned(t, shelf, options(), item("a", "A.")))
	shelf.Archives["mem_00000009.md"] = []byte("of another")
	o := options()
	o.Known = transfer.KnownUpdate
	changed := item("a", "Another text.")
	changed.Entry = "[0]"
	ready := transfer.Prepare("form", "in", transfer.Reading{System: "s", Items: []transfer.Item{changed}}, o)
	shelf.Most = 2
	_, err := transfer.NewPlan(ready, shelf, o)
	require.NoError(t, err)
	shelf.Most = 1
	_, err = transfer.NewPlan(ready, shelf, o)
	require.Equal(t, memory.KindImportFull, memory.KindOf(err))
	require.ErrorContains(t, err, "1 fewer archives")
}

func TestPlanListsAtMostTwentyEntries(t *testing.T) {
	var items []transfer.Item
	for i := range 30 {
		items = append(items, item(fmt.Sprint(i), ""))
	}
	err := planned(t, newShelf(), options(), items...).Err()
	require.ErrorContains(t, err, "30 of 30 entries cannot be imported\n  [0]: ")
	require.ErrorContains(t, err, "\n  and 10 more")
	require.Equal(t, 22, len(strings.Split(err.Error(), "\n")))
}

func TestPlanKeepsOrigins(t *testing.T) {
	long := item(strings.Repeat("x", memory.MaxOriginChars+1), "A.")
	require.ErrorContains(t, planned(t, newShelf(), options(), long).Err(), "cannot be stored")
	odd := item("a\x1b[2J\nb", "A.")
	require.ErrorContains(t, planned(t, newShelf(), options(), odd).Err(), "cannot be stored")
}

func TestTopicOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"\n\n# A  heading #\nx": "A heading #",
		"One line. Two.\nMore":  "One line. Two.",
		"A sentence. " + strings.Repeat("word ", 60): "A sentence.",
		strings.Repeat("x", 300):                     strings.Repeat("x", 199) + "…",
		"###":                                        "",
		"\u00a0 text":                                "text",
	} {
		require.Equal(t, want, transfer.TopicOf(text), "%q", text)
	}
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{"Tide Pool": "tide-pool", "a__b": "a-b", "日本": "default", "": "default",
		"-x-": "x", "TidePool2": "tidepool2"} {
		require.Equal(t, want, transfer.Slug(name))
	}
}
