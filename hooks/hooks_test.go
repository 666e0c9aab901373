package hooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/clients"
	"ltm/hooks"
	"ltm/memory"
	"ltm/memory/api"
)

// recorder is an engine that records its calls.
type recorder struct {
	calls   []string
	context string
	err     error
}

func (r *recorder) note(format string, args ...any) error {
	r.calls = append(r.calls, fmt.Sprintf(format, args...))
	return r.err
}

func (r *recorder) StartSession(_ context.Context, s api.SessionStart) (string, error) {
	return r.context, r.note("%s", strings.TrimSpace(fmt.Sprintf("start %s %s %s", s.Session, s.Source, s.Agent)))
}

func (r *recorder) PromptContext(_ context.Context, session, prompt string) (string, error) {
	return r.context, r.note("prompt %s %s", session, prompt)
}

func (r *recorder) AgentContext(_ context.Context, agent string) (string, error) {
	return r.context, r.note("agent %s", agent)
}

func (r *recorder) RecordTool(_ context.Context, t api.ToolUse) (string, error) {
	of := ""
	if t.Subagent {
		of = " of a subagent"
	}
	return "", r.note("tool %s failed=%v long=%v response=%d%s", t.Session, t.Failed, t.Long, len(t.Response), of)
}

func (r *recorder) BeforeCompaction(_ context.Context, c api.Compaction) (string, error) {
	return r.context, r.note("compacted %s %t", c.Session, c.Transcript != "")
}

func (r *recorder) LeaveDraft(_ context.Context, l api.Leaving) error {
	return r.note("leave %s %t %s", l.Session, l.Ends, l.Summary)
}

func (r *recorder) EndSession(_ context.Context, s string) error { return r.note("end %s", s) }

// play reads an event of Claude Code and handles it.
func play(e hooks.Engine, event string, in io.Reader, out io.Writer) error {
	call, err := hooks.Read(in, event, "", func(string) string { return "" })
	if err != nil {
		return err
	}
	return call.Run(context.Background(), e, out)
}

// TestPayloads runs the client's payloads in testdata, whose file names start with their
// event.
func TestPayloads(t *testing.T) {
	want := map[string]string{
		"PostToolUse-Bash":        "tool 703b1ca6-0000-4000-8000-000000000000 failed=false long=false response=91",
		"PostToolUse-Edit":        "tool 3ad79015-0000-4000-8000-000000000000 failed=false long=false response=258",
		"PostToolUse-mcp":         "tool 3ad79015-0000-4000-8000-000000000000 failed=false long=false response=25",
		"PostToolUseFailure-Bash": "tool 3ad79015-0000-4000-8000-000000000000 failed=true long=false response=13",
		"PostToolUseFailure-mcp":  "tool 3ad79015-0000-4000-8000-000000000000 failed=true long=false response=21",
		"PreCompact-manual":       "compacted 77e5f87c-0000-4000-8000-000000000000 true",
		"PostCompact-manual": "leave 77e5f87c-0000-4000-8000-000000000000 false " +
			"<analysis>a</analysis><summary>summary of the talk</summary>",
		"SessionEnd-other": "leave 77e5f87c-0000-4000-8000-000000000000 true ; " +
			"end 77e5f87c-0000-4000-8000-000000000000",
		"SubagentStart":        "agent general-purpose",
		"SubagentStart-plugin": "agent ltm:reviewer",
		"UserPromptSubmit":     "prompt 3ad79015-0000-4000-8000-000000000000 go",
		"SessionStart-compact": "start 77e5f87c-0000-4000-8000-000000000000 compact",
		"SessionStart-fork":    "start 99b72104-0000-4000-8000-000000000000 fork",
		"SessionStart-resume":  "start 77e5f87c-0000-4000-8000-000000000000 resume",
		"SessionStart-agent":   "start 77e5f87c-0000-4000-8000-000000000000 startup reviewer",
		"SessionStart-startup": "start 77e5f87c-0000-4000-8000-000000000000 startup",
	}
	files, err := filepath.Glob(filepath.Join("testdata", "payloads", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, len(want))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			event, _, _ := strings.Cut(name, "-")
			var r recorder
			require.NoError(t, play(&r, event, bytes.NewReader(data), &bytes.Buffer{}))
			require.Equal(t, strings.Split(want[name], "; "), r.calls)
		})
	}
}

func TestContextIsWrittenAsTheClientReadsIt(t *testing.T) {
	var out bytes.Buffer
	r := recorder{context: "<ltm-memory>\n\"x\"\n</ltm-memory>"}
	require.NoError(t, play(&r, clients.SessionStart,
		strings.NewReader(`{"session_id":"a"}`), &out))
	var v map[string]map[string]string
	require.NoError(t, json.Unmarshal(out.Bytes(), &v))
	require.Equal(t, map[string]map[string]string{
		"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": r.context},
	}, v)
}

