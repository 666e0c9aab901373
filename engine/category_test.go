package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// kinds are four memories about one thing.
func kinds(f *fixture) (ids [4]memory.ID) {
	f.t.Helper()
	for i, d := range []api.Draft{{Topic: "Pool size"}, {Topic: "Pool layer", Category: memory.Architectural},
		{Topic: "Pool lesson", Category: memory.Learnings, Confidence: of(0.5)},
		{Topic: "Pool rumor", Category: memory.Learnings, Confidence: of(0.2), Importance: memory.Critical}} {
		d.Content = d.Topic + ": the pool is small.\n\nSecret detail " + string(rune('A'+i))
		r, err := f.Remember(f.ctx, d)
		require.NoError(f.t, err)
		ids[i] = r.ID
	}
	return ids
}

// TestKindsOrderMemoriesOfTheSamePriority, and only those.
func TestKindsOrderMemoriesOfTheSamePriority(t *testing.T) {
	f := newEngine(t)
	store := func(topic string, category memory.Category, difficulty float64) {
		_, err := f.Remember(f.ctx, api.Draft{Topic: topic, Content: topic, Category: category,
			Difficulty: &difficulty})
		require.NoError(t, err)
	}
	store("mood", memory.Emotional, 0.5)
	store("layers", memory.Architectural, 0.5)
	store("shipped", memory.Achievements, 0.9)
	store("plain", "", 0.5)
	store("other mood", memory.Emotional, 0.4)
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	var topics []string
	for _, m := range list.Memories {
		topics = append(topics, m.Topic)
	}
	require.Equal(t, []string{"shipped", "mood", "layers", "plain", "other mood"}, topics)
}

func TestKindAndConfidenceAreStored(t *testing.T) {
	f := newEngine(t)
	ids := kinds(f)
	read := func(id memory.ID) string {
		data, err := os.ReadFile(f.memoryFile(id))
		require.NoError(t, err)
		return string(data)
	}
	plain := read(ids[0])
	require.NotContains(t, plain, "kind")
	require.NotContains(t, plain, "confidence")
	require.Contains(t, read(ids[2]), "kind: learnings\nconfidence: 0.5\n")
	d, err := f.Peek(f.ctx, string(ids[2]))
	require.NoError(t, err)
	require.Equal(t, memory.Learnings, d.Category)
	require.Equal(t, of(0.5), d.Confidence)

	update := func(id memory.ID, p api.Patch) error {
		_, err := f.Update(f.ctx, string(id), p)
		return err
	}
	require.NoError(t, update(ids[0], api.Patch{Category: of(memory.Category("ACHV")), Confidence: of(0.0)}))
	require.Contains(t, read(ids[0]), "kind: achievements\nconfidence: 0\n", "one stored form")
	require.NoError(t, update(ids[0], api.Patch{Category: of(memory.Category("")), Confidence: of(1.0)}))
	require.Equal(t, plain, read(ids[0]), "clearing removes the lines")
	certain, err := f.Peek(f.ctx, string(ids[1]))
	require.NoError(t, err)
	require.Equal(t, certain.Priority, d.Priority, "confidence does not count")

	for _, p := range []api.Patch{{Category: of(memory.Category("pattern"))}, {Confidence: of(-0.1)},
		{Confidence: of(1.5)}} {
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(update(ids[0], p)))
	}
	_, err = f.Remember(f.ctx, api.Draft{Topic: "t", Content: "c", Confidence: of(2.0)})
	require.Equal(t, memory.KindConfidenceRange, memory.KindOf(err))
	_, err = f.Remember(f.ctx, api.Draft{Topic: "t", Content: "c", Category: "x"})
	require.Equal(t, memory.KindCategoryUnknown, memory.KindOf(err))
	require.Equal(t, plain, read(ids[0]))

	why, err := f.Why(f.ctx, string(ids[3]))
	require.NoError(t, err)
	require.Contains(t, strings.Join(why.Notes, "\n"),
		"its confidence is 0.20, which does not change the priority; it is marked as unsure")
}

