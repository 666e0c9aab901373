package gitmatrix_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/handoff"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

// deskOn is a desk on a store of the test, whose repository has no ltm of its own.
type deskOn struct {
	*handoff.Desk
	t     *testing.T
	texts string // the bytes of a packet of the base
	ids   []string
}

// newDesk returns the desk of one side, with its clock.
func newDesk(p project, who string, hours int) deskOn {
	at := time.Date(2026, 8, 28, 9, 0, 0, 0, time.UTC).Add(time.Duration(hours) * time.Hour)
	now := func() time.Time { at = at.Add(time.Minute); return at }
	clone := filepath.Join(p.home, "clone-"+who)
	places := store.Places{Store: p.store(), Tree: clone, Clone: clone, Key: filepath.Join(clone, "trust.key")}
	return deskOn{t: p.t, Desk: handoff.New(handoff.Options{Store: store.New(places, now), Now: now,
		Random: rand.Reader, LockWait: time.Second, Author: who})}
}

// packetText is a packet with texts that git finds alike.
func packetText(goal string) packet.Packet {
	p := packet.Packet{Goal: goal, NextStep: "Run the cold chamber test on board three.",
		SuccessCriteria: []string{"Drift stays under two seconds after seven days offline."}}
	for _, what := range []string{"Use the external crystal.", "Log drift hourly.", "Keep the flash budget."} {
		p.Decisions = append(p.Decisions, packet.Decision{What: what,
			Why: "The oscillator drifts forty seconds a day."})
	}
	return p
}

func (d *deskOn) write(goal, parent string) string {
	d.t.Helper()
	p := packetText(goal)
	p.ParentID = parent
	r, err := d.Write(context.Background(), api.PacketDraft{Packet: p, Session: "session-" + goal,
		Checks: []api.PacketCheck{{Command: "make test", Passed: true}}})
	require.NoError(d.t, err)
	return r.ID
}

func (d *deskOn) done(id string, undo bool) {
	d.t.Helper()
	_, err := d.Done(context.Background(), id, undo)
	require.NoError(d.t, err)
}

func (d *deskOn) remove(id string) {
	d.t.Helper()
	_, err := d.Remove(context.Background(), id)
	require.NoError(d.t, err)
}

// keepDraft keeps what a hook drafted.
func (d *deskOn) keepDraft(goal string) {
	d.t.Helper()
	r, err := d.Write(context.Background(), api.PacketDraft{Packet: packetText(goal), Session: "session-" + goal,
		Drafted: true, Unasked: true})
	require.NoError(d.t, err)
	_, err = d.KeepDraft(context.Background(), r.ID)
	require.NoError(d.t, err)
}

func (d *deskOn) keep(data string) {
	d.t.Helper()
	_, err := d.Keep(context.Background(), []byte(data))
	require.NoError(d.t, err)
}

// pulledID is the id of a packet that both sides may get from a server.
const pulledID = "01K3Q8ZJ6M4T2V9XWBDN7RHE02"

const pulled = `{"ltm_version":"0.1","id":"` + pulledID + `","created_at":"2026-08-28T09:15:30Z",` +
	`"goal":"Keep the clock.","next_step":"Run the cold chamber test on board three."}`

// packetOperations lists what can be done to packets. Of those in the base, the first two are open and
// the third is done.
func packetOperations() map[string]func(d deskOn) {
	return map[string]func(d deskOn){
		"write":           func(d deskOn) { d.write("Keep the clock", "") },
		"write two":       func(d deskOn) { d.write("Keep the clock", d.write("Keep the radio", "")) },
		"continue":        func(d deskOn) { d.write("Keep the first", d.ids[0]) },
		"continue + done": func(d deskOn) { d.write("Keep the first", d.ids[0]); d.done(d.ids[0], false) },
		"done":            func(d deskOn) { d.done(d.ids[0], false) },
		"done all":        func(d deskOn) { d.done(d.ids[0], false); d.done(d.ids[1], false) },
		"reopen":          func(d deskOn) { d.done(d.ids[2], true) },
		"reopen + done":   func(d deskOn) { d.done(d.ids[2], true); d.done(d.ids[2], false) },
		"rm":              func(d deskOn) { d.remove(d.ids[0]) },
		"rm done":         func(d deskOn) { d.remove(d.ids[2]) },
		"rm + write":      func(d deskOn) { d.remove(d.ids[0]); d.write("Keep the first", "") },
		"continue + rm":   func(d deskOn) { d.write("Keep the first", d.ids[0]); d.remove(d.ids[0]) },
		"rm all + write": func(d deskOn) {
			for _, id := range d.ids {
				d.remove(id)
			}
			d.write("Keep the second", "")
		},
		"keep draft":     func(d deskOn) { d.keepDraft("Keep the clock") },
		"keep":           func(d deskOn) { d.keep(pulled) },
		"rm + keep back": func(d deskOn) { d.remove(d.ids[0]); d.keep(d.texts) },
		"keep + rm":      func(d deskOn) { d.keep(pulled); d.remove(pulledID) },
	}
}

