package terminal

import "strings"

// Diff returns the lines of a unified diff, colored as git does.
func (s Screen) Diff(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "--- ") && i == 0, strings.HasPrefix(line, "+++ ") && i == 1:
			lines[i] = s.Bold(line)
		case strings.HasPrefix(line, "@@"):
			lines[i] = s.Dim(line)
		case strings.HasPrefix(line, "-"):
			lines[i] = s.style(sgrRed, line)
		case strings.HasPrefix(line, "+"):
			lines[i] = s.style(sgrGreen, line)
		}
	}
	return lines
}

// Signed colors lines of which the first character is "-" or "+".
func (s Screen) Signed(lines []string) []string {
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "-"):
			lines[i] = s.style(sgrRed, line)
		case strings.HasPrefix(line, "+"):
			lines[i] = s.style(sgrGreen, line)
		}
	}
	return lines
}
