package abridge

import "strings"

// maxSummaryChars bounds a derived summary to half of what a summary may have, because no one chose its words.
const maxSummaryChars = 500

// FirstParagraph returns the first paragraph or list item of a markdown text as one line of at most 500 characters, cut
// after a sentence or else between words. A paragraph that only introduces a list is followed by the items. A text
// without either gives its first heading, line of code or line.
func FirstParagraph(md string) string {
	text := unfence(cut(firstText(md), maxSummaryChars)) // code can show a fence
	return strings.TrimSpace(text)                       // of blanks that markdown does not know
}

// Restates reports whether a summary says only what a content shows anyway: it is a part of the content, whatever
// their line ends, or what [FirstParagraph] makes of it.
func Restates(summary, content string) bool {
	flat := oneLine(summary)
	return strings.Contains(oneLine(content), flat) || oneLine(FirstParagraph(content)) == flat
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func firstText(md string) string {
	pieces := parse(md).outline()
	for i, p := range pieces {
		switch {
		case p.kind == paragraph && isLead(p):
			return announced(pieces[i:])
		case p.kind == paragraph, p.kind == item && p.flat != "":
			return p.flat
		}
	}
	for _, k := range []kind{heading, verbatim, other} {
		for _, p := range pieces {
			if p.kind == k && p.flat != "" {
				return p.flat
			}
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(window(md)), "\n")
	return line
}

// announced joins a lead and the items that follow it.
func announced(pieces []piece) string {
	var items []string
	for _, p := range pieces[1:] {
		if p.kind != item || len(items) == maxPoints {
			break
		}
		items = append(items, strings.TrimRight(p.flat, ".;,"))
	}
	return strings.TrimSpace(pieces[0].flat + " " + strings.Join(items, "; "))
}
