package page_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/server/page"
)

// hostile is a text that would do harm as HTML.
const hostile = `<img src=x onerror=alert(1)> "'`

func (f *fixture) Evict(_ context.Context, o api.EvictOptions) (api.EvictionReport, error) {
	if !o.DryRun {
		panic("a view changes something")
	}
	return api.EvictionReport{Active: 3, Max: 2, Reason: memory.Say("one too many"),
		Steps: []memory.EvictionStep{{ID: "mem_00000001", Topic: hostile, To: 1, Priority: 0.1, Reason: hostile}}}, nil
}

func (f *fixture) ListArchives(context.Context) (api.ArchiveRecall, error) {
	var r api.ArchiveRecall
	for range f.archived {
		r.Archives = append(r.Archives, api.ArchiveHit{ID: "mem_00000002", Topic: hostile, Summary: hostile})
	}
	return r, nil
}

func (f *fixture) Trusted(context.Context) (api.TrustReport, error) {
	return api.TrustReport{Trust: "mark", Total: 2,
		Foreign: []api.Foreign{{ID: "mem_00000001", Topic: hostile, Changed: true, Signature: hostile}}}, nil
}

func (f *fixture) Unresolved(context.Context) ([]memory.ID, error) { return f.unresolved, nil }

func (f *fixture) WasApproved(_ context.Context, _ string, data []byte) (bool, error) {
	return string(data) == f.approved, nil
}

func (f *fixture) Check(ctx context.Context) (api.CheckReport, error) {
	r, err := f.CheckSecrets(ctx)
	return r.CheckReport, err
}

func (f *fixture) CheckSecrets(context.Context) (api.SecretsReport, error) {
	rows := max(1, f.faults)
	return api.SecretsReport{CheckReport: api.CheckReport{Summary: memory.Say(hostile),
		Conflicts: []string{"memories/mem_00000001.md", "odd"},
		Problems:  slices.Repeat([]api.Problem{{Kind: "conflict", Where: hostile, Reason: memory.Say(hostile)}}, rows),
		Warnings:  slices.Repeat([]memory.Note{memory.Say(hostile)}, rows),
		Remarks:   slices.Repeat([]api.Problem{{Where: hostile, Reason: memory.Say(hostile)}}, rows)},
		Secrets: slices.Repeat([]api.SecretFound{{File: hostile, Line: 7, Kind: "token"}}, rows)}, nil
}

func (f *fixture) Fix(_ context.Context, o api.FixOptions) (api.FixReport, error) {
	if !o.DryRun {
		panic("a view changes something")
	}
	return planned(max(1, f.faults)), nil
}

// planned is what a repair of so many faults does.
func planned(faults int) api.FixReport {
	return api.FixReport{Actions: slices.Repeat([]api.FixAction{{Action: "resolve", Target: hostile, Reason: hostile}},
		faults)}
}

// History of the store has an event a day.
func (k keeping) History(context.Context, memory.ID, int) (memory.History, error) {
	if k.events != nil {
		return memory.History{Events: k.events()}, nil
	}
	var h memory.History
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 300 {
		h.Events = append(h.Events, memory.Event{Time: start.AddDate(0, 0, -i), Action: memory.ActionStored,
			ID: "mem_00000001", Topic: hostile, Why: hostile})
	}
	return h, nil
}

func (f *fixture) Days(context.Context) ([]api.DayCount, error) { return f.days, nil }

func (f *fixture) Status(context.Context) (api.Status, error) {
	return api.Status{TotalMemories: len(f.memories), StorePath: hostile}, nil
}

// keeping is a fixture as what tells of a store.
type keeping struct{ *fixture }

// packetsOf is a fixture as what has packets.
type packetsOf struct{ *fixture }

func (packetsOf) List(context.Context, api.PacketFilter) (api.PacketList, error) {
	return api.PacketList{Total: 1, Packets: []api.PacketEntry{{ID: "a-change-of-plan"}, {ID: hostile, Goal: hostile,
		NextStep: hostile, Author: hostile, Branch: hostile}},
		Faulty: []api.PacketFault{{File: hostile, Faults: []string{hostile}}}}, nil
}

func (packetsOf) Show(_ context.Context, id string) (api.PacketDetail, error) {
	return api.PacketDetail{Packet: packet.Packet{ID: id, Goal: hostile, Tags: []string{hostile}}, Path: hostile,
		Beside: api.PacketBeside{Branch: hostile, Commit: hostile}}, nil
}

func (packetsOf) Chain(context.Context, string) (packet.Chain, []api.PacketEntry, error) {
	return packet.Chain{}, []api.PacketEntry{{ID: hostile, Goal: hostile, NextStep: hostile}}, nil
}

func (packetsOf) Resume(context.Context, api.ResumePacket) (api.Resumption, error) {
	return api.Resumption{Text: hostile}, nil
}

func (p packetsOf) Write(_ context.Context, d api.PacketDraft) (api.PacketReceipt, error) {
	if d.Packet.Goal == "" {
		return api.PacketReceipt{}, memory.NewError(memory.CodeInvalid, "", "", "it has no goal")
	}
	done := d.Packet.SuccessCriteria
	return api.PacketReceipt{ID: "new", Message: memory.Say(fmt.Sprint(len(done), done))}, nil
}