// TestWhatASummaryShouldKeepIsPlainText because the client reads no JSON there.
func TestWhatASummaryShouldKeepIsPlainText(t *testing.T) {
	var out bytes.Buffer
	r := recorder{context: "Keep the id.", err: errors.New("read-only")}
	require.EqualError(t, play(&r, clients.PreCompact, strings.NewReader(`{}`), &out),
		"read-only")
	require.Equal(t, "Keep the id.\n", out.String())
	r.context, out = "", bytes.Buffer{}
	require.Error(t, play(&r, clients.PreCompact, strings.NewReader(`{}`), &out))
	require.Empty(t, out.String())
}

func TestContextComesBesideAnError(t *testing.T) {
	var out bytes.Buffer
	r := recorder{context: "text", err: errors.New("read-only")}
	require.EqualError(t, play(&r, clients.SessionStart, strings.NewReader(`{}`), &out),
		"read-only")
	require.Contains(t, out.String(), "text")
}

func TestALongPayloadStillCounts(t *testing.T) {
	payload := `{"session_id":"a","tool_response":"` + strings.Repeat("x", 9<<20) + `"}`
	var r recorder
	require.NoError(t, play(&r, clients.PostToolUse, strings.NewReader(payload),
		&bytes.Buffer{}))
	require.Len(t, r.calls, 1)
	require.True(t, strings.HasPrefix(r.calls[0], "tool a failed=false"), r.calls[0])
}

// TestCallsOfSubagents have an agent_id. Those of a session that was started for an agent do not.
func TestCallsOfSubagents(t *testing.T) {
	for fields, want := range map[string]bool{
		`"agent_id":"a9c7f875f92f6523a","agent_type":"general-purpose"`: true, `"agent_type":"reviewer"`: false,
		`"agent_id":""`: false, `"agent_id":7`: false,
	} {
		for _, response := range []string{"x", strings.Repeat("x", 9<<20)} {
			payload := `{"session_id":"a",` + fields + `,"tool_name":"Bash","error":"` + response + `"}`
			var r recorder
			require.NoError(t, play(&r, clients.PostToolUseFailure,
				strings.NewReader(payload), &bytes.Buffer{}))
			require.Len(t, r.calls, 1)
			require.Equal(t, want, strings.HasSuffix(r.calls[0], " of a subagent"), "%s: %s", fields, r.calls[0])
		}
	}
}

func TestAnInterruptedCallIsNotAFailure(t *testing.T) {
	for payload, want := range map[string]int{
		`{"session_id":"a","is_interrupt":true}`:   0,
		`{"session_id":"a","is_interrupt":false}`:  1,
		`{"session_id":"a","is_interrupt":"true"}`: 1,
		`{"session_id":"a"}`:                       1,
	} {
		var r recorder
		require.NoError(t, play(&r, clients.PostToolUseFailure, strings.NewReader(payload),
			&bytes.Buffer{}))
		require.Len(t, r.calls, want, payload)
	}
}

func TestParseEvent(t *testing.T) {
	for given, want := range map[string]string{"SessionStart": clients.SessionStart,
		"session-start": clients.SessionStart, "post-tool-use-failure": clients.PostToolUseFailure,
		"PRECOMPACT": clients.PreCompact} {
		got, err := hooks.ParseEvent(given)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, bad := range []string{"", "Stop", "Session Start", "--help"} {
		_, err := hooks.ParseEvent(bad)
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err), bad)
	}
}

// TestRegistration compares hooks.json with the events that the program handles.
func TestRegistration(t *testing.T) {
	data, err := os.ReadFile("hooks.json")
	require.NoError(t, err)
	var v struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command string
				Args          []string
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &v))
	require.Len(t, v.Hooks, len(hooks.Events()))
	for _, event := range hooks.Events() {
		require.Len(t, v.Hooks[event], 1, event)
		hook := v.Hooks[event][0].Hooks[0]
		require.Equal(t, "command", hook.Type)
		require.Equal(t, "${CLAUDE_PLUGIN_ROOT}/bin/ltm", hook.Command,
			"Windows finds ltm.exe by this name, and no shell")
		require.Equal(t, []string{"hook", event}, hook.Args)
	}
}

func FuzzPayload(f *testing.F) {
	f.Add("PostToolUse", []byte(`{"session_id":"a","tool_response":{"x":[1]}}`))
	f.Add("SessionStart", []byte(`{"session_id":7,"source":null}`))
	f.Add("SessionEnd", []byte(`[]`))
	f.Fuzz(func(t *testing.T, event string, data []byte) {
		var out bytes.Buffer
		r := recorder{context: "text"}
		err := play(&r, event, bytes.NewReader(data), &out)
		if err != nil {
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
			require.Empty(t, out.String())
		}
		if out.Len() > 0 && event != clients.PreCompact {
			require.True(t, json.Valid(out.Bytes()))
		}
	})
}
