package handoff_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/handoff"
	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

// clientRecords are records by the paths of their files.
type clientRecords map[string]transcript.Outline

func (r clientRecords) Outline(_ context.Context, path string) (transcript.Outline, error) {
	o, ok := r[path]
	if !ok {
		return o, errors.New("no such file")
	}
	return o, nil
}

func (r clientRecords) Find(session string) (string, bool) {
	_, ok := r["/records/"+session]
	return "/records/" + session, ok
}

// recorded is a desk with the record of session s1.
func recorded(t *testing.T) (*fixture, clientRecords) {
	f := newDesk(t)
	r := clientRecords{"/records/s1": worked().Outline}
	f.options.Records, f.options.Roots = r, []string{"/srv/shop"}
	f.Desk = handoff.New(f.options)
	return f, r
}

func (f *fixture) drafted(r api.DraftRequest) api.PacketReceipt {
	f.t.Helper()
	receipt, err := f.DraftSession(f.t.Context(), r)
	require.NoError(f.t, err)
	return receipt
}

// open returns the ids of the packets that are neither done nor continued.
func (f *fixture) open() []string {
	f.t.Helper()
	ids := []string{}
	for _, e := range f.list(api.PacketFilter{Open: true}).Packets {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestASessionHasOneOpenDraft(t *testing.T) {
	f, r := recorded(t)
	request := api.DraftRequest{Session: "s1"}
	first := f.drafted(request)
	require.True(t, first.Success)
	shown := f.show(first.ID)
	require.True(t, shown.Beside.Drafted)
	require.Equal(t, "s1", shown.Beside.Session)
	require.Len(t, shown.Beside.Checks, 2)

	again := f.drafted(request)
	require.False(t, again.Success, "nothing happened since")
	require.Equal(t, first.ID, again.ID)
	require.Len(t, f.list(api.PacketFilter{}).Packets, 1)

	o := r["/records/s1"]
	o.Steps = append(o.Steps, said("Passes now."), ask("And the docs."))
	r["/records/s1"] = o
	dry := f.drafted(api.DraftRequest{Session: "s1", DryRun: true})
	require.Equal(t, first.ID, dry.Parent)
	require.Equal(t, []string{first.ID}, f.open())
	second := f.drafted(api.DraftRequest{Transcript: "/records/s1", Session: "s1"})
	require.Equal(t, first.ID, second.Parent)
	require.Equal(t, []string{second.ID}, f.open())

	// What the session writes itself says more than its drafts.
	d := draft("Keep 20 connections.")
	d.Session = "s1"
	byModel := f.write(d)
	require.Equal(t, []string{byModel.ID}, f.open())

	// A later draft continues it, and keeps what it says.
	third := f.drafted(request)
	require.Equal(t, byModel.ID, third.Parent)
	require.Equal(t, "Keep 20 connections.", third.Packet.Goal)
	require.Contains(t, third.Packet.SuccessCriteria, "[from "+byModel.ID+"] Drift stays under two seconds.")
	require.Equal(t, []string{third.ID}, f.open())

	require.NoError(t, f.options.Store.View(func(v *store.View) error {
		entry, found, err := f.Left(v, "s1")
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, third.ID, entry.ID)
		_, found, err = f.Left(v, "s2")
		require.False(t, found)
		return err
	}))
}

// TestDraftsAreOfTheClone until somebody keeps them, or for some time.
func TestDraftsAreOfTheClone(t *testing.T) {
	f, r := recorded(t)
	first := f.drafted(api.DraftRequest{Session: "s1"})
	require.Equal(t, "git/clone/drafts/"+first.ID+".json", first.Path)
	require.NoDirExists(t, filepath.Join(f.dir, "packets"))
	require.True(t, f.list(api.PacketFilter{}).Packets[0].Draft)
	_, err := f.Done(t.Context(), first.ID, false)
	require.NoError(t, err)

	for _, said := range []string{"the packet is kept: commit its file", "the packet was kept already"} {
		kept, err := f.KeepDraft(t.Context(), first.ID[:20])
		require.NoError(t, err)
		require.Equal(t, said, kept.Message.String())
	}
	shown := f.show(first.ID)
	require.Equal(t, ".claude/ltm/packets/"+first.ID+".json", shown.Path)
	require.Equal(t, first.Packet, shown.Packet)
	require.True(t, shown.Beside.Drafted)
	require.Equal(t, "s1", shown.Beside.Session)
	require.False(t, shown.Beside.Done.IsZero())
	require.NoFileExists(t, filepath.Join(f.options.Store.Places().Clone, "drafts", first.ID+".json"))
	_, err = f.KeepDraft(t.Context(), "01K3Q8ZJ6M4T2V9XWBDN7RHE99")
	require.Equal(t, memory.KindPacketUnknown, memory.KindOf(err))

	r["/records/s2"], r["/records/s3"] = worked().Outline, worked().Outline
	old := f.drafted(api.DraftRequest{Session: "s2"})
	f.now = f.now.AddDate(0, 0, 29)
	other := f.drafted(api.DraftRequest{Session: "s1"})
	require.ElementsMatch(t, []string{old.ID, other.ID}, f.open())
	f.now = f.now.AddDate(0, 0, 2)
	young := f.drafted(api.DraftRequest{Session: "s3"})
	require.Equal(t, []string{young.ID, other.ID}, f.open())
	require.Equal(t, first.ID, f.show(first.ID).Packet.ID, "a kept one stays")
}

func TestADraftContinuesWhatTheSessionResumed(t *testing.T) {
	f, r := recorded(t)
	handed := f.write(draft("Keep 20 connections."))
	o := r["/records/s1"]
	o.Packet = handed.ID
	r["/records/s1"] = o
	require.Equal(t, handed.ID, f.drafted(api.DraftRequest{Session: "s1"}).Parent)

	// Not one that is done, or not here.
	for _, id := range []string{f.write(draft("Done already.")).ID, "01K3Q8ZJ6M4T2V9XWBDN7RHE02"} {
		_, _ = f.Done(t.Context(), id, false)
		o.Packet = id
		r["/records/"+id] = o
		require.Empty(t, f.drafted(api.DraftRequest{Session: id}).Parent)
	}
}

func TestNoDraftWithoutWork(t *testing.T) {
	f, r := recorded(t)
	r["/records/asked"] = transcript.Outline{Steps: []transcript.Step{ask("What is this?")}}
	r["/records/empty"] = transcript.Outline{Files: []string{"/srv/shop/a"}}
	for _, request := range []api.DraftRequest{{Session: "asked", Automatic: true}, {Session: "empty"}} {
		receipt := f.drafted(request)
		require.False(t, receipt.Success)
		require.Empty(t, receipt.ID)
	}
	require.NoDirExists(t, f.dir)
	require.True(t, f.drafted(api.DraftRequest{Session: "asked"}).Success, "a person asked for it")

	for _, request := range []api.DraftRequest{{}, {Session: "none"}, {Session: "s1", Transcript: "/etc/passwd"}} {
		_, err := f.DraftSession(t.Context(), request)
		require.Equal(t, memory.KindSessionRecord, memory.KindOf(err))
	}
	f.options.Records = nil
	_, err := handoff.New(f.options).DraftSession(t.Context(), api.DraftRequest{Session: "s1"})
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
}

// TestADraftIsNeverRefused whatever the session named.
func TestADraftIsNeverRefused(t *testing.T) {
	f, r := recorded(t)
	f.options.Project, f.options.Author = "/home/mira/shop", "ghp_"+"pJ3kT9vQx2LwZ8rYbN5mD1cF7hG4sA6uE0iO"
	f.Desk = handoff.New(f.options)
	o := r["/records/s1"]
	o.Steps = []transcript.Step{ask("Use password=" + "hunter2hunter2 in /home/mira\x00.")}
	o.Model = "/root/model"
	r["/records/s1"] = o
	receipt := f.drafted(api.DraftRequest{Session: "s1"})
	require.True(t, receipt.Success)
	require.Equal(t, "Use password=[redacted] in [path]", receipt.Packet.Goal)
	require.Equal(t, packet.Low, receipt.Packet.Provenance.Confidence)
}

// TestASessionKeepsItsOwnPackets: a new packet takes the place of drafts alone.
func TestASessionKeepsItsOwnPackets(t *testing.T) {
	f, _ := recorded(t)
	var ids []string
	for _, goal := range []string{"Keep 20 connections.", "Write the manual."} {
		d := draft(goal)
		d.Session = "s1"
		ids = append(ids, f.write(d).ID)
	}
	require.ElementsMatch(t, ids, f.open())
}
