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

func worked() handoff.Worked {
	return handoff.Worked{Session: "s1", Roots: []string{"/srv/shop"}, Outline: transcript.Outline{
		FirstAsk: "Fix the pool in /srv/shop/db/pool.go.", LastAsk: "Now the tests.", Model: "model-1",
		Passed: &transcript.Command{Line: "cd /srv/shop && go vet ./...", Sure: true, Edited: true, At: at},
		Failed: &transcript.Command{Line: "go test ./db", Status: 1, Sure: true, At: at},
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
			NextStep: "[pending: go test ./db] It failed with status 1. Run it again, and make it pass.\n" +
				"[unverified] Asked last: Now the tests.",
			SuccessCriteria: []string{"[pending: go test ./db] It passes."},
			Attempts: []packet.Attempt{
				{Tried: "[verified: cd . && go vet ./...] It passed. Files were edited since.",
					Outcome: packet.Succeeded},
				{Tried: "[pending: go test ./db] It failed with status 1.", Outcome: packet.Failed},
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
	for name, c := range map[string]struct {
		change func(o *transcript.Outline)
		want   string
	}{
		"a failure": {func(o *transcript.Outline) { o.LastAsk = "Go on!" },
			"[pending: go test ./db] It failed with status 1. Run it again, and make it pass."},
		"a failure before an edit": {func(o *transcript.Outline) { o.LastAsk, o.Failed.Edited = o.FirstAsk, true },
			"[pending: go test ./db] It failed with status 1; files were edited since. Run it again, and make it " +
				"pass."},
		"without a status": {func(o *transcript.Outline) { o.LastAsk, o.Failed.Status = o.FirstAsk, -1 },
			"[pending: go test ./db] It failed. Run it again, and make it pass."},
		"a failure that may be over": {func(o *transcript.Outline) { o.LastAsk, o.Failed.Same = o.FirstAsk, true },
			"[unverified] Go on with: Fix it"},
		"a task": {func(o *transcript.Outline) { o.LastAsk, o.Failed = "", nil }, "[unverified] Go on with: Fix it"},
		"an ask": {func(o *transcript.Outline) { o.Failed, o.Todos = nil, nil },
			"[unverified] Asked last: Now the tests."},
		"none": {func(o *transcript.Outline) { o.LastAsk, o.Failed, o.Todos = o.FirstAsk, nil, nil }, none},
	} {
		t.Run(name, func(t *testing.T) {
			w := worked()
			c.change(&w.Outline)
			d, ok := handoff.Draft(w)
			require.True(t, ok)
			require.Equal(t, c.want, d.Packet.NextStep)
			requireLegal(t, d.Packet)
		})
	}
	_, ok := handoff.Draft(handoff.Worked{Outline: transcript.Outline{Files: []string{"/a"}}})
	require.False(t, ok, "nobody asked for anything")
}

func TestADraftNamesNothingOfTheMachine(t *testing.T) {
	key := "AKIA" + "ABCDEFGH12345678"
	w := worked()
	w.Roots = append(w.Roots, `C:\work\shop`)
	w.Outline.FirstAsk = "Use " + key + " for /home/mira/.aws, not /srv/shop/db, /srv/shop2/x or C:\\work\\shop\\a.go."
	w.Outline.LastAsk = "See /srv/shop and /srv/shop/."
	w.Outline.Failed.Line = "PASSWORD=" + "hunter2hunter2 make -C /home/mira/x"
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
	require.Equal(t, []string{"[from 0123456789] No new library."}, p.Constraints)
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
	o.FirstAsk, o.LastAsk = long, "x"+long
	o.Failed = &transcript.Command{Line: long, Status: 1, Sure: true}
	o.Passed = &transcript.Command{Line: "make " + long}
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