// packetFiles returns the files of packets by their paths.
func packetFiles(p project) map[string]string {
	p.t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(filepath.Join(p.store(), "packets"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(p.store(), path)
		found[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(p.t, err)
	}
	return found
}

// merged returns what each path becomes that one side has changed, or both alike. If both made a
// file and one of them emptied it, the other's stays.
func merged(t *testing.T, base, ours, theirs map[string]string) map[string]string {
	t.Helper()
	result := map[string]string{}
	for _, side := range []map[string]string{base, ours, theirs} {
		for path := range side {
			was, inBase := base[path]
			a, inOurs := ours[path]
			b, inTheirs := theirs[path]
			both := !inBase && inOurs && inTheirs
			switch {
			case inOurs == inBase && a == was, both && a == "":
				a, inOurs = b, inTheirs
			case inTheirs == inBase && b == was, inOurs == inTheirs && a == b, both && b == "":
			default:
				require.Fail(t, "both sides changed "+path)
			}
			if inOurs {
				result[path] = a
			}
		}
	}
	return result
}

// TestBranchesOfPackets combines two branches for each pair of operations. Packets never conflict,
// and each file becomes what either side made of it: git takes none of them for another.
func TestBranchesOfPackets(t *testing.T) {
	p := newProject(t)
	d := newDesk(p, "base", 0)
	for _, goal := range []string{"Keep the first", "Keep the second", "Keep the third"} {
		d.ids = append(d.ids, d.write(goal, ""))
	}
	d.done(d.ids[2], false)
	base := packetFiles(p)
	d.texts = base["packets/"+d.ids[0]+".json"]
	p.commit("base")
	p.git("tag", "base")
	names := slices.Sorted(maps.Keys(packetOperations()))
	sides := map[string]map[string]string{}
	for who, hours := range map[string]int{"ours": 1, "theirs": 2} {
		for _, name := range names {
			branch := packetBranch(who, name)
			p.git("checkout", "-q", "-b", branch, "base")
			side := newDesk(p, who, hours)
			side.ids, side.texts = d.ids, d.texts
			packetOperations()[name](side)
			p.commit(branch)
			sides[branch] = packetFiles(p)
		}
	}
	for n, method := range [][]string{{"merge", "--no-edit"}, {"rebase"}, {"cherry-pick", "--allow-empty",
		"--keep-redundant-commits"}} {
		for i, a := range names {
			for j, b := range names {
				if chosen := n == 0 && i <= j || n > 0 && (i+3*j+n)%8 == 0; !chosen && !all() {
					continue
				}
				t.Run(method[0]+"/"+a+"/"+b, func(t *testing.T) {
					p, ours, theirs := p.with(t), packetBranch("ours", a), packetBranch("theirs", b)
					p.git("checkout", "-q", "--detach", ours)
					o := p.tryGit(append(method, theirs)...)
					require.Zero(t, o.status, "%s", o)
					require.Equal(t, merged(t, base, sides[ours], sides[theirs]), packetFiles(p))
					desk := newDesk(p, "reader", 9)
					list, err := desk.List(t.Context(), api.PacketFilter{})
					require.NoError(t, err)
					require.Empty(t, list.Faulty)
				})
			}
		}
	}
}

func packetBranch(who, operation string) string {
	return who + "-" + strings.NewReplacer(" ", "-", "+", "and").Replace(operation)
}
