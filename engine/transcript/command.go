package transcript

import (
	"encoding/json"
	"strconv"
	"strings"
)

// command adds a command that ended.
func (d *outliner) command(call openCall, res rowResult) {
	var in struct {
		Command    string
		Background bool `json:"run_in_background"`
	}
	_ = json.Unmarshal(call.input, &in)
	line := strings.TrimSpace(strings.ToValidUTF8(in.Command, "\ufffd"))
	if line == "" || in.Background { // whose end is not in the result
		return
	}
	does := doing(target([]byte("Bash"), call.input), line)
	c := &Command{Line: clip(line, MaxCommand), Sure: sure(line), At: d.row.at, target: does.target}
	if !res.failed {
		d.passed(c, does)
		return
	}
	text := resultText(res.content)
	if strings.HasPrefix(text, "<tool_use_error>") { // it did not run
		return
	}
	if does.looks && !does.changes {
		return
	}
	c.Status = statusOf(text)
	d.Failed = c
}

// passed adds a command that passed.
func (d *outliner) passed(c *Command, does deed) {
	if d.Failed != nil && d.Failed.target == c.target {
		if d.Failed.Line == c.Line && c.Sure {
			d.Failed = nil
		} else {
			d.Failed.Same = d.Failed.Same || c.Sure
		}
	}
	if does.looks || !c.Sure && d.Passed != nil && d.Passed.Sure && !d.Passed.Edited {
		return
	}
	d.Passed = c
}

// statusOf returns the exit status in the result of a command that failed, or -1.
func statusOf(text string) int {
	rest, ok := strings.CutPrefix(text, "Exit code ")
	if !ok {
		return -1
	}
	digits, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || n < 0 || n > 255 {
		return -1
	}
	return n
}

// deed is what a command line does.
type deed struct {
	target  uint32
	looks   bool // it verifies nothing by passing
	changes bool // but failing counts
}

// doing judges a command line by its first words. Commands that look, move files or change a
// repository say nothing about the work when they pass. Those that only look may fail because there
// is nothing to see.
func doing(target uint32, line string) deed {
	d := deed{target: target}
	var first, second string
	if found := words([]byte(strings.ReplaceAll(line, "\n", `\n`))); len(found) > 0 {
		first = string(found[0])
		if len(found) > 1 {
			second = string(found[1])
		}
	}
	switch first {
	case "", "[", "ag", "awk", "cat", "cd", "cmp", "command", "cut", "date", "df", "diff", "du", "echo", "egrep", "env",
		"fd", "fgrep", "file", "find", "grep", "head", "history", "hostname", "jq", "less", "ls", "man", "more",
		"printenv", "printf", "ps", "pwd", "rg", "sed", "sleep", "sort", "stat", "tail", "test", "tree", "true",
		"type", "uname", "uniq", "wc", "which", "whoami":
		d.looks = true
	case "chmod", "cp", "git", "kill", "ln", "ltm", "mkdir", "mv", "rm", "rmdir", "touch":
		d.looks, d.changes = true, true
	}
	if first == "git" {
		switch second {
		case "blame", "branch", "diff", "grep", "log", "ls-files", "rev-parse", "show", "status":
			d.changes = false
		}
	}
	return d
}

// sure reports whether the exit status of a command line is that of all of it: a line may only join commands by "&&".
// The text inside quotes does not matter.
func sure(line string) bool {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case b == '\\' && quote != '\'':
			i++
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == ';' || b == '|' || b == '\n' || b == '#' || b == '!':
			return false
		case b == '&':
			if i+1 < len(line) && line[i+1] == '&' {
				i++
				continue
			}
			if i > 0 && (line[i-1] == '>' || line[i-1] == '<') || i+1 < len(line) && line[i+1] == '>' {
				continue // a redirection
			}
			return false
		}
	}
	return quote == 0
}
