package handoff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/handoff"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

func TestWrite(t *testing.T) {
	f := newDesk(t)
	*f.git = repository{branch: "drift", commit: commit, origin: "git.example.org/harbor/tide-gauge",
		dirty: []string{"rtc.c"}}
	d := draft("Keep the clock.")
	d.Session, d.Model = "s1", "model-1"
	d.Checks = []api.PacketCheck{{Command: "make test", Passed: true, At: at}}
	r := f.write(d)
	require.Equal(t, ".claude/ltm/packets/"+r.ID+".json", r.Path)
	require.Equal(t, []string{"packet_uncommitted "}, remarks(r.Notes))

	written := f.files()
	p, err := packet.Parse([]byte(strings.TrimSuffix(written[r.ID+".json"], "\n")))
	require.NoError(t, err)
	require.Equal(t, r.Packet, p)
	require.Equal(t, packet.Packet{Version: packet.Version02, ID: r.ID, CreatedAt: packet.FormatTime(f.now),
		Project: &packet.Project{Name: "tide-gauge", Ref: "git.example.org/harbor/tide-gauge@" + commit},
		Goal:    "Keep the clock.", NextStep: "Run the cold chamber test.",
		SuccessCriteria: []string{"Drift stays under two seconds."},
		Provenance:      &packet.Provenance{AuthorModel: "model-1", AuthorHuman: "mira"}}, p)
	canonical, err := p.Canonical()
	require.NoError(t, err)
	require.Equal(t, string(canonical)+"\n", written[r.ID+".json"])
	require.JSONEq(t, `{"version":1,"branch":"drift","commit":"`+commit+`","dirty":["rtc.c"],"session":"s1",
		"checks":[{"command":"make test","passed":true,"at":"2026-08-28T09:15:30Z"}]}`, written["notes/"+r.ID+".json"])
	require.Len(t, written, 2)

	detail := f.show(r.ID)
	require.Equal(t, p, detail.Packet)
	require.Equal(t, r.Path, detail.Path)
	require.Equal(t, api.PacketBeside{Branch: "drift", Commit: commit, Dirty: []string{"rtc.c"}, Session: "s1",
		Checks: d.Checks}, detail.Beside)
}

// TestWriteNeedsNoGit: without version control, or with one that knows nothing, a packet is written.
func TestWriteNeedsNoGit(t *testing.T) {
	f := newDesk(t)
	f.options.Repository, f.options.Author, f.options.Project = nil, "", ""
	f.Desk = handoff.New(f.options)
	r := f.write(draft("Keep the clock."))
	require.Nil(t, r.Packet.Project)
	require.Nil(t, r.Packet.Provenance)
	require.Equal(t, []string{r.ID + ".json"}, keys(f.files()), "there is nothing to note")
	require.Empty(t, r.Notes)
}

func keys(m map[string]string) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	return all
}

// TestGivenFieldsStay: what is given is not filled in, and the lowest version is written.
func TestGivenFieldsStay(t *testing.T) {
	f := newDesk(t)
	f.git.origin, f.git.commit = "git.example.org/a/b", commit
	given := packet.Packet{Version: "9", ID: "x", CreatedAt: "never", Goal: "g", NextStep: "n",
		Project: &packet.Project{Name: "mine", Ref: "here"}, Provenance: &packet.Provenance{AuthorHuman: "jo"}}
	r := f.write(api.PacketDraft{Packet: given})
	require.Equal(t, packet.Version01, r.Packet.Version)
	require.Equal(t, &packet.Project{Name: "mine", Ref: "here"}, r.Packet.Project)
	require.Equal(t, &packet.Provenance{AuthorHuman: "jo"}, r.Packet.Provenance)
	_, ok := packet.ULIDTime(r.ID)
	require.True(t, ok)
	require.Equal(t, []string{"packet_no_criteria /success_criteria"}, remarks(r.Notes))
	require.Equal(t, "mine", given.Project.Name)
}

