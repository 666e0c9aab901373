package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/tests/golden"
)

// documents lists what people read.
func documents(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, pattern := range []string{"README.md", "docs/*.md"} {
		names, err := filepath.Glob(filepath.Join("..", "..", pattern))
		require.NoError(t, err)
		for _, name := range names {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			found[filepath.Base(name)] = string(data)
		}
	}
	require.Contains(t, found, "README.md")
	return found
}

// commands returns the lines of a document's code blocks that begin with "ltm ",
// and the inline code that does.
func commands(text string) (lines, mentions []string) {
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code && strings.HasPrefix(line, "ltm "):
			lines = append(lines, line)
		case !code:
			for _, m := range regexp.MustCompile("`(ltm [^`]+)`").FindAllStringSubmatch(line, -1) {
				mentions = append(mentions, m[1])
			}
		}
	}
	return lines, mentions
}

// TestDocumentedCommandsRun runs every command line of the documents in a project
// with a memory, and looks up every command and flag that they mention.
func TestDocumentedCommandsRun(t *testing.T) {
	emulated.SkipUnderWine(t, "no shell is installed there")
	p := newProject(t)
	p.run("", "remember", "The retry budget is per host", "See retry.go.")
	p.run("", "remember", "--user", "Tabs", "In every project.") // documents are read in any order
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, ".claude", "ltm", "memories", "mem_1a2b3c4d.md"),
		[]byte("---\ntopic: Uploads\n---\nThey time out.\n"), 0o644))
	ran := 0
	for name, text := range documents(t) {
		lines, mentions := commands(text)
		if name == "server.md" { // cmd/ltm-server runs them, with a server
			lines = nil
		}
		for _, line := range lines {
			ran++
			t.Run(name+"/"+line, func(t *testing.T) {
				cmd := exec.Command("sh", "-c", line)
				cmd.Dir = p.dir
				cmd.Env = append(append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR="), p.env...)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
			})
		}
		for _, mention := range mentions {
			words := strings.Fields(mention)
			if words[1] == "help" || words[1] == "server" || words[1] == "ui" { // the commands of another program
				continue
			}
			help := p.run("", words[1], "--help")
			require.Contains(t, help, "ltm "+words[1], mention)
			for _, word := range words[2:] {
				if strings.HasPrefix(word, "--") {
					require.Contains(t, help, word, mention)
				}
			}
		}
	}
	require.Greater(t, ran, 5)
}

// TestDocumentedFilesExist follows the relative links of the documents, to a heading if they name one.
func TestDocumentedFilesExist(t *testing.T) {
	for name, text := range documents(t) {
		dir := filepath.Join("..", "..")
		if name != "README.md" {
			dir = filepath.Join(dir, "docs")
		}
		for _, m := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(text, -1) {
			file, anchor, named := strings.Cut(m[1], "#")
			file = cmp.Or(file, name)
			_, err := os.Stat(filepath.Join(dir, file))
			require.NoError(t, err, "%s links to %s", name, m[1])
			if named {
				data, err := os.ReadFile(filepath.Join(dir, file))
				require.NoError(t, err)
				require.Regexp(t, "(?im)^#+ "+strings.ReplaceAll(regexp.QuoteMeta(anchor), "-", " ")+"$", string(data),
					"%s links to %s", name, m[1])
			}
		}
	}
}

// TestEverySettingIsDocumented compares the settings with docs/settings.md.
func TestEverySettingIsDocumented(t *testing.T) {
	p := newProject(t)
	page := documents(t)["settings.md"]
	for line := range strings.Lines(p.run("", "config")) {
		key, rest, _ := strings.Cut(line, "\t")
		value, _, _ := strings.Cut(rest, "\t")
		require.Contains(t, page, "| `"+key+"` | "+value+" |")
	}
}

// TestEveryToolIsDocumented compares the tools and their parameters with the table of docs/tools.md.
func TestEveryToolIsDocumented(t *testing.T) {
	page := documents(t)["tools.md"]
	for _, line := range toolLines(t) {
		tool, parameter, _ := strings.Cut(strings.TrimSuffix(line, " (reads)"), " ")
		row := regexp.MustCompile("(?m)^\\| `" + tool + "` \\| ([^|]*\\b" + parameter + "\\b[^|]*)? ?\\| [^|]+ \\|$")
		require.True(t, row.MatchString(page), line)
	}
}

// TestFirstFiveMinutes runs the commands of docs/first-five-minutes.md in an empty project and compares what they
// print with the page. Ids and dates are those of the page.
func TestFirstFiveMinutes(t *testing.T) {
	emulated.SkipUnderWine(t, "no shell is installed there")
	p := newProject(t)
	page := documents(t)["first-five-minutes.md"]
	ids, dates := regexp.MustCompile(`mem_[0-9a-f]{8}`), regexp.MustCompile(`\d{4}-\d\d-\d\d`)
	here, there := map[string]string{}, map[string]string{} // the ids of the page as they are here, and the reverse
	ran := 0
	got := regexp.MustCompile("(?s)```console\n.*?```").ReplaceAllStringFunc(page, func(block string) string {
		answer := "```console\n"
		for _, part := range strings.Split(strings.TrimSuffix(block, "```"), "\n$ ")[1:] {
			ran++
			line, told, _ := strings.Cut(part, "\n")
			command := ids.ReplaceAllStringFunc(line, func(id string) string { return here[id] })
			cmd := exec.Command("sh", "-c", command+" --color always")
			cmd.Dir = p.dir
			cmd.Env = append(append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "NO_COLOR=", "TERM=xterm",
				"COLUMNS=100", "HOME="+t.TempDir()), p.env...)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s: %s", command, out)
			text := regexp.MustCompile(`\x1b\[[0-9;]*m| +\n`).ReplaceAllStringFunc(string(out), func(s string) string {
				return strings.Trim(s, " \x1b[;m0123456789")
			})
			for i, id := range ids.FindAllString(text, -1) {
				if all := ids.FindAllString(told, -1); there[id] == "" && i < len(all) {
					here[all[i]], there[id] = id, all[i]
				}
			}
			text = ids.ReplaceAllStringFunc(text, func(id string) string { return cmp.Or(there[id], id) })
			answer += "$ " + line + "\n" + dates.ReplaceAllString(text, dates.FindString(page))
		}
		return answer + "```"
	})
	require.Greater(t, ran, 8)
	golden.Require(t, filepath.Join("..", "..", "docs", "first-five-minutes.md"), got)
}
