package change

import (
	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/store"
)

// refuseDuplicate returns an error if an active memory has the same topic and content as m. One
// that is held back from a model does not count, because the model could not change it.
func (e *Engine) refuseDuplicate(v *store.View, m memory.Memory) error {
	g, err := e.ModelFilter(v)
	if err != nil {
		return err
	}
	same, err := duplicate(v, m, g)
	if err == nil && same != "" {
		return memory.NewError(memory.CodeConflict, memory.KindDuplicate, string(same),
			"%s already has the same topic and content", same)
	}
	return err
}

// duplicate returns the active memory, not held back, that has the same topic and content as m,
// or "". White space and the case of the topic are ignored. Only files with the same topic are
// read.
func duplicate(v *store.View, m memory.Memory, g trust.Filter) (memory.ID, error) {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return "", err
	}
	content := ""
	for _, r := range snapshot.Records {
		if !rank.SameTopic(r.Topic, m.Topic) || !r.IsFor(m.Agent) {
			continue // a memory of another agent is out of sight for this one
		}
		if content == "" {
			content = rank.Flat(m.Content)
		}
		if int64(len(content)) > r.Stamp().Size {
			continue
		}
		file, err := v.Read(r.ID)
		if base.IsMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
			continue
		}
		if err != nil {
			return "", err
		}
		if rank.SameTopic(file.Memory.Topic, m.Topic) && rank.Flat(file.Memory.Content) == content &&
			!g.Foreign(r.ID, file.Bytes()) {
			return r.ID, nil
		}
	}
	return "", nil
}