// TestWhatIsFilledInIsSafe: a person's name or a repository that would be refused is left out.
func TestWhatIsFilledInIsSafe(t *testing.T) {
	f := newDesk(t)
	f.options.Author, f.options.Project = "mira\x1b[31m\nx", "/home/mira/tide"
	f.options.Repository = &repository{origin: "/srv/git/tide", commit: commit}
	f.Desk = handoff.New(f.options)
	r := f.write(draft("g"))
	require.Nil(t, r.Packet.Project)
	require.Equal(t, "mira[31m x", r.Packet.Provenance.AuthorHuman)
	require.Equal(t, []string{"packet_left_out /project/name", "packet_left_out /project/ref"}, remarks(r.Notes))
}

func TestRefusedPackets(t *testing.T) {
	key, password := "AKIA"+"ABCDEFGH12345678", "hunter2"+"hunter2"
	for name, c := range map[string]struct {
		change func(p *packet.Packet)
		kind   memory.Kind
		says   []string
	}{
		"no goal and a long step": {func(p *packet.Packet) { p.Goal, p.NextStep = "", strings.Repeat("x", 1025) },
			memory.KindPacketInvalid, []string{"/goal: ", "/next_step: "}},
		"a credential and a path": {func(p *packet.Packet) {
			p.Constraints = []string{"see /home/mira/x", "password=" + password}
			p.Provenance = &packet.Provenance{AuthorModel: key}
		}, memory.KindPacketSecret,
			[]string{"/constraints/0: ", "/constraints/1: ", "/provenance/author_model: AWS key"}},
		"a path": {func(p *packet.Packet) { p.NextStep = "edit /etc/passwd" }, memory.KindPacketPath,
			[]string{"/next_step: path of a machine"}},
		"a path as a project": {func(p *packet.Packet) { p.Project = &packet.Project{Ref: "../x"} },
			memory.KindPacketPath, []string{"/project/ref"}},
		"too large": {func(p *packet.Packet) {
			for range 32 {
				p.OpenQuestions = append(p.OpenQuestions, strings.Repeat("é", 1024))
			}
		}, memory.KindPacketInvalid, []string{"32768"}},
		"an unknown parent": {func(p *packet.Packet) { p.ParentID = "01K3" }, memory.KindPacketUnknown, []string{`"01K3"`}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newDesk(t)
			d := draft("Keep the clock.")
			c.change(&d.Packet)
			_, err := f.Write(t.Context(), d)
			require.Equal(t, c.kind, memory.KindOf(err), "%v", err)
			require.True(t, memory.Refused(err))
			if name == "a credential and a path" {
				var e *memory.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, "/constraints/1", e.Subject, "the first credential")
			}
			for _, text := range c.says {
				require.Contains(t, err.Error(), text)
			}
			require.NotContains(t, err.Error(), key)
			require.NotContains(t, err.Error(), password)
			require.NoDirExists(t, f.dir, "nothing is written")
		})
	}
}

func TestDryRun(t *testing.T) {
	f := newDesk(t)
	d := draft("Keep the clock.")
	d.DryRun = true
	r := f.write(d)
	require.NotEmpty(t, r.ID)
	require.Equal(t, "Keep the clock.", r.Packet.Goal)
	require.NoDirExists(t, f.dir)
}

func TestParents(t *testing.T) {
	f := newDesk(t)
	first := f.write(draft("one"))
	d := draft("two")
	d.Packet.ParentID = strings.ToLower(first.ID[:20])
	second := f.write(d)
	require.Equal(t, first.ID, second.Parent)
	require.Equal(t, first.ID, second.Packet.ParentID)
	require.Empty(t, second.Notes)
	third := f.write(d)
	require.Equal(t, []string{"packet_parent_twice " + first.ID}, remarks(third.Notes))

	d.Packet.ParentID = "01"
	_, err := f.Write(t.Context(), d)
	require.Equal(t, memory.KindPacketAmbiguous, memory.KindOf(err))
	require.Contains(t, err.Error(), first.ID)
	require.Contains(t, err.Error(), third.ID)

	for _, elsewhere := range []string{"01K3Q8ZJ6M4T2V9XWBDN7RHE02", "550e8400-e29b-41d4-a716-446655440000"} {
		d.Packet.ParentID = elsewhere
		r := f.write(d)
		require.Equal(t, elsewhere, r.Packet.ParentID)
		require.Equal(t, []string{"packet_parent_gone " + elsewhere}, remarks(r.Notes))
	}
}