func (packetsOf) Done(_ context.Context, id string, undo bool) (api.PacketReceipt, error) {
	return api.PacketReceipt{ID: id, Message: memory.Say(fmt.Sprint("undo ", undo))}, nil
}

func (packetsOf) KeepDraft(_ context.Context, id string) (api.PacketReceipt, error) {
	return api.PacketReceipt{ID: id, Message: memory.Say("kept")}, nil
}

func TestViewsOfTheStoreEscapeWhatTheyShow(t *testing.T) {
	f := someMemories()
	f.archived = 120
	site, _ := newSite(t, f)
	v := enter(t, site)
	for path, says := range map[string]string{"/fading": "one too many", "/fading?page=3": "forgotten",
		"/trust": "changed since", "/health": "only a person can", "/time": "stored", "/packets": "1 packet",
		"/conflicts":                         "Keep theirs",
		"/packet/01ARZ3NDEKTSV4RRFFQ69G5FAV": "What a session gets of it",
		"/fading?page=99999999999":           "There are none"} {
		page := v.get(path)
		require.Equal(t, 200, page.Code, path)
		text := page.Body.String()
		require.NotContains(t, text, "<img", path)
		require.Contains(t, text, says, path)
	}
	require.Equal(t, 51, strings.Count(v.get("/fading?page=2").Body.String(), "data-row"), "50 archives and a step")
	require.Equal(t, 21, strings.Count(v.get("/fading?page=3").Body.String(), "data-row"))
	require.Equal(t, 422, v.get("/trust?scope=nobody").Code)
	require.Regexp(t, `>Ours</th>.*>Theirs</th>`, v.get("/conflicts").Body.String(), "neither was before the other")
	f.both = true
	for _, path := range []string{"fading", "trust", "health", "time", "conflicts"} {
		page := v.get("/" + path).Body.String()
		require.Contains(t, page, `<a href="./`+path+`" aria-current="true">The project's</a>`)
		require.Contains(t, page, `<a href="./`+path+`?scope=user">Your own</a>`)
	}
}

// TestHealthIsBounded shows 200 rows of each table and list, and says how many more there are.
func TestHealthIsBounded(t *testing.T) {
	f := someMemories()
	f.faults = 1500
	site, _ := newSite(t, f)
	v := enter(t, site)
	page := v.get("/health").Body.String()
	require.Equal(t, 3*200, strings.Count(page, "<tr><td>"))
	require.Equal(t, 5, strings.Count(page, "1,300 more"))
	f.faults = 200
	require.NotContains(t, v.get("/health").Body.String(), " more")
}

func TestTrustShowsWhatWasApprovedBefore(t *testing.T) {
	f := someMemories()
	f.approved = "---\ntopic: Pool\n---\nTwenty connections.\n"
	f.past = api.Past{Entries: []api.PastEntry{{After: []byte("another"), Before: []byte("older")},
		{After: []byte(f.approved)}}}
	site, _ := newSite(t, f)
	v := enter(t, site)
	require.Contains(t, v.get("/trust").Body.String(), `href="?scope=project&amp;show=mem_00000001#changed"`)
	page := v.get("/trust?show=mem_00000001").Body.String()
	table := between(t, page, `class="diff"`, "</table>")
	require.Contains(t, table, "Twenty connections")
	require.Regexp(t, `>Approved</th>.*>Now</th>`, table)
	require.Contains(t, table, "<mark>Fifty</mark>")
	f.approved = "never"
	require.Contains(t, v.get("/trust?show=mem_00000001").Body.String(), "cannot be compared")
	require.Equal(t, 404, v.get("/trust?show=mem_00000404").Code)
}

// TestDoctor has the installation checked when a visitor asks for it, and only then.
func TestDoctor(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	require.NotContains(t, enter(t, site).get("/health").Body.String(), "doctor", "there is no program for it")
	var asked []api.Scope
	var fails error
	f.doctor = func(_ context.Context, scope api.Scope) ([]page.Finding, error) {
		asked = append(asked, scope)
		return []page.Finding{{Check: "git", State: "ok", Found: "2.47"},
			{Check: "hooks", State: "fail", Found: hostile, Do: hostile}}, fails
	}
	site, _ = newSite(t, f)
	v := enter(t, site)
	page := v.get("/health").Body.String()
	require.Contains(t, page, `href="./health?scope=project&amp;doctor=1#doctor"`)
	require.Empty(t, asked)
	page = v.get("/health?scope=project&doctor=1").Body.String()
	require.Equal(t, []api.Scope{api.ScopeProject}, asked)
	require.Contains(t, page, "1 check of 2 found something to do")
	require.Contains(t, page, "load the page again", "it does not follow")
	require.NotContains(t, page, "data-version=", "every change would have the installation checked again")
	require.Contains(t, v.get("/health?doctor=").Body.String(), "data-version=")
	require.Contains(t, page, `<th scope="row">hooks</th><td>fail</td>`)
	require.NotContains(t, page, "<img")
	fails = errors.New("it hangs " + hostile)
	page = v.get("/health?doctor=1").Body.String()
	require.Contains(t, page, "The installation could not be checked: it hangs")
	require.NotContains(t, page, "<img")
}
