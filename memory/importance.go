package memory

import "strings"

// Importance is the level that a person or a model gives a memory with a tag "importance:LEVEL".
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
		said, err := ParseImportance(tag)
		if err != nil {
			continue
		}
		for i, level := range levels[:best] {
			if said == level {
				best = i
			}
		}
	}
	if best == len(levels) {
		return Normal
	}
	return levels[best]
}

// WithImportance returns tags with exactly the given level; [Normal] adds no tag.
func WithImportance(tags []string, level Importance) []string {
	out := make([]string, 0, len(tags)+1)
	for _, tag := range tags {
		if !strings.HasPrefix(strings.ToLower(tag), importancePrefix) {
			out = append(out, tag)
		}
	}
	if level != Normal && level != "" {
		out = append(out, importancePrefix+string(level))
	}
	return out
}

// IsImportanceTag reports whether a tag has the prefix of importance tags; the level may be
// invalid.
func IsImportanceTag(tag string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(tag)), importancePrefix)
}
