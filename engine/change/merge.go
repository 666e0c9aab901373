package change

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

type merged struct {
	file   *memfile.File // of the first memory
	source []byte        // the archived text that stands for it, or nil
	m      memory.Memory
	others []*memfile.File
	left   int // values of the others for which there is no room
}

// MergeDraft returns the topic and the text of a merge, or the error with which [Engine.Merge] would refuse it.
func (e *Engine) MergeDraft(_ context.Context, g api.Merging) (d api.Draft, err error) {
	err = e.Store.View(func(v *store.View) error {
		j, err := e.join(v, g)
		d = api.Draft{Topic: j.m.Topic, Content: j.m.Content}
		return err
	})
	return d, err
}

// Merge makes one memory of several. The first one gets the tags, aliases, refs and links of all, the highest
// importance and difficulty, and the uses in this clone; it supersedes the others, which are archived after it is
// written. One undo takes back all of that.
func (e *Engine) Merge(ctx context.Context, g api.Merging) (api.Receipt, error) {
	var j merged
	err := e.Change(ctx, func(tx *base.Tx) (err error) {
		if j, err = e.join(tx.View, g); err != nil {
			return err
		}
		if _, err = trust.Screen(&j.m, j.file.Memory, false); err != nil {
			return err
		}
		data, err := j.file.With(j.m)
		if err != nil {
			return err
		}
		var ids []memory.ID
		for _, other := range j.others {
			ids = append(ids, other.Memory.ID)
		}
		session := e.OpenNow(tx.View)
		tx.Note(session, memory.Event{Action: memory.ActionMerged, ID: j.m.ID, Topic: j.m.Topic,
			Why: "with " + memory.JoinIDs(ids)})
		if !bytes.Equal(data, j.file.Bytes()) {
			if err := replace(tx, j.file, j.source, j.m, data); err != nil {
				return err
			}
		}
		if err := setAside(tx, session, j.m.ID, j.others); err != nil {
			return err
		}
		u, _, err := rank.UsageOf(tx.View)
		if err != nil {
			return err
		}
		u.Merge(j.m.ID, ids, false)
		u.Touch(j.m, tx.Now)
		tx.SetStats(u.Stats)
		return nil
	})
	if err != nil {
		return api.Receipt{}, err
	}
	note := memory.Say(fmt.Sprintf("merged %s into %s: %s", plural.Of(len(j.others), "memory", "memories"), j.m.ID,
		j.m.Topic))
	if j.left > 0 {
		note = append(note, memory.Say("no room for "+plural.Of(j.left, "tag, alias, file or link",
			"tags, aliases, files or links")+", which the archives keep")...)
	}
	return e.receipt(receiptOf(j.m, append(note, correctedNote(g.IDs[1:], j.others, nil)...))), nil
}

// refuseMerge is the error about memories that cannot be merged.
func refuseMerge(id memory.ID, format string, args ...any) error {
	return memory.NewError(memory.CodeConflict, memory.KindRequestInvalid, string(id), format, args...)
}

func countGiven(ids []memory.ID) string {
	return plural.Of(len(ids), "memory was given", "memories were given")
}

func (e *Engine) join(v *store.View, g api.Merging) (j merged, err error) {
	ids, err := base.ParseIDs(g.IDs)
	if err != nil {
		return j, err
	}
	if len(ids) < 2 || len(ids) > memory.MaxLinks {
		return j, memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, "",
			"%s to merge; 2 to %d different ones can be merged", countGiven(ids), memory.MaxLinks)
	}
	u, _, err := e.Usage(v)
	if err != nil {
		return j, err
	}
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return j, err
	}
	graph := snapshot.Links()
	var levels []string
	var all []memory.Memory
	for i, id := range ids {
		file, source, err := e.mergeable(v, u, ids, id)
		if err != nil {
			return j, err
		}
		if i < len(g.Files) && !bytes.Equal(g.Files[i], file.Bytes()) {
			return j, memory.NewError(memory.CodeConflict, memory.KindEditedMeanwhile, string(id),
				"%s was changed in the meantime", id)
		}
		m := file.Memory
		if source != nil {
			m = writtenAnew(m)
			m.Content, m.Summary = source.Memory.Content, source.Memory.Summary
		}
		if i == 0 {
			j.file, j.m = file, m
			if source != nil {
				j.source = source.Bytes()
			}
		} else {
			j.others = append(j.others, file)
		}
		for _, other := range graph.Disputes(id) {
			if slices.Contains(ids, other) && g.Text == "" {
				return j, refuseMerge(id, "%s and %s dispute each other; give the text that holds, or correct them", id,
					other)
			}
		}
		m.Disputes = append(slices.Clone(m.Disputes), graph.Disputes(id)...)
		m.Related = append(slices.Clone(m.Related), graph.Related(id)...)
		m.Supersedes = append(slices.Clone(m.Supersedes), ids[1:]...)
		if alias, err := memory.NormalizeAlias(m.Topic); i > 0 && err == nil && !rank.SameTopic(alias, j.m.Topic) {
			m.Aliases = append(slices.Clone(m.Aliases), alias)
		}
		levels = append(levels, m.Importance().Tag())
		all = append(all, m)
	}
	j.m, err = joinAll(j.m, all, ids, g)
	if slices.Contains(levels, memory.Normal.Tag()) { // which counts more than low
		levels = slices.DeleteFunc(levels, func(tag string) bool { return tag == memory.Low.Tag() })
	}
	j.m.Tags = memory.WithImportance(j.m.Tags, memory.ImportanceOf(levels))
	j.left = missing(j.m, all, ids)
	return j, err
}

