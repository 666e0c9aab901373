package change

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

func linksIn(what string, given []string) ([]memory.ID, error) {
	return memory.NormalizeLinks("", what, memory.AsIDs(given))
}

// corrected returns the files of the active memories that a new one supersedes. A memory that is
// archived already stays as it is. All memories that the new one names must exist.
func (e *Engine) corrected(v *store.View, m memory.Memory) ([]*memfile.File, error) {
	if err := e.checkNamed(v, slices.Concat(m.Disputes, m.Related)); err != nil {
		return nil, err
	}
	var files []*memfile.File
	for _, id := range m.Supersedes {
		file, err := e.forgettable(v, id)
		switch {
		case memory.KindOf(err) == memory.KindOnlyArchived:
		case base.IsMissing(err) && isSetAside(v, id):
		case err != nil:
			return nil, err
		default:
			files = append(files, file)
		}
	}
	return files, nil
}

// unfinished returns the correction that a killed process stored and m repeats, and what it
// supersedes and is still active. For any other duplicate it returns refused.
func (e *Engine) unfinished(v *store.View, m memory.Memory, refused error) (memory.Memory, []*memfile.File, error) {
	known, ok := errors.AsType[*memory.Error](refused)
	if !ok || len(m.Supersedes) == 0 || known.Kind != memory.KindDuplicate {
		return m, nil, refused
	}
	file, err := v.Read(memory.ID(known.Subject))
	if err != nil {
		return m, nil, refused
	}
	stored := file.Memory
	isOther := func(id memory.ID) bool { return !slices.Contains(stored.Supersedes, id) }
	if slices.ContainsFunc(m.Supersedes, isOther) {
		return m, nil, refused
	}
	aside, err := e.corrected(v, m)
	if err == nil && len(aside) == 0 {
		err = refused
	}
	return stored, aside, err
}

// keptTopic says that a memory has the topic of one that it supersedes. If it was not chosen on purpose, a topic that
// the new text seems to make false is refused.
func keptTopic(v *store.View, m memory.Memory, chosen bool) (memory.Note, error) {
	for _, id := range m.Supersedes {
		old, err := v.Read(id)
		if err != nil || old.Memory.Phase != memory.Full {
			if old, err = base.ArchivedText(v, id); err != nil {
				continue // nothing to compare with
			}
		}
		if !strings.EqualFold(old.Memory.Topic, m.Topic) || chosen {
			continue
		}
		if err := checkTopic(m.Topic, old.Memory, m.Content); err != nil {
			return nil, err
		}
		return memory.Say("it keeps the topic of " + string(id)), nil
	}
	return nil, nil
}

// checkTopic refuses a topic that stays while the text changes, if it names what is in the old text only.
func checkTopic(topic string, old memory.Memory, content string) error {
	word := memory.OutdatedInTopic(topic, old.Summary+"\n"+old.Content, content)
	if word == "" {
		return nil
	}
	return memory.NewError(memory.CodeInvalid, memory.KindTopicOutdated, "topic",
		"the topic %s may not hold any more: it says %s, as does the old text, and the new text does not",
		memory.Quote(topic, 80), memory.Quote(word, 40))
}

// isSetAside reports whether a memory is archived and was not erased.
func isSetAside(v *store.View, id memory.ID) bool {
	stub, err := v.ReadStub(id)
	return err == nil && stub.Memory.ArchivedReason != memory.ReasonErased
}

