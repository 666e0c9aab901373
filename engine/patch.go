package engine

import (
	"slices"
	"strings"

	"ltm/abridge"
	"ltm/api"
	"ltm/memfile"
	"ltm/memory"
	"ltm/store"
)

// cleanPatch brings the fields of a patch into stored form.
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
	if p.Difficulty != nil {
		if err := memory.CheckDifficulty(*p.Difficulty); err != nil {
			return err
		}
	}
	return cleanTags(p)
}

// cleanSummary is [memory.NormalizeSummary] for a summary that replaces another in
// a file.
func cleanSummary(s string) (string, error) {
	s, err := memory.NormalizeSummary(s)
	if err == nil && memory.HasConflictMarks(s) {
		return "", memory.NewError(memory.CodeInvalid, memory.KindSummaryConflicted, "summary",
			"the summary holds the marks of a merge conflict")
	}
	return s, err
}

// wholeFor returns what a patch changes: the memory as its file has it or, when the
// file is reduced and the patch needs all of the text, with the full text of the
// archives, which source is then.
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
	if err := e.admit(v, m.ID, full.Bytes()); err != nil {
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
		taken := m.Phase == memory.Abstract || m.Summary == summaryOf(m.Content)
		m = writtenAnew(m)
		m.Content = *content
		if taken { // one that a person or a model wrote stays
			m.Summary = summaryOf(m.Content)
		}
	}
	if p.Summary != nil {
		if m.Summary = *p.Summary; m.Summary == "" {
			m.Summary = summaryOf(m.Content)
		}
	}
	if m.Tags, err = patchedTags(m.Tags, p); err != nil {
		return before, err
	}
	if p.Difficulty != nil {
		m.Difficulty = memory.Round2(*p.Difficulty)
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
			"%s ends with this text already", m.ID)
	}
	content, err := memory.NormalizeContent(strings.TrimLeft(m.Content+"\n\n"+*p.Append, "\n"))
	return &content, err
}

// summaryOf is the summary of a content that was not given one.
func summaryOf(content string) string {
	summary, err := memory.NormalizeSummary(abridge.FirstParagraph(content))
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

// cleanTags brings the tags of a patch into stored form, and refuses those that
// contradict each other.
func cleanTags(p *api.Patch) (err error) {
	if p.Tags != nil && (len(p.AddTags) > 0 || len(p.RemoveTags) > 0) {
		return memory.NewError(memory.CodeInvalid, memory.KindTagsTwice, "tags",
			"tags were given together with tags to add or remove")
	}
	if p.Tags != nil {
		tags, err := memory.NormalizeTags(*p.Tags)
		if err != nil {
			return err
		}
		p.Tags = &tags
	}
	if p.AddTags, err = namedTags("add", p.AddTags); err != nil {
		return err
	}
	if p.RemoveTags, err = namedTags("remove", p.RemoveTags); err != nil {
		return err
	}
	for _, tag := range p.AddTags {
		if slices.Contains(p.RemoveTags, tag) {
			return memory.NewError(memory.CodeInvalid, memory.KindTagAddedAndRemoved, tag,
				"tag %q is to be added and removed", tag)
		}
	}
	given := p.AddTags
	if p.Tags != nil {
		given = *p.Tags
	}
	return agree(given, p.Importance)
}

// namedTags is [memory.NormalizeTags] for tags of which each must be one.
func namedTags(what string, tags []string) ([]string, error) {
	for _, tag := range tags {
		if one, err := memory.NormalizeTags([]string{tag}); err == nil && len(one) == 0 {
			return nil, memory.NewError(memory.CodeInvalid, memory.KindTagEmpty, "tags",
				"a tag to %s is empty; a tag is a word of 1 to 50 characters", what)
		}
	}
	return memory.NormalizeTags(tags)
}

// agree is an error when an importance does not exist, or when the tags beside it
// name another.
func agree(tags []string, level memory.Importance) error {
	if level == "" {
		return nil
	}
	if _, err := memory.ParseImportance(string(level)); err != nil {
		return err
	}
	for _, tag := range tags {
		if said, err := memory.ParseImportance(tag); memory.IsImportanceTag(tag) && err == nil && said != level {
			return memory.NewError(memory.CodeInvalid, memory.KindImportanceTwice, string(level),
				"the importance is %s, and a tag says %s", level, said)
		}
	}
	return nil
}

// patchedTags returns the tags of a memory with the changes of a clean patch. There
// is one importance at most, the one that was given last.
func patchedTags(tags []string, p api.Patch) ([]string, error) {
	before := len(tags)
	if p.Tags != nil {
		tags = *p.Tags
	}
	tags = slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return slices.Contains(p.RemoveTags, tag) })
	for _, tag := range p.AddTags {
		switch level, err := memory.ParseImportance(tag); {
		case memory.IsImportanceTag(tag) && err == nil:
			tags = memory.WithImportance(tags, level)
		case !slices.Contains(tags, tag):
			tags = append(tags, tag)
		}
	}
	return withLevel(tags, p.Importance, before)
}

// withLevel returns tags with an importance, unless that makes too many of a memory
// that had so many.
func withLevel(tags []string, level memory.Importance, before int) ([]string, error) {
	if level != "" {
		tags = memory.WithImportance(tags, level)
	}
	if len(tags) > memory.MaxTags && len(tags) > before {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindTagsTooMany, "tags",
			"that makes %d tags; at most %d tags are allowed, and an importance is one of them", len(tags),
			memory.MaxTags)
	}
	return tags, nil
}
