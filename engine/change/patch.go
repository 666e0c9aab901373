package change

import (
	"slices"
	"strings"

	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// cleanPatch normalizes the fields of a patch, and refuses a patch that is empty or contradicts itself.
func cleanPatch(p *api.Patch) error {
	switch {
	case p.Empty():
		return memory.NewError(memory.CodeInvalid, memory.KindPatchEmpty, "", "there is nothing to update")
	case p.Content != nil && p.Append != nil:
		return memory.NewError(memory.CodeInvalid, memory.KindContentTwice, "content",
			"both content and append were given")
	case p.Append != nil && strings.TrimSpace(*p.Append) == "":
		return memory.NewError(memory.CodeInvalid, memory.KindAppendEmpty, "append",
			"the text to append is empty; append is the text to add, as markdown")
	}
	for _, text := range []struct {
		value **string
		clean func(string) (string, error)
	}{{&p.Topic, memory.NormalizeTopic}, {&p.Content, memory.NormalizeContent}, {&p.Append, memory.NormalizeContent},
		{&p.Summary, cleanSummary}} {
		if *text.value == nil {
			continue
		}
		clean, err := text.clean(**text.value)
		if err != nil {
			return err
		}
		*text.value = &clean
	}
	if err := p.Apply(&memory.Memory{}); err != nil {
		return err
	}
	return cleanTags(p)
}

// cleanSummary is [memory.NormalizeSummary] for a summary that replaces another in a file.
func cleanSummary(s string) (string, error) {
	s, err := memory.NormalizeSummary(s)
	if err == nil && memory.HasConflictMarks(s) {
		return "", memory.NewError(memory.CodeInvalid, memory.KindSummaryConflicted, "summary",
			"the summary has merge conflict markers")
	}
	return s, err
}

// wholeFor returns the memory that a patch changes. If the file is reduced and the patch needs
// the whole text, m has the full text of the archives, and source is the bytes of that archive.
func (e *Engine) wholeFor(v *store.View, file *memfile.File, p api.Patch) (m memory.Memory, source []byte, err error) {
	m = file.Memory
	if m.Phase == memory.Full || p.Append == nil && (p.Summary == nil || p.Content != nil) {
		return m, nil, nil
	}
	full, err := v.NewestFull(m.ID)
	if err != nil {
		return m, nil, err
	}
	if full == nil {
		return m, nil, memory.NewError(memory.CodeConflict, memory.KindAppendNoFull, string(m.ID),
			"the full text of %s is missing, and only what is left of it could be extended", m.ID)
	}
	if err := e.Admit(v, m.ID, full.Bytes()); err != nil {
		return m, nil, err
	}
	m = writtenAnew(m)
	m.Content, m.Summary = full.Memory.Content, full.Memory.Summary
	return m, full.Bytes(), nil
}

// patched returns a memory with the changes of a clean patch.
func patched(m memory.Memory, p api.Patch) (memory.Memory, error) {
	before := m
	if p.Topic != nil {
		m.Topic = *p.Topic
	}
	content, err := patchedContent(m, p)
	if err != nil {
		return before, err
	}
	if content != nil {
		if p.Topic == nil {
			if err := checkTopic(m.Topic, m, *content); err != nil {
				return before, err
			}
		}
		taken := m.Phase == memory.Abstract || m.Summary == trust.SummaryOf(m.Content)
		m = writtenAnew(m)
		m.Content = *content
		if taken { // a summary that was given stays
			m.Summary = trust.SummaryOf(m.Content)
		}
	}
	if p.Summary != nil {
		if m.Summary = *p.Summary; m.Summary == "" {
			m.Summary = trust.SummaryOf(m.Content)
		}
	}
	m.Tags = patchedTags(m.Tags, p)
	if err := memory.CheckTagCount("", m.Tags, len(before.Tags)); err != nil {
		return before, err
	}
	if err := p.Apply(&m); err != nil {
		return before, err
	}
	return m, nil
}

// patchedContent returns the new content, or nil when it stays.
func patchedContent(m memory.Memory, p api.Patch) (*string, error) {
	if p.Append == nil {
		return p.Content, nil
	}
	if strings.HasSuffix("\n\n"+m.Content, "\n\n"+*p.Append) {
		return nil, memory.NewError(memory.CodeConflict, memory.KindAppendRepeated, string(m.ID),
			"%s already ends with this text", m.ID)
	}
	content, err := memory.NormalizeContent(strings.TrimLeft(m.Content+"\n\n"+*p.Append, "\n"))
	return &content, err
}

// writtenAnew returns m as a full memory, for new content. If it was reduced, it does not count
// as restored: the new content did not come from the archive.
func writtenAnew(m memory.Memory) memory.Memory {
	m.Restored = m.Restored && m.Phase == memory.Full
	m.Phase = memory.Full
	return m
}

// cleanTags normalizes the tags of a patch, and refuses tags that contradict each other.
func cleanTags(p *api.Patch) (err error) {
	if p.Tags != nil && (len(p.AddTags) > 0 || len(p.RemoveTags) > 0) {
		return memory.NewError(memory.CodeInvalid, memory.KindTagsTwice, "tags",
			"tags were given together with tags to add or remove")
	}
	given := &p.AddTags
	if p.Tags != nil {
		given = p.Tags
	} else if p.AddTags, err = namedTags("add", p.AddTags); err != nil {
		return err
	}
	tags, level, err := memory.SplitImportance(*given, p.Importance)
	if err != nil {
		return err
	}
	if p.RemoveTags, err = namedTags("remove", p.RemoveTags); err != nil {
		return err
	}
	for _, tag := range append(p.AddTags, level.Tag()) {
		if slices.Contains(p.RemoveTags, tag) {
			return memory.NewError(memory.CodeInvalid, memory.KindTagAddedAndRemoved, tag,
				"tag %q was given both to add and to remove", tag)
		}
	}
	p.Importance = level
	if p.Tags != nil {
		p.Tags = &tags
	} else {
		p.AddTags = tags
	}
	return nil
}

// namedTags is [memory.NormalizeTags], but refuses empty tags.
func namedTags(what string, tags []string) ([]string, error) {
	for _, tag := range tags {
		if one, err := memory.NormalizeTags([]string{tag}); err == nil && len(one) == 0 {
			return nil, memory.NewError(memory.CodeInvalid, memory.KindTagEmpty, "tags",
				"a tag to %s is empty; a tag is a word of 1 to 50 characters", what)
		}
	}
	return memory.NormalizeTags(tags)
}

// patchedTags applies a clean patch to the tags in a memory's file. A patch that does not name the importance keeps it,
// unless it removes it as a tag.
func patchedTags(tags []string, p api.Patch) []string {
	if p.Tags != nil {
		tags = memory.WithImportance(*p.Tags, memory.ImportanceOf(tags))
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return slices.Contains(p.RemoveTags, tag) })
	for _, tag := range p.AddTags {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if p.Importance != "" {
		tags = memory.WithImportance(tags, p.Importance)
	}
	return tags
}
