package handoff_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/handoff"
	"ltm/engine/transcript"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/packet/redact"
)

var at = time.Date(2026, 8, 28, 9, 15, 30, 0, time.UTC)

// ask, said, edit and ran are steps of a session.
func ask(text string) transcript.Step  { return transcript.Step{Kind: transcript.Asked, Text: text} }
func said(text string) transcript.Step { return transcript.Step{Kind: transcript.Said, Text: text} }
func edit(file string) transcript.Step { return transcript.Step{Kind: transcript.Edited, Text: file} }

func ran(name string, end transcript.Ending, status int) transcript.Step {
	return transcript.Step{Kind: transcript.Ran, Run: &transcript.Run{Line: name, Name: name, Check: true, Ended: end,
		Sure: true, Status: status, Output: "what it printed", At: at}}
}

func worked() handoff.Worked {
	return handoff.Worked{Session: "s1", Roots: []string{"/srv/shop"}, Outline: transcript.Outline{
		Steps: []transcript.Step{ask("Fix the pool in /srv/shop/db/pool.go."),
			ran("cd /srv/shop && go vet ./...", transcript.Passed, 0), edit("/srv/shop/db/pool.go"),
			ask("Now the tests."), ran("go test ./db", transcript.Failed, 1)},
		Model:  "model-1",
		Files:  []string{"/srv/shop/db/pool.go", "/tmp/x.go", "/srv/shop/db/pool_test.go"},
		Stored: []transcript.Stored{{ID: "mem_1a2b3c4d", Topic: "Pool stays at 20"}},
		Todos: []transcript.Todo{{Text: "Read it", Status: "completed"}, {Text: "Fix it", Status: "in_progress"},
			{Text: "Measure", Status: "pending"}},
	}}
}

func TestDraftOfASession(t *testing.T) {
	d, ok := handoff.Draft(worked())
	require.True(t, ok)
	require.Equal(t, api.PacketDraft{
		Session: "s1", Model: "model-1", Drafted: true,
		Checks: []api.PacketCheck{{Command: "cd . && go vet ./...", Passed: true, At: at},
			{Command: "go test ./db", At: at}},
		Packet: packet.Packet{
			Goal: "Fix the pool in db/pool.go.",
			NextStep: "[pending: go test ./db] It failed with status 1. Make it pass.\n" +
				"[unverified] Asked last: Now the tests.",
			SuccessCriteria: []string{"[pending: go test ./db] It passes."},
			Attempts: []packet.Attempt{
				{Tried: "[verified: go vet ./...] It passed. Files were edited since it ran.",
					Outcome: packet.Succeeded},
				{Tried: "[pending: go test ./db] It failed with status 1. Edited before: db/pool.go.",
					Outcome: packet.Failed, Learned: "what it printed"},
				{Tried: "[unverified] Edited in this session, the last one first: db/pool_test.go, db/pool.go and " +
					"1 other", Outcome: packet.Partial},
				{Tried: "[unverified] Stored as memories: mem_1a2b3c4d (Pool stays at 20)", Outcome: packet.Succeeded},
				{Tried: "[unverified] Done: Read it", Outcome: packet.Succeeded},
			},
			OpenQuestions: []string{"[unverified] To do: Fix it", "[unverified] To do: Measure"},
			Tags:          []string{"draft"},
			Provenance:    &packet.Provenance{AuthorModel: "model-1", Confidence: packet.Low},
		},
	}, d)
	requireLegal(t, d.Packet)
}

// requireLegal completes a packet and checks it.
func requireLegal(t *testing.T, p packet.Packet) {
	t.Helper()
	p, err := packet.NewIDs(func() time.Time { return at }, strings.NewReader(strings.Repeat("x", 100))).Stamp(p)
	require.NoError(t, err)
	_, err = p.Canonical()
	require.NoError(t, err)
	require.Empty(t, redact.Check(&p))
}

