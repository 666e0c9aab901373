package eviction

import (
	"ltm/memory"
	"ltm/text/abridge"
)

// Reduce returns m one phase further. The content of a hint is the first paragraph and the key points of the full
// content (see [abridge.Hint]), or all of it if that would be no shorter; an abstract has no content. The summary is
// kept, but an abstract without one gets the first paragraph of its content.
//
// It returns a [memory.Error] of [memory.CodeConflict] if to is not the phase after the memory's
// own, or is [memory.Removed]: archiving is not done here.
func Reduce(m memory.Memory, to memory.Phase) (memory.Memory, error) {
	if !m.Phase.Active() || !to.Active() || to != m.Phase+1 {
		return memory.Memory{}, memory.NewError(memory.CodeConflict, memory.KindReduceStep, string(m.ID),
			"%q is %s and cannot become %s in one step; a memory fades one phase at a time: whole, hint, abstract",
			m.ID, m.Phase, to)
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
