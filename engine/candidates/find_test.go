package candidates_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/candidates"
	"ltm/engine/transcript"
)

// line is a line of a record.
func line(t *testing.T, kind string, content any, more ...any) string {
	t.Helper()
	fields := map[string]any{"type": kind, "message": map[string]any{"content": content}}
	for i := 0; i < len(more); i += 2 {
		fields[more[i].(string)] = more[i+1]
	}
	data, err := json.Marshal(fields)
	require.NoError(t, err)
	return string(data) + "\n"
}

type block = map[string]any

func says(text string) []block { return []block{{"type": "text", "text": text}} }

func uses(id, tool string, input block) []block {
	return []block{{"type": "tool_use", "id": id, "name": tool, "input": input}}
}

func gives(id, text string, failed bool) []block {
	return []block{{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}}
}

func find(t *testing.T, lines ...string) []candidates.Candidate {
	t.Helper()
	o, err := transcript.Outline{}.Read(context.Background(), strings.NewReader(strings.Join(lines, "")), 0)
	require.NoError(t, err)
	return candidates.Find(o)
}

func TestAFixedFailure(t *testing.T) {
	found := find(t,
		line(t, "user", "the login tests hang, please fix them"),
		line(t, "assistant", uses("1", "Bash", block{"command": "go test ./login"})),
		line(t, "user", gives("1", "Exit code 1\nFAIL login: timeout", true)),
		line(t, "assistant", says("The pool has one connection, because the test server sets it.\n\nLet me fix this.")),
		line(t, "assistant", uses("2", "Edit", block{"file_path": "/p/login/pool_test.go"})),
		line(t, "user", gives("2", "ok", false)),
		line(t, "assistant", uses("3", "Bash", block{"command": "go test ./login"})),
		line(t, "user", gives("3", "ok login", false)),
		line(t, "assistant", says("All tests pass now. I committed everything.")))
	require.Equal(t, []candidates.Candidate{{
		Topic: "The pool has one connection, because the test server sets it.",
		Text: "The pool has one connection, because the test server sets it.\n\nBefore, `go test ./login` failed: " +
			"FAIL login: timeout\n\nAsked for: the login tests hang, please fix them",
		Tags: []string{"pool"}, Refs: []string{"/p/login/pool_test.go"},
		Why: "it stands between a command that failed and its pass",
	}}, found)
}

// TestTheWorkOfASession edits several files. What was found out stands beside what was asked for.
func TestTheWorkOfASession(t *testing.T) {
	var lines []string
	edit := func(id, path string) {
		lines = append(lines, line(t, "assistant", uses(id, "Edit", block{"file_path": path})),
			line(t, "user", gives(id, "ok", false)))
	}
	plan := "Implement the following plan:\n\n# Plan: Retry logins\n\nThey time out. " + strings.Repeat("word ", 100)
	lines = append(lines, line(t, "user", plan, "gitBranch", "retry-logins"),
		line(t, "assistant", uses("0", "TodoWrite",
			block{"todos": []block{{"content": "Wait longer", "status": "pending"}}})),
		line(t, "user", gives("0", "ok", false)),
		line(t, "assistant", says("I see the issue. Let me look.")))
	edit("1", "/p/login/pool.go")
	edit("2", "/p/login/retry.go")
	lines = append(lines, line(t, "user", "yes, do it"), line(t, "assistant", says(
		"Found it. The root cause is the proxy, which drops idle connections. I need to fix the test.")))
	edit("3", "/p/login/retry.go")
	lines = append(lines, line(t, "user", "Help! also retry when the server says 503"),
		line(t, "user", "Read the output file to retrieve it"),
		line(t, "assistant", says("Changed the client so that it retries, because of the proxy.")))
	require.Equal(t, []candidates.Candidate{{
		Topic: "Plan: Retry logins",
		Text: "Asked for:\n- Implement the following plan: # Plan: Retry logins They time out. " +
			strings.TrimSpace(strings.Repeat("word ", 100)) + "\n" +
			"- Help! also retry when the server says 503\n\nTasks:\n- Wait longer\n\n" +
			"Found out:\n- The root cause is the proxy, which drops idle connections.\n\nBranch: retry-logins",
		Tags: []string{"retry", "pool"}, Refs: []string{"/p/login/retry.go", "/p/login/pool.go"},
		Why: "it says what the session was for",
	}}, find(t, lines...))

	lines[0] = line(t, "user", plan, "gitBranch", "main")
	require.NotContains(t, find(t, lines...)[0].Text, "Branch", "all work goes there")
}