// TestClaims: what a text says about itself is set right by checks and by the parent.
func TestClaims(t *testing.T) {
	f := newDesk(t)
	d := draft("g")
	d.Checks = []api.PacketCheck{{Command: "make  test", Passed: true}, {Command: "make lint", Passed: true},
		{Command: "make lint"}}
	d.Packet.Attempts = []packet.Attempt{
		{Tried: "[verified: make test] The parser holds.", Outcome: packet.Succeeded},
		{Tried: "[verified: make lint] It is clean.", Outcome: packet.Succeeded},
		{Tried: "[verified: make fuzz] It never fails.", Outcome: packet.Succeeded},
		{Tried: "Cached it.", Outcome: packet.Failed, Learned: "[unverified] The disk is slow."},
	}
	d.Packet.OpenQuestions = []string{"[pending: make e2e] Does it hold?", "[x] is a box"}
	r := f.write(d)
	require.Equal(t, []string{"packet_unproven /attempts/1/tried", "packet_unproven /attempts/2/tried"},
		remarks(r.Notes))
	tried := func(p packet.Packet) (all []string) {
		for _, a := range p.Attempts {
			all = append(all, a.Tried)
		}
		return all
	}
	require.Equal(t, []string{"[verified: make test] The parser holds.", "[unverified] It is clean.",
		"[unverified] It never fails.", "Cached it."}, tried(r.Packet))
	require.Equal(t, []string{"[pending: make e2e] Does it hold?", "[x] is a box"}, r.Packet.OpenQuestions)

	d.Packet.ParentID = r.ID
	d.Checks = []api.PacketCheck{{Command: "make fuzz", Passed: true}}
	d.Packet.Attempts[0].Tried = "The parser\n holds."
	d.Packet.Attempts[3].Learned = "The disk is slow."
	second := f.write(d)
	from := "[from " + r.ID + "] "
	require.Equal(t, []string{from + "[unverified] The parser\n holds.", from + "[unverified] It is clean.",
		"[verified: make fuzz] It never fails.", from + "Cached it."}, tried(second.Packet))
	require.Equal(t, from+"[unverified] The disk is slow.", second.Packet.Attempts[3].Learned)
	require.Equal(t, []string{"[pending: make e2e] Does it hold?", "[x] is a box"}, second.Packet.OpenQuestions)

	d.Packet.ParentID, d.Checks = second.ID, nil
	third := f.write(d)
	require.Equal(t, from+"[unverified] It is clean.", tried(third.Packet)[1], "the packet that said it first")
	require.Equal(t, "[from "+second.ID+"] [unverified] It never fails.", tried(third.Packet)[2])
}

// TestPrefixesNeverMakeATextTooLong: a text that leaves no room has none.
func TestPrefixesNeverMakeATextTooLong(t *testing.T) {
	f := newDesk(t)
	d := draft("g")
	d.Packet.Attempts = []packet.Attempt{{Tried: strings.Repeat("é", 1010), Outcome: packet.Succeeded},
		{Tried: strings.Repeat("ä", 1024), Outcome: packet.Succeeded}}
	d.Packet.ParentID = f.write(d).ID
	second := f.write(d)
	require.Equal(t, d.Packet.Attempts, second.Packet.Attempts)
}

