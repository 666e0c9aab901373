package transcript

import (
	"slices"
	"strings"
	"unicode"
)

// ask adds what a user asked.
func (d *outliner) ask(text string) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	if output, _ := wrapped(text); strings.HasPrefix(output, "local-command-") {
		if n := len(d.Steps); d.typed { // the client itself ran that command
			d.Steps, d.typed = d.Steps[:n-1], false
		}
		return
	}
	d.notified(text)
	if name, _ := inside(text, "command-name"); clears(name) || clears(text) {
		d.Outline = Outline{Offset: d.Offset, Skipping: d.Skipping, Missing: d.Missing, Model: d.Model,
			Directory: d.Directory, Branch: d.Branch}
		return
	}
	if command, ok := typedCommand(text); ok {
		if d.asked(command); command != "" {
			d.typed = true
		}
		return
	}
	d.asked(ownText(text))
}

// clears reports whether a command begins a new context.
func clears(command string) bool {
	return command == "/clear" || command == "/new" || command == "/reset"
}

func (d *outliner) asked(text string) {
	if text == "" || strings.HasPrefix(text, "[Request interrupted") {
		return
	}
	if d.settled && Words(text) >= AskWords {
		d.work++
		d.settled, d.Packet, d.Files = false, "", nil
	}
	d.add(Step{Kind: Asked, Text: clip(text, MaxAsk)})
	var asks []int
	for i, s := range d.Steps {
		if s.Kind == Asked {
			asks = append(asks, i)
		}
	}
	if len(asks) > MaxAsks {
		d.Steps = slices.Delete(d.Steps, asks[1], asks[1]+1) // the first one may be the goal
	}
}

// AskWords is how many words an ask has that says something: not "go on".
const AskWords = 3

// Words counts the words of a text. Of scripts without spaces between words, two characters count as one.
func Words(text string) int {
	n := 0
	for _, word := range strings.Fields(text) {
		dense := 0
		for _, r := range word {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
				unicode.Khmer) {
				dense++
			}
		}
		n += max(1, (dense+1)/2)
	}
	return n
}

// SummaryText returns what a compaction's summary says, without the client's words around it and the notes from which
// the model made it.
func SummaryText(text string) string {
	if _, rest, ok := strings.Cut(text, "</analysis>"); ok {
		text = rest
	}
	if summary, ok := inside(text, "summary"); ok {
		return summary
	}
	if _, rest, ok := strings.Cut(text, "\nSummary:\n"); ok {
		text = rest
	}
	text, _, _ = strings.Cut(text, "\nIf you need specific details from before compaction")
	return strings.TrimSpace(text)
}

// typedCommand returns the command that a user typed, such as "/review 12", from the client's form of it. It is "" for
// a command without arguments, which asks for nothing by itself, and for those of ltm.
func typedCommand(text string) (command string, ok bool) {
	name, ok := inside(text, "command-name")
	if !ok || !strings.HasPrefix(text, "<command-") {
		return "", false
	}
	arguments, _ := inside(text, "command-args")
	if arguments == "" || strings.HasPrefix(name, "/ltm") {
		return "", true
	}
	return name + " " + arguments, true
}

// inside returns the text in the first element of that name.
func inside(text, name string) (string, bool) {
	_, rest, opened := strings.Cut(text, "<"+name+">")
	content, _, closed := strings.Cut(rest, "</"+name+">")
	return strings.TrimSpace(content), opened && closed
}

// maxUnclosed bounds the search for the ends of elements in a text.
const maxUnclosed = 16

// ownText returns a text without the elements that the client put around it: any whose name has a
// hyphen or an underscore, such as <system-reminder>, which begins a line and has an end.
func ownText(text string) string {
	const pasted = "pasted_content" // is the user's
	var own []string
	for unclosed := 0; text != ""; {
		trimmed := strings.TrimLeft(text, " \t")
		if unclosed < maxUnclosed && strings.HasPrefix(trimmed, "<") {
			if name, end := wrapped(trimmed); end > 0 && name != pasted {
				text = trimmed[end:]
				continue
			}
			unclosed++
		}
		line, rest, _ := strings.Cut(text, "\n")
		own = append(own, line)
		text = rest
	}
	return strings.TrimSpace(strings.Join(own, "\n"))
}

// wrapped returns the name of the element that a text begins with, and where it ends; "" if it
// begins with none of the client's.
func wrapped(text string) (name string, end int) {
	rest, ok := strings.CutPrefix(text, "<")
	i := strings.IndexFunc(rest, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '_' })
	if !ok || i < 0 || rest[i] != '>' && rest[i] != ' ' || !strings.ContainsAny(rest[:i], "-_") {
		return "", 0
	}
	name = rest[:i]
	closing := "</" + name + ">"
	if i = strings.Index(text, closing); i < 0 {
		return "", 0
	}
	return name, i + len(closing)
}
