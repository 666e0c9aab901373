package torture_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

// hand works with command lines.
type hand struct {
	*crew
	name string
	n    int
	mine []memory.ID
}

func (h *hand) stop() error { return nil }

func (h *hand) step(r *rand.Rand) error {
	h.n++
	k := r.IntN(40)
	if k < 12 || len(h.mine) == 0 {
		return h.remember()
	}
	id := h.mine[r.IntN(len(h.mine))]
	switch {
	case k < 17:
		return h.update(id)
	case k < 19:
		return h.edit(id)
	case k < 21:
		return h.on(id, accessed, "update", string(id), "--tag", fmt.Sprintf("step-%d", h.n))
	case k < 22:
		return h.on(id, unread, "pin", string(id))
	case k < 23:
		return h.on(id, unread, "unpin", string(id))
	case k < 26:
		return h.on(id, (*entry).forgot, "forget", "--yes", string(id))
	case k < 29:
		return h.on(id, (*entry).restored, "restore", string(id))
	case k < 32:
		return h.on(id, func(e *entry, _ bool) { e.tookBack() }, "undo", string(id))
	case k < 33:
		return h.erase(id)
	}
	return h.general(r)
}

// general runs a command that concerns all memories.
func (h *hand) general(r *rand.Rand) error {
	args := [][]string{
		{"evict"}, {"evict"}, {"fade", "--write"}, {"fix"}, {"config", "memories_to_load", "7"},
		{"config", "--shared", "fading", inFiles}, {"config", "--shared", "fading", inView},
		{"config", "--shared", "nudge", "off"},
	}
	given := args[r.IntN(len(args))]
	o, unsure, err := h.command("", given...)
	if err == nil && o.status != 0 && !unsure && !h.isBusy(o.stderr) {
		err = fmt.Errorf("%v: %d %s", given, o.status, o.stderr)
	}
	return err
}

func (h *hand) remember() error {
	topic := spelled(fmt.Sprintf("%s number %d", h.name, h.n))
	text := strings.TrimSpace(long(topic))
	o, unsure, err := h.command(text, "remember", topic, "-", "--json", "--difficulty", "0.5")
	switch {
	case err != nil:
		return err
	case unsure:
		h.l.do(func() { h.l.unsure[topic] = text })
		return nil
	case o.status != 0 && h.isBusy(o.stderr):
		return nil
	case o.status != 0:
		return fmt.Errorf("remember: %d %s", o.status, o.stderr)
	}
	id, err := receipt([]byte(o.stdout))
	h.l.do(func() { h.l.memories[id] = newEntry(text) })
	h.mine = append(h.mine, id)
	return err
}

func (h *hand) update(id memory.ID) error {
	text := strings.TrimSpace(long(fmt.Sprintf("a change of %s by step %d", id, h.n)))
	return h.on(id, updated(text), "update", string(id), "--content", text)
}

// edit changes a memory as a person would in an editor.
func (h *hand) edit(id memory.ID) error {
	data, err := os.ReadFile(filepath.Join(h.p.store(), "memories", id.File()))
	if err != nil {
		return err
	}
	file, err := memfile.Parse(data)
	if err != nil || file.Memory.IsStub() {
		return err
	}
	m := file.Memory
	m.Content, m.Phase = strings.TrimSpace(long(fmt.Sprintf("an edit of %s by step %d", id, h.n))), memory.Full
	if data, err = file.With(m); err != nil {
		return err
	}
	draft := filepath.Join(h.p.root, "home", fmt.Sprintf("%s %d.md", h.name, h.n))
	if err := os.WriteFile(draft, data, 0o644); err != nil {
		return err
	}
	return h.on(id, updated(m.Content), "edit", string(id), "--from", draft)
}

// erase removes a memory permanently. If that was interrupted, it is repeated later, because the
// hand keeps the memory in its list.
func (h *hand) erase(id memory.ID) error {
	err := h.on(id, (*entry).erase, "forget", "--hard", "--yes", string(id))
	h.l.do(func() {
		if h.l.memories[id].erased == yes {
			h.mine = slices.DeleteFunc(h.mine, func(other memory.ID) bool { return other == id })
		}
	})
	return err
}

// on changes a memory and records the result. Changes to a memory that is archived, or that
// something else changed, may be refused.
func (h *hand) on(id memory.ID, note func(e *entry, done bool), args ...string) error {
	o, unsure, err := h.command("", args...)
	if err != nil {
		return err
	}
	if !unsure && o.status != 0 {
		if o.status == 3 || o.status == 4 || h.isBusy(o.stderr) {
			return nil
		}
		return fmt.Errorf("%v: %d %s", args, o.status, o.stderr)
	}
	h.l.do(func() { note(h.l.memories[id], !unsure) })
	return nil
}

// unread records a change that affects neither the text nor the accesses.
func unread(*entry, bool) {}

// accessed records an access.
func accessed(e *entry, done bool) {
	if done {
		e.accesses++
	}
}

// updated records a new text.
func updated(text string) func(*entry, bool) {
	return func(e *entry, done bool) {
		e.wrote(text, done)
		accessed(e, done)
	}
}

func (e *entry) forgot(done bool) { e.forgotten = answerOf(done) }

// restored records that a memory is active again, with new counters.
func (e *entry) restored(done bool) {
	e.forgotten, e.accesses = no, 0
	if !done {
		e.forgotten = unknown
	}
}

func (e *entry) erase(done bool) { e.erased, e.accesses = answerOf(done), 0 }

// answerOf returns yes for an acknowledged change.
func answerOf(done bool) answer {
	if done {
		return yes
	}
	return unknown
}

// inherit converts the project's store to one of the predecessor's, with memories that hands and
// servers then use.
func (h *hand) inherit(steps int) {
	for range steps {
		h.n++
		require.NoError(h.p.t, h.remember())
	}
	h.p.run("", "update", string(h.mine[0]), "--difficulty", "0.5") // counts only an access
	h.p.run("", "forget", string(h.mine[1]))
	h.p.run(payload("before", `"source":"startup"`), "hook", "SessionStart")
	h.p.run(payload("before", `"trigger":"auto"`), "hook", "PreCompact")
	h.l.do(func() {
		h.l.memories[h.mine[0]].accesses = 1
		h.l.memories[h.mine[1]].forgotten = yes
		for _, id := range h.mine {
			h.l.memories[id].foreign = true
		}
	})
	h.p.makeOlder()
	_, h.l.inherited = counted(h.p.t, h.p)
	require.Equal(h.p.t, 1, h.l.inherited.Sessions)
}
