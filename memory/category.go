package memory

import (
	"math"
	"slices"
	"strings"
)

// Category is the sort of knowledge that a memory holds. People and front matter call it the kind; [Kind] is the kind
// of an error. The zero value means none.
type Category string

const (
	Emotional     Category = "emotional" // how people like to work and to be spoken to
	Architectural Category = "architectural"
	Learnings     Category = "learnings"
	Achievements  Category = "achievements"
)

// Categories lists all categories, in the order of listings.
func Categories() []Category { return []Category{Emotional, Architectural, Learnings, Achievements} }

// Rank returns the category's place in [Categories]; none is last.
func (c Category) Rank() int {
	if i := slices.Index(Categories(), c); i >= 0 {
		return i
	}
	return len(Categories())
}

// Short returns the category's short form in capitals, or "" for none.
func (c Category) Short() string {
	switch c {
	case Emotional:
		return "EMOT"
	case Architectural:
		return "ARCH"
	case Learnings:
		return "LEARN"
	case Achievements:
		return "ACHV"
	}
	return ""
}

// CategoryNames lists the categories for people, with the other names that [ParseCategory] accepts.
const CategoryNames = "emotional, architectural (or decision, convention), " +
	"learnings (or bug, howto, gotcha), achievements"

// ParseCategory accepts a category's name or one of its other names, in any case, in the singular or
// plural, and its short form. An empty name means no category.
func ParseCategory(s string) (Category, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	if name == "" {
		return "", nil
	}
	switch strings.TrimSuffix(name, "s") {
	case "emotional", "emot":
		return Emotional, nil
	case "architectural", "arch", "decision", "convention":
		return Architectural, nil
	case "learning", "learn", "bug", "howto", "gotcha":
		return Learnings, nil
	case "achievement", "achv":
		return Achievements, nil
	}
	return "", NewError(CodeInvalid, KindCategoryUnknown, s, "%s is not a kind of memory; allowed: "+CategoryNames,
		Quote(s, 40))
}

// Below these levels of confidence a memory is marked as unsure, and is no longer shown
// whole to a session that did not ask for it.
const (
	unsureBelow   = 0.7
	doubtfulBelow = 0.3
)

// Sureness returns the stored form of a confidence, in which nil means 1. It refuses anything but a number from 0 to 1.
func Sureness(v float64) (*float64, error) {
	if math.IsNaN(v) || v < 0 || v > 1 {
		return nil, NewError(CodeInvalid, KindConfidenceRange, "confidence",
			"confidence %v is out of range; confidence is a number from 0 (a guess) to 1 (certain)", v)
	}
	if v = math.Abs(v); v == 1 { // Abs makes 0 of -0
		return nil, nil
	}
	return &v, nil
}

// RoundedSureness is [Sureness] of a new confidence, which is kept to two decimals.
func RoundedSureness(v float64) (*float64, error) {
	if _, err := Sureness(v); err != nil {
		return nil, err
	}
	return Sureness(Round2(v))
}

// IsUnsure reports whether a confidence is to be marked; nil is certain.
func IsUnsure(confidence *float64) bool { return confidence != nil && *confidence < unsureBelow }

// Unsure reports whether the memory is to be marked as unsure.
func (m Memory) Unsure() bool { return IsUnsure(m.Confidence) }

// Doubtful reports whether the memory is too unsure to be shown whole unasked.
func (m Memory) Doubtful() bool { return m.Confidence != nil && *m.Confidence < doubtfulBelow }