func TestListsAndQuestionsByKind(t *testing.T) {
	f := newEngine(t)
	ids := kinds(f)
	list, err := f.List(f.ctx, api.ListFilter{Category: memory.Learnings, Order: api.ByTopic})
	require.NoError(t, err)
	require.Equal(t, 2, list.Total)
	require.Equal(t, ids[2], list.Memories[0].ID)
	require.Equal(t, memory.Learnings, list.Memories[0].Category)
	require.Equal(t, of(0.5), list.Memories[0].Confidence)

	for question, test := range map[string]struct {
		filter memory.Category
		want   []memory.ID
	}{
		"pool":                               {"", ids[:]},
		"pool kind:learnings":                {"", ids[2:]},
		"kind:LEARN":                         {"", ids[2:]},
		"kind:arch kind:learning":            {"", ids[1:]},
		"kind:emotional pool":                {"", nil},
		"pool ":                              {memory.Architectural, ids[1:2]},
		"pool kind:arch":                     {memory.Learnings, nil},
		"pool kind:arch kind:learn":          {memory.Learnings, ids[2:]},
		"kind:pool":                          {"", ids[:]}, // words, and "kind" is in none
		`tag:importance:critical kind:learn`: {"", ids[3:]},
	} {
		r, err := f.Recall(f.ctx, api.Query{Text: question, Category: test.filter})
		require.NoError(t, err)
		var found []memory.ID
		for _, h := range r.Memories {
			found = append(found, h.ID)
		}
		if r.Nearest {
			require.Len(t, found, 3, question)
			require.Subset(t, test.want, found, question)
		} else {
			require.ElementsMatch(t, test.want, found, question)
		}
		require.Equal(t, len(test.want), r.Total, question)
	}
	for _, id := range ids[1:3] {
		_, err := f.Forget(f.ctx, string(id))
		require.NoError(t, err)
	}
	r, err := f.Recall(f.ctx, api.Query{Text: "pool", Category: memory.Architectural})
	require.NoError(t, err)
	require.Empty(t, r.Memories)
	require.Equal(t, 1, r.Archived, "the other archive is of another kind")
	r, err = f.Recall(f.ctx, api.Query{Text: "pool kind:learn", Include: api.IncludeAll})
	require.NoError(t, err)
	require.Len(t, r.Memories, 2)
	list, err = f.List(f.ctx, api.ListFilter{Category: memory.Learnings, Include: api.IncludeArchives})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total)
	_, err = f.Restore(f.ctx, string(ids[2]), "")
	require.NoError(t, err)
	d, err := f.Peek(f.ctx, string(ids[2]))
	require.NoError(t, err)
	require.Equal(t, memory.Learnings, d.Category)
	require.Equal(t, of(0.5), d.Confidence)
}

func TestABlockMarksWhatIsUnsure(t *testing.T) {
	f := newEngine(t)
	ids := kinds(f)
	block := f.start("s")
	require.Contains(t, block, "## "+string(ids[1])+" · "+f.now.Format("2006-01-02")+" · architectural\n> # Pool layer")
	require.Contains(t, block, " · learnings · unsure\n")
	require.Contains(t, block, "- "+string(ids[3])+" (critical) (unsure) > Pool rumor\n", "one line")
	require.NotContains(t, block, "Secret detail D")
	require.Contains(t, block, "Secret detail C")
	require.NotContains(t, block, "exceed", "it is a line whatever the budget")
}