func TestARuleOfAPerson(t *testing.T) {
	for text, want := range map[string]string{
		"No, always run the linter before a commit. Thanks": "No, always run the linter before a commit.",
		"Never edit files below gen/ by hand":               "Never edit files below gen/ by hand",
		"Immer zuerst die Tests ausführen!":                 "Immer zuerst die Tests ausführen!",
		"Remember that the staging server has no cron.":     "Remember that the staging server has no cron.",
		"Never call File.read! when empty? is unknown. ok?": "Never call File.read! when empty? is unknown.",
		"No, use pnpm, not npm.":                            "No, use pnpm, not npm.",
		"no, we use Postgres 16 here":                       "no, we use Postgres 16 here",
		"Migrations must never drop a column at once.":      "Migrations must never drop a column at once.",
		"nein, nimm immer utf-8-sig, sonst liest Excel es falsch": "nein, nimm immer utf-8-sig, sonst liest " +
			"Excel es falsch",
		"It never works when I try, fix it":                "",
		"no, use the second one":                           "",
		"Use the second file, not the first.":              "",
		"Always this error?":                               "",
		"never mind, we'll look at it later.":              "",
		"Never seen this before, what is going on.":        "",
		"Always the same error again: connection refused.": "",
		"always " + strings.Repeat("word ", 400):           "",
	} {
		found := find(t, line(t, "user", text))
		if want == "" {
			require.Empty(t, found, text)
			continue
		}
		require.Len(t, found, 1, text)
		require.Equal(t, want, found[0].Text)
	}
}

func TestASummaryOfACompaction(t *testing.T) {
	summary := "This session is being continued.\nSummary:\n1. Primary Request and Intent:\n   - build it\n\n" +
		"4. Errors and fixes:\n   - **Hash length mismatch**: branches use 7 characters and the state 40.\n" +
		"     - Fix: compare prefixes in both strategies\n\n5. Pending Tasks:\n   - commit because it is late\n"
	found := find(t, line(t, "user", "review the branch"), line(t, "user", summary, "isCompactSummary", true))
	require.Len(t, found, 1)
	require.Equal(t, "Hash length mismatch: branches use 7 characters and the state 40.", found[0].Topic)
	require.NotContains(t, found[0].Text, "late")
	require.Contains(t, found[0].Why, "Errors and fixes")
}

// TestWhatDoesNotLast is left out: questions to the person, lead-ins, code of a summary, and slips of the model.
func TestWhatDoesNotLast(t *testing.T) {
	found := find(t, line(t, "user", "why do the resume tests fail on the new branch?"),
		line(t, "assistant", says("**Context**\nSure, let's discuss. The root cause is the cache, because two "+
			"states share it. Does this match what you see, because I am not sure?")),
		line(t, "user", "yes"), line(t, "assistant", says("The bug was caused by a queue that nobody closes, so that "+
			"it keeps all of its readers. You raise a good point.")))
	require.Len(t, found, 2)
	for i, text := range []string{"**Context**\nThe root cause is the cache, because two states share it.",
		"The bug was caused by a queue that nobody closes, so that it keeps all of its readers."} {
		require.Equal(t, text+"\n\nAsked for: why do the resume tests fail on the new branch?", found[i].Text)
	}

	summary := "4. Errors and fixes:\n" +
		"   - **Missing `strconv` import**: it was forgotten, because an edit removed it\n" +
		"   - **Empty ids**: callers pass the id of a session that never began\n" +
		"```go\nfunc Validate(id string) error { return errors.New(\"because it is empty\") }\n```\n"
	found = find(t, line(t, "user", "review the branch"), line(t, "user", summary, "isCompactSummary", true))
	require.Len(t, found, 1)
	require.Equal(t, "Empty ids: callers pass the id of a session that never began", found[0].Topic)
}