// checkNamed returns an error if one of these memories does not exist, or is held back.
func (e *Engine) checkNamed(v *store.View, ids []memory.ID) error {
	for _, id := range ids {
		file, err := v.Read(id)
		switch {
		case err == nil:
			err = e.Admit(v, id, file.Bytes())
		case base.IsMissing(err) && (isSetAside(v, id) || v.HasArchive(id)):
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setAside archives the memories that a new one supersedes. The new one is written by then: a
// crash in between leaves them active, and out of sight because it names them.
func setAside(tx *base.Tx, session *store.Session, by memory.ID, files []*memfile.File) error {
	for _, file := range files {
		m := file.Memory
		tx.Note(session, memory.Event{Action: memory.ActionSuperseded, ID: m.ID, Topic: m.Topic,
			Why: "by " + string(by)})
		if err := leaveStub(tx, file, memory.ReasonSuperseded); err != nil {
			return err
		}
	}
	return nil
}

// competing returns the other active memories that supersede what a memory supersedes, directly or not.
func (e *Engine) competing(v *store.View, m memory.Memory) ([]memory.ID, error) {
	if len(m.Supersedes) == 0 {
		return nil, nil
	}
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return nil, err
	}
	g, err := e.ModelFilter(v)
	if err != nil {
		return nil, err
	}
	var found []memory.ID
	for _, id := range m.Supersedes {
		found = append(found, snapshot.Links().Newer(id)...)
	}
	slices.Sort(found)
	return slices.DeleteFunc(slices.Compact(found), func(id memory.ID) bool {
		other := snapshot.Links().Memory(id)
		return id == m.ID || slices.Contains(m.Supersedes, id) || !other.Phase.Active() || g.ForeignID(id, false)
	}), nil
}

// correctedNote says what became of the memories that one supersedes from now on. competing supersede some of them too.
func correctedNote(supersedes []string, aside []*memfile.File, competing []memory.ID) memory.Note {
	named, err := linksIn("supersedes", supersedes)
	if err != nil || len(named) == 0 {
		return nil
	}
	var notes []string
	var ids []memory.ID
	for _, f := range aside {
		ids = append(ids, f.Memory.ID)
	}
	if len(ids) > 0 {
		stays := "stays"
		if len(ids) > 1 {
			stays = "stay"
		}
		notes = append(notes, fmt.Sprintf("it supersedes %s, which %s in the archives", base.IDList(ids), stays))
	}
	isNew := func(id memory.ID) bool { return slices.Contains(ids, id) }
	if old := slices.DeleteFunc(named, isNew); len(old) > 0 {
		notes = append(notes, fmt.Sprintf("%s had been archived before", base.IDList(old)))
	}
	if len(competing) > 0 {
		notes = append(notes, "also superseded by "+base.IDList(competing)+": keep only what holds")
	}
	return memory.Say(notes...)
}

// patchLinks changes the memories that one names, and returns the files of those that it supersedes
// from now on. Memories that are added must exist.
func (e *Engine) patchLinks(v *store.View, m *memory.Memory, p api.Patch) (aside []*memfile.File, err error) {
	drop, err := linksIn("unlink", p.Unlink)
	if err != nil {
		return nil, err
	}
	var added memory.Memory
	for _, list := range []struct {
		what  string
		given []string
		add   *[]memory.ID
		to    *[]memory.ID
	}{{"supersedes", p.Supersedes, &added.Supersedes, &m.Supersedes},
		{"disputes", p.Disputes, &added.Disputes, &m.Disputes}, {"related", p.Related, &added.Related, &m.Related}} {
		if *list.add, err = linksIn(list.what, list.given); err != nil {
			return nil, err
		}
		left := slices.DeleteFunc(slices.Clone(*list.to), func(id memory.ID) bool { return slices.Contains(drop, id) })
		if len(*list.add) > 0 {
			if left, err = memory.NormalizeLinks(m.ID, list.what, slices.Concat(left, *list.add)); err != nil {
				return nil, err
			}
		}
		*list.to = left
	}
	if err := refuseCycle(v, m.ID, added.Supersedes); err != nil {
		return nil, err
	}
	return e.corrected(v, added)
}

// refuseCycle returns an error if one of these memories supersedes a memory already.
func refuseCycle(v *store.View, id memory.ID, supersedes []memory.ID) error {
	if len(supersedes) == 0 {
		return nil
	}
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return err
	}
	newer := snapshot.Links().Newer(id)
	for _, older := range supersedes {
		if slices.Contains(newer, older) {
			return memory.NewError(memory.CodeConflict, memory.KindLinkCycle, string(older), "%s supersedes %s already",
				older, id)
		}
	}
	return nil
}
