package memory

import (
	"slices"
	"strings"
)

// Importance is the level that a person or a model gives a memory. A memory's file has it among the tags, as
// "importance:LEVEL", and so has [Memory.Tags]. Everywhere else, importance and tags are two things: answers leave the
// tag out ([Memory.PlainTags]), requests that have it mean the importance ([SplitImportance]), and a change of tags
// keeps it.
type Importance string

// The levels. A memory without such a tag is [Normal].
const (
	Critical  Importance = "critical"
	Important Importance = "important"
	Normal    Importance = "normal"
	Low       Importance = "low"
)

// importancePrefix begins the tag that carries the level.
const importancePrefix = "importance:"

// ParseImportance accepts a level's name in any case, with or without the tag's prefix. It
// also accepts "high" for [Important] and "medium" for [Normal].
func ParseImportance(s string) (Importance, error) {
	level := Importance(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), importancePrefix))
	switch level {
	case Critical, Important, Normal, Low:
		return level, nil
	case "high":
		return Important, nil
	case "medium":
		return Normal, nil
	}
	return "", NewError(CodeInvalid, KindImportanceUnknown, s,
		"%s is not an importance; allowed: critical, important, normal, low", Quote(s, 40))
}

// ImportanceOf returns the level that tags carry. If a merge left several, the highest counts:
// protecting too much does less harm.
func ImportanceOf(tags []string) Importance {
	levels := [...]Importance{Critical, Important, Low}
	best := len(levels)
	for _, tag := range tags {
		if len(tag) < len(importancePrefix) || !strings.EqualFold(tag[:len(importancePrefix)], importancePrefix) {
			continue
		}
		if said, err := ParseImportance(tag); err == nil {
			if i := slices.Index(levels[:best], said); i >= 0 {
				best = i
			}
		}
	}
	if best == len(levels) {
		return Normal
	}
	return levels[best]
}

// SplitImportance normalizes the tags of a request and takes the importance out of them. given is the importance that
// the request has beside its tags. The result is "" if neither names one. It is an error if they contradict each other.
func SplitImportance(tags []string, given Importance) (plain []string, level Importance, err error) {
	if given != "" {
		if level, err = ParseImportance(string(given)); err != nil {
			return nil, "", err
		}
	}
	if tags, err = NormalizeTags(tags); err != nil {
		return nil, "", err
	}
	plain = WithImportance(tags, Normal)
	for _, tag := range tags {
		if !IsImportanceTag(tag) {
			continue
		}
		said := Importance(strings.TrimPrefix(tag, importancePrefix))
		if level != "" && level != said {
			return nil, "", NewError(CodeInvalid, KindImportanceTwice, string(level),
				"the importance is %s, but a tag says %s", level, said)
		}
		level = said
	}
	return plain, level, nil
}

// Tag returns the tag that carries the level in a file.
func (i Importance) Tag() string { return importancePrefix + string(i) }

// WithImportance returns tags with exactly the given level; [Normal] adds no tag.
func WithImportance(tags []string, level Importance) []string {
	out := make([]string, 0, len(tags)+1)
	for _, tag := range tags {
		if !IsImportanceTag(tag) {
			out = append(out, tag)
		}
	}
	if level != Normal && level != "" {
		out = append(out, level.Tag())
	}
	return out
}

// IsImportanceTag reports whether a tag has the prefix of importance tags; the level may be invalid.
func IsImportanceTag(tag string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(tag)), importancePrefix)
}
