package engine

import (
	"context"
	"fmt"
	"slices"

	"ltm/eviction"
	"ltm/memory"
	"ltm/store"
)

// Update changes a memory and counts as an access. New content makes a reduced
// memory full again; the fuller text from before stays in the archives, also when
// the memory is archived again.
func (e *Engine) Update(ctx context.Context, id string, p memory.Patch) (memory.Receipt, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return memory.Receipt{}, err
	}
	if err := cleanPatch(&p); err != nil {
		return memory.Receipt{}, err
	}
	var changed memory.Memory
	var masked int
	err = e.update(ctx, func(tx *store.Tx) error {
		file, err := readActive(&tx.View, parsed)
		if err != nil {
			return err
		}
		if err := e.admit(&tx.View, parsed, file.Bytes()); err != nil {
			return err
		}
		changed = patched(file.Memory, p)
		if masked, err = screen(&changed, file.Memory, p.Redact); err != nil {
			return err
		}
		data, err := file.With(changed)
		if err != nil {
			return err
		}
		if !slices.Equal(data, file.Bytes()) {
			if err := replace(tx, file, changed, data); err != nil {
				return err
			}
		}
		u, state, err := usage(&tx.View)
		if err != nil {
			return err
		}
		u.touch(changed, e.now())
		if !slices.Equal(data, file.Bytes()) {
			e.log(tx, e.sessionOf(state, p.Session), memory.Event{Action: memory.ActionUpdated, ID: parsed, Topic: changed.Topic, Why: changedFields(p)})
		}
		tx.SetStats(u.stats)
		return nil
	})
	if err != nil {
		return memory.Receipt{}, err
	}
	message := fmt.Sprintf("updated %s: %s", parsed, changed.Topic)
	if masked > 0 {
		message += fmt.Sprintf(" (%d masked)", masked)
	}
	return memory.Receipt{Success: true, ID: parsed, Message: message, Difficulty: changed.Difficulty, Tags: tagsOf(changed.Tags)}, nil
}

// cleanPatch brings the fields of a patch into stored form.
func cleanPatch(p *memory.Patch) error {
	if p.Empty() {
		return memory.Errorf(memory.CodeInvalid, "give topic, content, tags or difficulty; nothing was changed", "there is nothing to update")
	}
	if p.Topic != nil {
		topic, err := memory.NormalizeTopic(*p.Topic)
		if err != nil {
			return err
		}
		p.Topic = &topic
	}
	if p.Content != nil {
		content, err := memory.NormalizeContent(*p.Content)
		if err != nil {
			return err
		}
		p.Content = &content
	}
	if p.Tags != nil {
		tags, err := memory.NormalizeTags(*p.Tags)
		if err != nil {
			return err
		}
		p.Tags = &tags
	}
	if p.Difficulty != nil {
		if err := memory.CheckDifficulty(*p.Difficulty); err != nil {
			return err
		}
	}
	return nil
}

// summaryOf is the summary of a content that nobody has given one.
func summaryOf(content string) string {
	summary, err := memory.NormalizeSummary(eviction.FirstParagraph(content))
	if err != nil {
		return "" // readers take it from the content
	}
	return summary
}

// writtenAnew returns a memory that gets new content. When it was reduced, what
// is written now was not brought back from the archive.
func writtenAnew(m memory.Memory) memory.Memory {
	m.Restored = m.Restored && m.Phase == memory.Full
	m.Phase = memory.Full
	return m
}

func patched(m memory.Memory, p memory.Patch) memory.Memory {
	if p.Topic != nil {
		m.Topic = *p.Topic
	}
	if p.Content != nil {
		taken := m.Phase == memory.Abstract || m.Summary == summaryOf(m.Content)
		m = writtenAnew(m)
		m.Content = *p.Content
		if taken { // one that somebody wrote stays
			m.Summary = summaryOf(m.Content)
		}
	}
	if p.Tags != nil {
		m.Tags = *p.Tags
	}
	if p.Difficulty != nil {
		m.Difficulty = memory.Round2(*p.Difficulty)
	}
	return m
}