func TestTheNextStepOfADraft(t *testing.T) {
	const none = "[unverified] See what the goal still lacks: the record has no failing command and no task in " +
		"progress."
	failed, first := ran("make test", transcript.Failed, 2), ask("Fix the pool.")
	passed, unknown := ran("make test", transcript.Passed, 0), ran("make test", transcript.Unknown, 0)
	other := ran("curl x", transcript.Failed, 7)
	other.Run.Check = false
	for name, c := range map[string]struct {
		steps []transcript.Step
		want  string
	}{
		"a failure": {[]transcript.Step{first, failed},
			"[pending: make test] It failed with status 2. Make it pass."},
		"a failure before an edit": {[]transcript.Step{first, failed, edit("/a")},
			"[pending: make test] It failed with status 2; files were edited since. Make it pass."},
		"a failure, then unclear": {[]transcript.Step{first, failed, unknown},
			"[pending: make test] It failed with status 2; it ran again, and nothing says how it ended. Make " +
				"it pass."},
		"a failure that is over": {[]transcript.Step{first, failed, passed}, none},
		"of another program": {[]transcript.Step{first, failed, other},
			"[pending: make test] It failed with status 2. Make it pass."},
		"of no check": {[]transcript.Step{first, other},
			"[pending: curl x] It failed with status 7. Make it pass."},
		"before a check passed": {[]transcript.Step{first, other, passed}, none},
		"a check before an edit": {[]transcript.Step{first, passed, edit("/a")},
			"[pending: make test] Run it again: it passed before files were edited."},
		"a check without an end": {[]transcript.Step{first, unknown},
			"[pending: make test] Run it again: nothing says how it ended."},
		"an ask": {[]transcript.Step{first, said("Done."), ask("And the docs, too.")},
			"[unverified] Asked last: And the docs, too.\n[unverified] Said last: Done."},
		"too short an ask": {[]transcript.Step{first, said("Done."), ask("go on")},
			"[unverified] Said last: Done."},
		"none": {[]transcript.Step{first}, none},
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: c.steps}})
			require.True(t, ok)
			require.Equal(t, c.want, d.Packet.NextStep)
			requireLegal(t, d.Packet)
		})
	}
	d, _ := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: []transcript.Step{first},
		Todos: []transcript.Todo{{Text: "Measure", Status: "in_progress"}}}})
	require.Equal(t, "[unverified] Go on with: Measure", d.Packet.NextStep)
	_, ok := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Files: []string{"/a"}}})
	require.False(t, ok, "nobody asked for anything")
}

// TestTheGoalOfADraft is what was asked for first in the present work.
func TestTheGoalOfADraft(t *testing.T) {
	later := func(work int, text string) transcript.Step {
		return transcript.Step{Kind: transcript.Asked, Text: text, Work: work}
	}
	for want, steps := range map[string][]transcript.Step{
		"Fix the pool.": {ask("hi"), ask("Fix the pool."), ask("And the docs, too.")},
		"修复导出功能":        {ask("你好"), ask("修复导出功能")},
		"Fix the cart.": {ask("Which version is it?"), said("20."), ask("Fix the cart."), ran("make test",
			transcript.Passed, 0)},
		"Why does the cart fail?": {ask("Why does the cart fail?"), ran("make test", transcript.Failed, 2),
			ask("Then fix it, please.")},
		"Now limit the rate.": {ask("Fix the typo."), later(1, "Now limit the rate."), later(1, "thanks")},
		"go":                  {ask("go")},
	} {
		d, ok := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: steps}})
		require.True(t, ok)
		require.Equal(t, want, d.Packet.Goal)
	}
	d, _ := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: []transcript.Step{
		ask("Fix the typo in a.md, please."), ask("Never touch the generated files."),
		later(1, "Now limit the rate of charges to ten a minute.")}}})
	require.Equal(t, []string{"[unverified] Asked before the last commit: Never touch the generated files."},
		d.Packet.Constraints)
}