func TestRemarks(t *testing.T) {
	f := newDesk(t)
	d := draft("g")
	d.Packet.Decisions = []packet.Decision{{What: "w", Locked: true}, {What: "w"}, {What: "w", Why: "y", Locked: true}}
	d.Packet.Attempts = []packet.Attempt{{Tried: "a", Outcome: packet.Failed}, {Tried: "b", Outcome: packet.Succeeded},
		{Tried: "c", Outcome: packet.Partial, Learned: " "}, {Tried: "d", Outcome: packet.Failed, Learned: "x"}}
	d.Packet.SuccessCriteria = nil
	require.Equal(t, []string{"packet_no_criteria /success_criteria", "packet_unlearned /attempts/0",
		"packet_unlearned /attempts/2", "packet_no_reason /decisions/0"}, remarks(f.write(d).Notes))
}

// TestNotesAreMasked: the notes are in git, too.
func TestNotesAreMasked(t *testing.T) {
	f := newDesk(t)
	key := "AKIA" + "ABCDEFGH12345678"
	f.git.branch, f.git.dirty = "fix-"+key, []string{strings.Repeat("d/", 1000) + "x"}
	d := draft("g")
	d.Checks = []api.PacketCheck{{Command: "curl -H 'X: " + key + "' x", Passed: true}}
	for range 200 {
		f.git.dirty = append(f.git.dirty, "x")
		d.Checks = append(d.Checks, d.Checks[0])
	}
	r := f.write(d)
	noted := f.files()["notes/"+r.ID+".json"]
	require.NotContains(t, noted, key)
	require.Less(t, len(noted), 16<<10)
	beside := f.show(r.ID).Beside
	require.Len(t, beside.Dirty, 100)
	require.Len(t, beside.Checks, 20)
	require.True(t, json.Valid([]byte(noted)))
}

// TestFailures: what cannot be written is an error that says so.
func TestFailures(t *testing.T) {
	f := newDesk(t)
	broken := f.options
	broken.Random = iotest.ErrReader(errors.New("none"))
	_, err := handoff.New(broken).Write(t.Context(), draft("g"))
	require.Equal(t, memory.KindRandomFailed, memory.KindOf(err))

	f.write(draft("g"))
	f.now = time.Unix(-1, 0)
	_, err = f.Write(t.Context(), draft("g"))
	require.Equal(t, memory.KindPacketInvalid, memory.KindOf(err))

	f.now = at
	held, freed := make(chan struct{}), make(chan error)
	release := make(chan struct{})
	go func() {
		freed <- f.options.Store.Update(t.Context(), store.UpdateOptions{Wait: time.Minute}, func(*store.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	f.options.LockWait = time.Millisecond
	_, err = handoff.New(f.options).Write(t.Context(), draft("g"))
	require.Equal(t, memory.KindLockHeld, memory.KindOf(err))
	close(release)
	require.NoError(t, <-freed)

	require.NoError(t, os.RemoveAll(f.dir+"/packets"))
	require.NoError(t, os.WriteFile(f.dir+"/packets", nil, 0o644))
	_, err = f.Write(t.Context(), draft("g"))
	require.Equal(t, memory.KindDiskNotRegular, memory.KindOf(err))
}

// TestManyAtOnce: sessions that write at the same moment each have their packet.
func TestManyAtOnce(t *testing.T) {
	f := newDesk(t)
	first := f.write(draft("first"))
	done := make(chan error)
	for i := range 16 {
		go func() {
			// Each has a store of its own, as a process has.
			o := f.options
			o.Store = store.New(f.options.Store.Places(), o.Now)
			d := draft(fmt.Sprint("goal ", i))
			d.Packet.ParentID = first.ID
			_, err := handoff.New(o).Write(t.Context(), d)
			done <- err
		}()
	}
	for range 16 {
		require.NoError(t, <-done)
	}
	l := f.list(api.PacketFilter{})
	require.Equal(t, 17, l.Total)
	require.Empty(t, l.Faulty)
}
