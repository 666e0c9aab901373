package eviction

import (
	"ltm/abridge"
	"ltm/memory"
)

// Reduce returns m one phase further. The content of a hint is the first
// paragraph and the key points of the full content, see [abridge.Hint]; an
// abstract has none. A reduction that would not be shorter
// leaves the content as it is. A summary is never changed, but an abstract
// without one would say nothing, so there it is taken from the content.
//
// It is an [memory.Error] of [memory.CodeConflict] if to is not the phase after
// the memory's own, and for [memory.Removed]: a removed memory has no content,
// and removing is not done here.
func Reduce(m memory.Memory, to memory.Phase) (memory.Memory, error) {
	if !m.Phase.Active() || !to.Active() || to != m.Phase+1 {
		return memory.Memory{}, memory.Errorf(memory.CodeConflict, "a memory is reduced one phase at a time: full, hint, abstract; nothing was changed",
			"%q is %s and cannot become %s in one step", m.ID, m.Phase, to)
	}
	switch m.Phase = to; to {
	case memory.Hint:
		m.Content = abridge.Hint(m.Content)
	case memory.Abstract:
		if m.Summary == "" {
			m.Summary = abridge.FirstParagraph(m.Content)
		}
		m.Content = ""
	}
	return m, nil
}