// joinAll returns the first memory with what all of them have.
func joinAll(m memory.Memory, all []memory.Memory, ids []memory.ID, g api.Merging) (memory.Memory, error) {
	text := m.Content
	m.Supersedes = slices.Clone(ids[1:]) // there must be room for them
	m.Disputes, m.Related = nil, nil
	for i, other := range all {
		drop := func(links []memory.ID, also ...memory.ID) []memory.ID {
			return slices.DeleteFunc(slices.Clone(links), func(id memory.ID) bool {
				return id == ids[0] || slices.Contains(also, id)
			})
		}
		other.Supersedes = drop(other.Supersedes)
		other.Disputes, other.Related = drop(other.Disputes, ids...), drop(other.Related, ids...)
		other.Tags = other.PlainTags()
		m = api.Joined(m, other)
		m.Difficulty = max(m.Difficulty, other.Difficulty)
		if i > 0 {
			text = joinTexts(text, other.Content)
		}
	}
	if g.Text != "" {
		text = g.Text
	}
	if len(text) > memory.MaxContentBytes {
		return m, memory.NewError(memory.CodeInvalid, memory.KindMergeTooLong, string(ids[0]),
			"the texts together are too long for one memory")
	}
	topic := m.Topic
	if g.Topic != "" {
		topic = g.Topic
	}
	p := api.Patch{Topic: &topic, Content: &text}
	if err := cleanPatch(&p); err != nil {
		return m, err
	}
	return patched(m, p)
}

// joinTexts returns the lines of two texts, each once, or both one after the other if they share none.
func joinTexts(a, b string) string {
	lines := func(s string) int { return strings.Count(s, "\n") + 1 }
	text := union(a, b)
	if a != "" && b != "" && lines(text) == lines(a)+lines(b) {
		return a + "\n\n" + b
	}
	return text
}

// missing counts what memories have and the one that they were merged into has no room for.
func missing(m memory.Memory, all []memory.Memory, ids []memory.ID) (n int) {
	links := slices.Concat(m.Supersedes, m.Disputes, m.Related, ids)
	for _, other := range all {
		for _, tag := range other.PlainTags() {
			if !slices.Contains(m.Tags, tag) {
				n++
			}
		}
		for _, alias := range other.Aliases {
			if !memory.HasAlias(m.Aliases, alias) {
				n++
			}
		}
		for _, ref := range other.Refs {
			if !slices.ContainsFunc(m.Refs, ref.Same) {
				n++
			}
		}
		for _, id := range slices.Concat(other.Supersedes, other.Disputes, other.Related) {
			if !slices.Contains(links, id) {
				n++
			}
		}
	}
	return n
}

// mergeable returns a memory to merge and, if its file has only a part of its text, the full one in the archives.
func (e *Engine) mergeable(v *store.View, u rank.Usage, ids []memory.ID, id memory.ID) (file, full *memfile.File,
	err error) {
	if file, err = e.forgettable(v, id); err != nil {
		return nil, nil, err
	}
	m := file.Memory
	first, err := base.ReadActive(v, ids[0])
	if err != nil {
		return nil, nil, err
	}
	by := u.Standings.Get().SupersededBy(id)
	isFirst := func(other memory.ID) bool { return other == ids[0] }
	switch {
	case e.OriginsIn(v).ForeignText(id, file.Bytes()):
		return nil, nil, memory.NewError(memory.CodeConflict, memory.KindMemoryHeldBack, string(id),
			"%s is from elsewhere, and no person has approved it", id)
	case len(by) > 0 && !slices.ContainsFunc(by, isFirst):
		return nil, nil, refuseMerge(id, "%s is superseded by %s; merge that one", id, base.IDList(by))
	case m.Agent != first.Memory.Agent:
		return nil, nil, refuseMerge(id, "%s and %s are for different agents", ids[0], id)
	case m.OddLinks || m.OddAliases || m.OddRefs || m.OddTags:
		return nil, nil, refuseMerge(id, "the header of %s cannot be read whole; repair it first", id)
	case m.Phase == memory.Full:
		return file, nil, nil
	}
	if full, err = v.NewestFull(id); err != nil {
		return nil, nil, err
	}
	if full == nil {
		return nil, nil, memory.NewError(memory.CodeConflict, memory.KindAppendNoFull, string(id),
			"the full text of %s is missing, and only what is left of it could be merged", id)
	}
	if e.OriginsIn(v).ForeignText(id, full.Bytes()) {
		return nil, nil, refuseMerge(id, "the full text of %s is from elsewhere; restore and approve it first", id)
	}
	return file, full, nil
}

// maxApart bounds from how many memories one is told apart; the last ones count.
const maxApart = 50

// TellApart remembers in this clone that memories do not say the same.
func (e *Engine) TellApart(ctx context.Context, texts []string) error {
	ids, err := base.ParseIDs(texts)
	if err != nil {
		return err
	}
	if len(ids) < 2 || len(ids) > maxApart {
		return memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, "",
			"%s to tell apart; 2 to %d different ones are allowed", countGiven(ids), maxApart)
	}
	return e.Change(ctx, func(tx *base.Tx) error {
		u, _, err := rank.UsageOf(tx.View)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := base.ReadActive(tx.View, id); err != nil {
				return err
			}
			st := u.Of(id)
			var apart []memory.ID
			if st.NotSame != nil {
				apart = slices.Clone(*st.NotSame)
			}
			for _, other := range ids {
				if other != id && !slices.Contains(apart, other) {
					apart = append(apart, other)
				}
			}
			apart = apart[max(0, len(apart)-maxApart):]
			st.NotSame = &apart
			u.Stats[id] = st
		}
		tx.SetStats(u.Stats)
		return nil
	})
}