func TestNothingToLearn(t *testing.T) {
	require.Empty(t, find(t, line(t, "user", "hi"), line(t, "assistant", says("Hello! How can I help?")),
		line(t, "user", "add a flag"), line(t, "assistant", says("Done. I added the flag --quiet to the command.")),
		line(t, "assistant", says("All tests pass because nothing else changed."))))
	require.Empty(t, find(t, line(t, "user", "please fix all of the lint errors"),
		line(t, "assistant", uses("1", "Write", block{"file_path": "/p/a.go"})),
		line(t, "user", gives("1", "ok", false)),
		line(t, "assistant", uses("2", "Write", block{"file_path": "/p/b.go"})),
		line(t, "user", gives("2", "ok", false))))
	require.Empty(t, candidates.Find(transcript.Outline{}))
}

// TestBounds has more to learn than is proposed.
func TestBounds(t *testing.T) {
	var lines []string
	for _, word := range []string{"cache", "parser", "queue", "lexer", "clock", "index"} {
		lines = append(lines, line(t, "assistant", says("The root cause in "+word+": "+strings.Repeat(word+"s ", 400)+
			word+"Table has no "+word+"Lock beside "+word+"File and "+word+"Name")))
	}
	found := find(t, lines...)
	require.Len(t, found, candidates.Max)
	for _, c := range found {
		require.LessOrEqual(t, len([]rune(c.Text)), candidates.MaxChars)
		require.LessOrEqual(t, len([]rune(c.Topic)), 120)
	}
}

// TestAFixIsExplained before the edit in plain words, or after the pass.
func TestAFixIsExplained(t *testing.T) {
	session := func(cause, failure, last string) []candidates.Candidate {
		return find(t,
			line(t, "user", "the login tests hang"),
			line(t, "assistant", uses("1", "Bash", block{"command": "go test ./login 2>&1 | tail -5"})),
			line(t, "user", gives("1", failure, false)),
			line(t, "assistant", says(cause)),
			line(t, "assistant", uses("2", "Edit", block{"file_path": "/p/login/pool_test.go"})),
			line(t, "user", gives("2", "ok", false)),
			line(t, "assistant", uses("3", "Bash", block{"command": "go test ./login 2>&1 | tail -5"})),
			line(t, "user", gives("3", "ok  \tshop/login\t0.1s", false)),
			line(t, "assistant", says(last)))
	}
	const plain = "Each worker opens twenty connections but the database allows ten."
	const failure = "--- FAIL: TestPool (9.00s)\n    pool_test.go:12: timeout\nFAIL\tshop/login\t9.1s"
	for want, found := range map[string][]candidates.Candidate{
		plain: session(plain, failure, "All tests pass now."),
		"It hung because each worker opens twenty connections.": session("Let me fix this.", failure,
			"It hung because each worker opens twenty connections."),
		"The cause was the pool, because each worker opens twenty.": session(plain, failure,
			"The cause was the pool, because each worker opens twenty."),
	} {
		require.Len(t, found, 1, want)
		require.Equal(t, want, found[0].Topic)
		require.Contains(t, found[0].Text, "Before, `go test ./login` failed: --- FAIL: TestPool (9.00s)")
		require.Equal(t, []string{"/p/login/pool_test.go"}, found[0].Refs)
	}
	require.Empty(t, session("A typo.", failure, "It works."), "too little is said")
	require.Empty(t, session(plain, "pool_test.go:9: undefined: Max\nFAIL\tshop/login [build failed]", "It compiles."),
		"a compiler tells it again")
}