func TestCheckRemarksOnOddValues(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	odd := strings.Replace(string(data), "\n---\n\n", "\nkind: pattern # mine\nconfidence: high\n---\n\n", 1)
	require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(odd), 0o644))
	report, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, report.OK)
	var kinds []memory.Kind
	for _, r := range report.Remarks {
		for _, part := range r.Reason {
			kinds = append(kinds, part.Kind)
		}
		require.Equal(t, "memories/"+id.File(), r.Where)
	}
	require.Equal(t, []memory.Kind{memory.KindFoundCategory, memory.KindFoundConfidence}, kinds)

	d, err := f.Get(f.ctx, string(id))
	require.NoError(t, err, "it is served")
	require.Empty(t, d.Category)
	require.Nil(t, d.Confidence)
	_, err = f.Update(f.ctx, string(id), api.Patch{AddTags: []string{"db"}})
	require.NoError(t, err)
	now, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	require.Contains(t, string(now), "kind: pattern # mine\nconfidence: high\n", "the bytes stay")
	_, err = f.Update(f.ctx, string(id), api.Patch{Category: of(memory.Emotional), Confidence: of(1.0)})
	require.NoError(t, err)
	now, err = os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	require.Contains(t, string(now), "kind: emotional # mine\n")
	require.NotContains(t, string(now), "confidence")
	report, err = f.Check(f.ctx)
	require.NoError(t, err)
	require.Empty(t, report.Remarks)
}

// TestEditingAKind refuses a kind or a confidence that would count as none.
func TestEditingAKind(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "It is 20.", 0.5)
	_, before, err := f.File(f.ctx, string(id))
	require.NoError(t, err)
	for _, line := range []string{"kind: blah", "confidence: 7", "kind: arch\nkind: learn"} {
		after := strings.Replace(string(before), "phase: 0", "phase: 0\n"+line, 1)
		_, err = f.EditFile(f.ctx, id, before, []byte(after))
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err), line)
		require.ErrorContains(t, err, "in the text")
	}
	after := strings.Replace(string(before), "phase: 0", "phase: 0\nkind: ARCH", 1)
	_, err = f.EditFile(f.ctx, id, before, []byte(after))
	require.NoError(t, err)
}

// TestResolvingBothKeepsAKindOfEitherSide has a kind on one side and a confidence on the other.
func TestResolvingBothKeepsAKindOfEitherSide(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "It is 20.", 0.5)
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	merged := strings.Replace(string(data), "phase: 0",
		"phase: 0\n<<<<<<< ours\nconfidence: 0.5\n=======\nkind: arch\n>>>>>>> theirs", 1)
	require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(merged), 0o644))
	_, err = f.Resolve(f.ctx, string(id), api.KeepBoth)
	require.NoError(t, err)
	d, err := f.Peek(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, memory.Architectural, d.Category)
	require.Equal(t, 0.5, *d.Confidence)
}

// TestResolvingBothKeepsTheListsOfBothSides has another entry of each list on each side.
func TestResolvingBothKeepsTheListsOfBothSides(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "It is 20.", 0.5)
	side := func(name string, n int) string {
		ids := fmt.Sprintf(`["mem_0000000a", "mem_0000000%x"]`, n)
		return "aliases: [shared, " + name + "]\ntags: [same, " + name + "]\nsupersedes: " + ids +
			"\ndisputes: " + ids + "\nrelated: " + ids + "\nrefs:\n  - {path: same.go, line: 3}\n" +
			"  - {path: " + name + ".go, line: 1}\n"
	}
	merged := strings.Replace(f.text(id), "tags:\n",
		"<<<<<<< HEAD\n"+side("ours", 0xb)+"=======\n"+side("theirs", 0xc)+">>>>>>> other\n", 1)
	f.put(id, merged)
	_, err := f.Resolve(f.ctx, string(id), api.KeepBoth)
	require.NoError(t, err)
	file, err := memfile.Parse([]byte(f.text(id)))
	require.NoError(t, err)
	m, links := file.Memory, []memory.ID{"mem_0000000a", "mem_0000000b", "mem_0000000c"}
	require.False(t, m.Conflicted)
	require.Equal(t, []string{"same", "ours", "theirs"}, m.Tags)
	require.Equal(t, []string{"shared", "ours", "theirs"}, m.Aliases)
	require.Equal(t, [][]memory.ID{links, links, links}, [][]memory.ID{m.Supersedes, m.Disputes, m.Related})
	require.Equal(t, []memory.Ref{{Path: "same.go", Line: 3}, {Path: "ours.go", Line: 1},
		{Path: "theirs.go", Line: 1}}, m.Refs)
}
