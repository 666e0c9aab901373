package transcript

import "strings"

// ask adds what a user asked.
func (d *outliner) ask(text string) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	if output, _ := wrapped(text); strings.HasPrefix(output, "local-command-") {
		if d.previous != nil { // the client itself ran that command
			if d.FirstAsk == d.LastAsk && *d.previous == "" {
				d.FirstAsk = ""
			}
			d.LastAsk, d.previous = *d.previous, nil
		}
		return
	}
	if command, ok := typedCommand(text); ok {
		if command == "" {
			return
		}
		previous := d.LastAsk
		d.asked(command)
		d.previous = &previous
		return
	}
	d.asked(ownText(text))
}

func (d *outliner) asked(text string) {
	d.previous = nil
	if text == "" || strings.HasPrefix(text, "[Request interrupted") {
		return
	}
	text = clip(text, MaxAsk)
	if d.FirstAsk == "" {
		d.FirstAsk = text
	}
	d.LastAsk = text
}

// typedCommand returns the command that a user typed, such as "/review 12", from the client's form
// of it. It is "" for a command without arguments, which asks for nothing by itself, and for those
// of ltm.
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
