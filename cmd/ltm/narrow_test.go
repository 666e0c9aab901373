package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"
)

// TestTablesFitTheScreen prints every table on screens of several widths: no line is
// wider than the screen, and ids are whole.
func TestTablesFitTheScreen(t *testing.T) {
	p := newProject(t)
	p.run("", "remember", strings.Repeat("Connection pool ", 10), "The pool was exhausted.", "--tag",
		"a-long-tag,another-long-tag", "--importance", "important")
	p.run("", "remember", "修复数据库连接超时问题，连接池已耗尽", "The pool was exhausted.")
	id := p.run("", "list")[:len("mem_00000000")]
	gone := p.run("", "remember", "Gone: pool", "The pool was exhausted.")
	p.run("", "forget", regexp.MustCompile(`mem_\w+`).FindString(gone))
	first := packetIn(t, p.run("", "write", "--goal", strings.Repeat("修复数据库 the pool ", 20), "--next", "Look",
		"--tried", "x; failed; learned: "+strings.Repeat("修复数据库 ", 20)))
	second := packetIn(t, p.run("", "write", "--goal", "Go on", "--next", "Look", "--parent", first))
	sgr := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, width := range []int{24, 30, 40, 57, 80, 200} {
		for _, args := range []string{"list", "list --all", "list --long", "recall pool", "log", "archives", "config",
			"undo --list", "stats", "graph", "history " + id} {
			p := project{t: t, dir: p.dir, env: []string{fmt.Sprint("COLUMNS=", width)}}
			out := sgr.ReplaceAllString(p.run("", append(strings.Fields(args), "--color", "always")...), "")
			for line := range strings.Lines(out) {
				require.LessOrEqual(t, runewidth.StringWidth(strings.TrimRight(line, "\n")), width,
					"ltm %s on %d columns: %q", args, width, line)
			}
			if args != "config" && args != "stats" && args != "graph" {
				require.Regexp(t, `\bmem_[0-9a-f]{8}\b`, out, args)
			}
		}
	}
	for _, width := range []int{48, 57, 80, 200} { // an id of a packet has 26 characters
		for _, args := range []string{"packet", "packet chain " + first, "packet show " + first,
			"packet diff " + first + " " + second} {
			p := project{t: t, dir: p.dir, env: []string{fmt.Sprint("COLUMNS=", width)}}
			out := sgr.ReplaceAllString(p.run("", append(strings.Fields(args), "--color", "always")...), "")
			for line := range strings.Lines(out) {
				if strings.Contains(line, ".claude/ltm/packets/") {
					continue // a path stays whole, so that it can be copied
				}
				require.LessOrEqual(t, runewidth.StringWidth(strings.TrimRight(line, "\n")), width,
					"ltm %s on %d columns: %q", args, width, line)
			}
			require.Contains(t, out, first, "ids are whole")
		}
	}
}

// packetIn returns the first id of a packet in an output.
func packetIn(t *testing.T, out string) string {
	t.Helper()
	id := regexp.MustCompile(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`).FindString(out)
	require.NotEmpty(t, id, out)
	return id
}
