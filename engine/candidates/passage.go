package candidates

import (
	"iter"
	"slices"
	"strings"

	"ltm/text/abridge"
)

// passageOf returns what of a text of the model is worth keeping: without blocks of code and lines that only report.
func passageOf(text string) passage {
	var p passage
	var lines []string
	best, fenced := 0.0, false
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if abridge.IsFence(trimmed) {
			fenced = !fenced
			continue
		}
		if fenced || trimmed == "---" {
			continue
		}
		if line = withoutIdle(line); line == "" && trimmed != "" {
			continue
		}
		trimmed = strings.TrimSpace(line)
		score, why := worth(trimmed)
		p.score += score
		if p.why == "" {
			p.why = why
		}
		if score > best && says(trimmed) {
			best, p.why, p.topic = score, why, trimmed
		}
		lines = append(lines, line)
	}
	p.text = clippedText(strings.TrimSpace(strings.Join(lines, "\n")))
	if p.topic == "" {
		p.topic = firstSaying(lines)
	}
	p.finding = clipped(flat(unmarked(p.topic)), mostAsk)
	p.topic = topicOf(p.topic)
	return p
}

// withoutIdle returns a line without the sentences that only report, announce or ask something.
func withoutIdle(line string) string {
	var kept strings.Builder
	for sentence := range sentences(line) {
		if s := strings.TrimSpace(sentence); !isIdle(s) && !strings.HasSuffix(strings.TrimRight(s, "*_ "), "?") {
			if kept.Len() == 0 && !strings.HasPrefix(line, sentence) {
				sentence = strings.TrimLeft(sentence, " ")
			}
			kept.WriteString(sentence)
		}
	}
	return strings.TrimRight(kept.String(), " ")
}

// sentences yields the sentences of a line, with the space before each.
func sentences(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line != "" {
			n := abridge.SentenceEnd(line)
			if n <= 0 {
				n = len(line)
			}
			if !yield(line[:n]) {
				return
			}
			line = line[n:]
		}
	}
}

// says reports whether a line can stand alone: no heading, row of a table or beginning of a list.
func says(line string) bool {
	line = strings.TrimRight(line, "* ")
	return line != "" && line[0] != '#' && line[0] != '|' && line[len(line)-1] != ':' &&
		len(strings.Fields(strings.TrimLeft(line, "-*>0123456789. "))) >= leastWords
}

// firstSaying returns the first of lines that can stand alone, or "".
func firstSaying(lines []string) string {
	for _, line := range lines {
		if line = strings.TrimSpace(line); says(line) {
			return line
		}
	}
	return ""
}

// The least number of words of a topic, and of what explains a fix without a mark.
const (
	leastWords     = 4
	leastExplained = 8
)

// topicOf returns the first sentence of a line, without its markup.
func topicOf(line string) string {
	return clipped(flat(abridge.FirstSentence(unmarked(line))), maxTopic)
}

// unmarked returns a line without the markup of a list or heading, and of what is bold.
func unmarked(line string) string {
	return strings.ReplaceAll(strings.TrimLeft(line, "-*#>0123456789. "), "**", "")
}

// clippedText shortens a text, at the end of a line if it can.
func clippedText(text string) string {
	r := []rune(text)
	if len(r) <= MaxChars {
		return text
	}
	text = string(r[:MaxChars])
	if i := strings.LastIndex(text, "\n"); i > len(text)/2 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// leastItem is the least number of bytes of an item of a section that says something: not "No errors."
const leastItem = 60

// sections returns the items of those sections of a compaction's summary from which there is something to learn.
func sections(text string) []passage {
	var out []passage
	title, item := "", []string(nil)
	end := func() {
		weight := sectionWeight(title)
		p := passageOf(strings.Join(item, "\n"))
		if weight > 0 && len(p.text) >= leastItem && !isChore(item[0]) {
			if p.score > 0 {
				weight += p.score + ofSummary
			}
			p.score = weight
			p.why = "the summary of a compaction has it under \"" + title + "\""
			p.finding = clipped(flat(unmarked(p.text)), mostAsk)
			out = append(out, p)
		}
		item = nil
	}
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		if abridge.IsFence(strings.TrimSpace(line)) {
			fenced = !fenced
			continue
		}
		if fenced {
			continue // a line of code would be an item
		}
		if heading, ok := headingOf(line); ok {
			end()
			title = heading
			continue
		}
		if len(item) > 0 && strings.TrimSpace(line) != "" && indent(line) <= indent(item[0]) {
			end()
		}
		if len(item) > 0 || strings.TrimSpace(line) != "" {
			item = append(item, line)
		}
	}
	end()
	return out
}

// indent returns the number of spaces that a line begins with.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// isChore reports whether an item tells of what a tool finds again each time.
func isChore(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{"lint", "compil", "build failed", "unused", "undefined", "typo",
		"missing import", "` import", "import order", "accidental", "replace_all", "old_string", "string replacement",
	}, func(word string) bool { return strings.Contains(line, word) })
}

// headingOf returns the heading that a line of a summary is, such as "4. Errors and fixes:" or "## Key decisions".
func headingOf(line string) (string, bool) {
	line = strings.TrimRight(line, " ")
	heading := strings.Trim(line, "#*0123456789.: ")
	marked := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**")
	numbered := line != "" && line[0] >= '0' && line[0] <= '9' && strings.HasSuffix(strings.TrimRight(line, "*"), ":")
	return heading, heading != "" && len(heading) <= 60 && (numbered || marked)
}

// sectionWeight returns how much a section of a summary tells, by its title.
func sectionWeight(title string) float64 {
	title = strings.ToLower(title)
	for _, known := range []struct {
		word   string
		weight float64
	}{{"error", 2}, {"fix", 2}, {"decision", 2}, {"learn", 2}, {"problem", 1.5}, {"concept", 1}} {
		if strings.Contains(title, known.word) {
			return known.weight
		}
	}
	return 0
}
