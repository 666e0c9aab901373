package handoff_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/handoff"
	"ltm/engine/transcript"
	"ltm/packet"
	"ltm/text/safe"
)

type object = map[string]any

// play is a session in testdata/sessions, as the client records it, and what a draft of it must and must not say. Each
// line has a word for what happened; the lines after "|" are the output of the command or tool before them.
type play struct {
	record      strings.Builder
	calls       int
	want, never []string
}

const home = "/home/u/shop"

func (p *play) line(kind string, content any, more ...any) {
	line := object{"type": kind, "cwd": home, "timestamp": "2026-08-28T09:15:30Z", "message": object{"role": kind,
		"model": "model-1", "content": content}}
	for i := 0; i < len(more); i += 2 {
		line[more[i].(string)] = more[i+1]
	}
	raw, _ := json.Marshal(line)
	p.record.Write(append(raw, '\n'))
}

// call adds a call of a tool, and its result.
func (p *play) call(tool string, input any, output, status string) {
	p.calls++
	id := fmt.Sprint("call", p.calls)
	if tool == "Bash" && status != "" {
		output = "Exit code " + status + "\n" + output
	}
	p.line("assistant", []object{{"type": "tool_use", "id": id, "name": tool, "input": input}})
	p.line("user", []object{{"type": "tool_result", "tool_use_id": id, "is_error": status != "", "content": output}})
}

func (p *play) say(text string) []object { return []object{{"type": "text", "text": text}} }

// read adds a line of the file, with the output that follows it.
func (p *play) read(t *testing.T, line, output string) {
	t.Helper()
	head, text, _ := strings.Cut(line, ": ")
	word, of, _ := strings.Cut(head, " ")
	text = strings.ReplaceAll(text, `\n`, "\n")
	switch word {
	case "user":
		p.line("user", text)
	case "says":
		p.line("assistant", p.say(text))
	case "summary":
		p.line("user", text, "isCompactSummary", true)
	case "aside":
		p.line(of, p.say(text), "isSidechain", true)
	case "edit":
		p.call("Edit", object{"file_path": home + "/" + text}, "ok", "")
	case "run":
		p.call("Bash", object{"command": text}, output, of)
	case "tool":
		name, raw, _ := strings.Cut(text, " ")
		p.call(name, json.RawMessage(raw), output, of)
	case "want":
		p.want = append(p.want, text)
	case "never":
		p.never = append(p.never, text)
	default:
		require.Fail(t, "no such word", line)
	}
}

// played reads a file of testdata/sessions.
func played(t *testing.T, file string) *play {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	text := strings.ReplaceAll(string(data), "{TOKEN}", "pJ3kT9vQx2LwZ8rYbN5m"+"D1cF7hG4sA6uE0iO")
	p := &play{}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 0; i < len(lines); {
		line, output := lines[i], ""
		for i++; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
			output += strings.TrimPrefix(lines[i][1:], " ") + "\n"
		}
		if !strings.HasPrefix(line, "#") {
			p.read(t, line, strings.TrimSuffix(output, "\n"))
		}
	}
	return p
}

// TestSessionsThatAreHandedOver: the block of a draft has what the next session needs, nothing that the session knows
// better, and is short.
func TestSessionsThatAreHandedOver(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "sessions", "*.txt"))
	require.NoError(t, err)
	require.Len(t, files, 13)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p := played(t, file)
			o, err := transcript.Outline{}.Read(context.Background(), strings.NewReader(p.record.String()), 0)
			require.NoError(t, err)
			require.False(t, o.Missing)
			d, ok := handoff.Draft(handoff.Worked{Session: "s1", Outline: o, Roots: []string{home}})
			require.True(t, ok)
			requireLegal(t, d.Packet)
			block := packet.Resume(&d.Packet, packet.ResumeOptions{Show: safe.Text}).Text
			require.Less(t, len(block), 4*760)
			lines := strings.Join(strings.Fields(strings.ReplaceAll(block, "\n   >", "\n>")), " ")
			for _, want := range p.want {
				require.Contains(t, lines, want, block)
			}
			for _, never := range p.never {
				require.NotContains(t, lines, never, block)
			}
		})
	}
}