// TestAGoalThatWasSetAside gives way to what was asked for in its place, and stays as what was asked before.
func TestAGoalThatWasSetAside(t *testing.T) {
	const old = "Add a currency column to the invoice table"
	for _, next := range []string{
		"stop, leave the currency for now. First upgrade vite to 6, the CI is red because of it",
		"Never mind. Look into the slow login page", "Forget about that, the customer wants dark mode first.",
		"Change of plans: write the release notes", "let's park this for now and fix the flaky upload test",
		"Actually, let's do something else: rename the package", "ok, put the invoice work on hold. Upgrade Go to 1.26",
		"Lass das erst mal. Behebe zuerst den Fehler beim Login", "vergiss das, wir bauen stattdessen den Export"} {
		d, ok := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: []transcript.Step{ask(old),
			ask("Use ISO codes, please."), edit("a.ts"), ask(next), said("Yes."), ask("And run the linter."),
			said("Sure.")}}})
		require.True(t, ok)
		require.Equal(t, next, d.Packet.Goal)
		require.Contains(t, d.Packet.Constraints, "[unverified] Asked before, and set aside: "+old)
		require.Contains(t, d.Packet.Constraints, "[unverified] Asked: And run the linter.")

		parent := &packet.Packet{ID: "packet-0001", Goal: old}
		d, _ = handoff.Draft(handoff.Worked{Parent: parent, Outline: transcript.Outline{Steps: []transcript.Step{
			ask("go on with it"), edit("a.ts"), ask(next)}}})
		require.Equal(t, next, d.Packet.Goal, "the resumed packet's goal was set aside")
	}
	for _, more := range []string{"Stop using mocks, write real tests", "skip the slow tests for now",
		"Forget the cache only when the file changes", "leave the header as it is", "First read the docs",
		"Don't forget that invoices have no currency today", "never mind the formatting",
		"leave the comments in this file for later readers", "Do not change the plan table",
		"skip the invoice tests for now", "leave the docs of the table for later, just add the column"} {
		d, _ := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: []transcript.Step{ask(old),
			edit("a.ts"), ask(more), said("Yes.")}}})
		require.Equal(t, old, d.Packet.Goal, more)
	}
	d, _ := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: []transcript.Step{ask(old), edit("a.ts"),
		ask("never mind"), said("Fine."), ask("Fix the login page")}}})
	require.Equal(t, "Fix the login page", d.Packet.Goal)
	d, _ = handoff.Draft(handoff.Worked{Outline: transcript.Outline{Steps: []transcript.Step{ask(old), edit("a.ts"),
		ask("Forget about that.")}}})
	require.Equal(t, "Forget about that.", d.Packet.Goal)
}

func TestADraftNamesNothingOfTheMachine(t *testing.T) {
	key := "AKIA" + "ABCDEFGH12345678"
	w := worked()
	w.Roots = append(w.Roots, `C:\work\shop`)
	w.Outline.Steps[0].Text = "Use " + key + " for /home/mira/.aws, not /srv/shop/db, /srv/shop2/x or " +
		"C:\\work\\shop\\a.go."
	w.Outline.Steps[3].Text = "See /srv/shop and /srv/shop/."
	w.Outline.Steps[4].Run.Name = "PASSWORD=" + "hunter2hunter2 make -C /home/mira/x"
	w.Outline.Todos = []transcript.Todo{{Text: "Remove " + key, Status: "pending"}}
	w.Outline.Stored = []transcript.Stored{{ID: "mem_1", Topic: "In /root/x"}}
	w.Outline.Files = []string{"/srv/shop/" + key, `C:\work\shop\cmd\a.go`}
	d, ok := handoff.Draft(w)
	require.True(t, ok)
	require.Equal(t, "Use [redacted] for [path], not db, /srv/shop2/x or a.go.", d.Packet.Goal)
	require.Contains(t, d.Packet.NextStep, "See . and .")
	text := fmt.Sprint(d)
	for _, hidden := range []string{key, "hunter2", "/home", "/root", "/srv/shop/"} {
		require.NotContains(t, text, hidden)
	}
	require.Contains(t, text, "cmd/a.go, [redacted]")
	requireLegal(t, d.Packet)
}

