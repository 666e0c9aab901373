package threads

import (
	"slices"
	"strings"
	"time"

	"ltm/conversation"
)

// writtenLines returns the lines of what a model wrote, as a context shows them, and what stands before each.
func (s Summary) writtenLines() (lines []conversation.Line, bullets []string) {
	for line := range strings.Lines(s.Written) {
		text := strings.TrimLeft(line, " -*\t")
		bullets = append(bullets, line[:len(line)-len(text)])
		lines = append(lines, conversation.Line{Event: s.ID, Text: strings.TrimSpace(text)})
	}
	return lines, bullets
}

// recounted returns a summary as it is told at a time: of its text, what a context would show. What is stored stays as
// it was written, because what holds changes.
func recounted(v View, s Summary, at time.Time) (Summary, error) {
	if s.ID == "" {
		return s, nil
	}
	claims, err := v.Claims(ClaimQuery{})
	if err != nil {
		return Summary{}, err
	}
	policies := make([]conversation.Claim, len(claims))
	for i, c := range claims {
		policies[i] = until(c)
	}
	known := conversation.Know(policies)
	if s.Written == "" {
		s.Lines = slices.DeleteFunc(known.Recount(s.Lines, at), func(l conversation.Line) bool { return l.Text == "" })
		return s, nil
	}
	lines, bullets := s.writtenLines()
	told := known.Recount(lines, at)
	if slices.EqualFunc(lines, told, func(a, b conversation.Line) bool { return a.Text == b.Text }) {
		return s, nil
	}
	s.Lines, s.Written = nil, "" // its sentences do not take the place of what a model wrote of them
	for i, l := range told {
		if l.Text != "" {
			s.Written += bullets[i] + l.Text + "\n"
		}
	}
	return s, nil
}