func TestADraftTakesOverFromItsParent(t *testing.T) {
	parent := packet.Packet{Version: packet.Version02, ID: "01K3Q8ZJ6M4T2V9XWBDN7RHE02", Goal: "Keep 20 connections.",
		NextStep: "Measure.", Tags: []string{"draft", "db"},
		SuccessCriteria: []string{"p99 < 5 ms"}, Constraints: []string{"[from 0123456789] No new library."},
		Decisions: []packet.Decision{{What: "[verified: grep '[a]' x] It is there.", Why: "w", Locked: true}},
		Methods:   []packet.Method{{Name: "bench", WhenApplicable: "Always.", How: "make bench"}},
		Attempts: []packet.Attempt{{Tried: "[verified: make] It passed.", Outcome: packet.Succeeded,
			Learned: "[verified: x] y"}},
		OpenQuestions: []string{"Why?"}}
	w := worked()
	w.Parent = &parent
	d, ok := handoff.Draft(w)
	require.True(t, ok)
	p := d.Packet
	const from = "[from 01K3Q8ZJ6M4T2V9XWBDN7RHE02] "
	require.Equal(t, parent.ID, p.ParentID)
	require.Equal(t, parent.Goal, p.Goal)
	require.Equal(t, []string{from + "p99 < 5 ms", "[pending: go test ./db] It passes."}, p.SuccessCriteria)
	require.Equal(t, []string{"[from 0123456789] No new library.", "[unverified] Asked: Fix the pool in db/pool.go."},
		p.Constraints)
	require.Equal(t, []packet.Decision{{What: from + "[unverified] It is there.", Why: "w", Locked: true}}, p.Decisions)
	require.Equal(t, from+"Always.", p.Methods[0].WhenApplicable)
	require.Equal(t, packet.Attempt{Tried: from + "[unverified] It passed.", Outcome: packet.Succeeded,
		Learned: "[unverified] y"}, p.Attempts[0])
	require.Len(t, p.Attempts, 6)
	require.Equal(t, []string{from + "Why?", "[unverified] To do: Fix it", "[unverified] To do: Measure"},
		p.OpenQuestions)
	require.Equal(t, []string{"draft", "db"}, p.Tags)
	requireLegal(t, p)

	// The session's next draft continues this one, and says nothing twice.
	p.ID = "01K3Q8ZJ6M4T2V9XWBDN7RHE03"
	w.Parent, w.Own = &p, true
	again, ok := handoff.Draft(w)
	require.True(t, ok)
	require.Equal(t, p.ID, again.Packet.ParentID)
	require.True(t, handoff.SameWork(p, again.Packet))
	w.Outline.Todos = nil
	again, _ = handoff.Draft(w)
	require.False(t, handoff.SameWork(p, again.Packet))
}

// TestADraftFits whatever the record and the parent have.
func TestADraftFits(t *testing.T) {
	long := strings.Repeat("日本 ", 400)
	var o transcript.Outline
	for i := range 100 {
		o.Steps = append(o.Steps, ask(fmt.Sprint(i, long)), said(long), edit(long), ran(fmt.Sprint("make ", i, long),
			transcript.Failed, 1), ran("x"+long, transcript.Unknown, 0))
	}
	parent := &packet.Packet{Version: packet.Version02, ID: strings.Repeat("x", 64), Goal: long[:903], NextStep: "y"}
	for i := range 60 {
		o.Files = append(o.Files, fmt.Sprint("/srv/", long, i))
		o.Stored = append(o.Stored, transcript.Stored{ID: fmt.Sprint("mem_", i), Topic: long})
		for _, status := range []string{"pending", "in_progress", "completed"} {
			o.Todos = append(o.Todos, transcript.Todo{Text: fmt.Sprint(i, long), Status: status})
		}
		parent.Attempts = append(parent.Attempts, packet.Attempt{Tried: long[:903], Learned: long[:903],
			Outcome: packet.Failed})
		parent.Decisions = append(parent.Decisions, packet.Decision{What: long[:903], Why: long[:903]})
		parent.Constraints = append(parent.Constraints, long[:903])
		parent.SuccessCriteria = append(parent.SuccessCriteria, long[:903])
		parent.Methods = append(parent.Methods, packet.Method{Name: "m", How: long, WhenApplicable: long[:903]})
	}
	for _, with := range []*packet.Packet{nil, parent} {
		d, ok := handoff.Draft(handoff.Worked{Outline: o, Roots: []string{"/srv"}, Parent: with})
		require.True(t, ok)
		requireLegal(t, d.Packet)
		require.NotEmpty(t, d.Packet.SuccessCriteria)
	}
}
