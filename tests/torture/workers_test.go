package torture_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"ltm/memory"
)

// worker does one thing after another in the project of its crew. It owns the memories that it
// stored: no other worker updates or forgets them, but any eviction may reduce them.
type worker interface {
	step(r *rand.Rand) error
	stop() error
}

// client works through an MCP server.
type client struct {
	*crew
	name   string
	n      int
	mine   []memory.ID
	server *server
}

func (c *client) stop() error {
	if c.server == nil {
		return nil
	}
	err := c.server.close()
	c.server = nil
	return err
}

func (c *client) step(r *rand.Rand) error {
	c.n++
	if c.server == nil {
		s, err := c.serve(c.name)
		if err != nil {
			return err
		}
		c.server = s
		if alive, err := s.greet(); err != nil || !alive {
			return c.stop()
		}
	}
	alive, err := c.act(r)
	if err == nil && !alive {
		err = c.stop()
	}
	return err
}

func (c *client) act(r *rand.Rand) (alive bool, err error) {
	k := r.IntN(20)
	if k < 7 || len(c.mine) == 0 {
		return c.remember()
	}
	id := c.mine[r.IntN(len(c.mine))]
	switch {
	case k < 12:
		text := strings.TrimSpace(long(fmt.Sprintf("a change of %s by step %d", id, c.n)))
		return c.on(id, updated(text), "update_memory", map[string]any{"id": id, "content": text})
	case k < 13:
		return c.on(id, (*entry).forgot, "forget", map[string]any{"id": id})
	case k < 14:
		return c.on(id, (*entry).restored, "restore_memory", map[string]any{"id": id})
	}
	return c.get(id)
}

// spelled writes digits as letters: a new text may leave out the number of a topic only if the topic changes.
func spelled(topic string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + 'a'
		}
		return r
	}, topic)
}

func (c *client) remember() (alive bool, err error) {
	topic := spelled(fmt.Sprintf("%s number %d", c.name, c.n))
	text := strings.TrimSpace(long(topic))
	r, alive, err := c.server.call("store_memory", map[string]any{"topic": topic, "content": text})
	switch {
	case err != nil:
		return alive, err
	case !alive:
		c.l.do(func() { c.l.unsure[topic] = text })
		return false, nil
	case r.IsError && c.isBusy(r.text()):
		return true, nil
	case r.IsError:
		return true, fmt.Errorf("store_memory: %s", r.text())
	}
	id, err := receipt(r.StructuredContent)
	c.l.do(func() { c.l.memories[id] = newEntry(text) })
	c.mine = append(c.mine, id)
	return true, err
}

// on changes a memory and records the result. Changes to an archived memory may be refused.
func (c *client) on(
	id memory.ID, note func(e *entry, done bool), tool string, arguments map[string]any,
) (alive bool, err error) {
	r, alive, err := c.server.call(tool, arguments)
	if err != nil {
		return alive, err
	}
	if alive && r.IsError {
		refused := c.isBusy(r.text()) || strings.Contains(r.text(), "archives") ||
			strings.Contains(r.text(), "there is no") || strings.Contains(r.text(), "already whole")
		if !refused {
			err = fmt.Errorf("%s: %s", tool, r.text())
		}
		return true, err
	}
	c.l.do(func() { note(c.l.memories[id], alive) })
	return alive, nil
}

// get requires that a server shows the acknowledged text, unless an eviction reduced it.
func (c *client) get(id memory.ID) (alive bool, err error) {
	r, alive, err := c.server.call("get_memory", map[string]any{"id": id})
	if err != nil || !alive {
		return alive, err
	}
	var want []string
	c.l.do(func() { want = slices.Clone(c.l.memories[id].now) })
	for _, text := range want {
		if strings.Contains(r.text(), text) {
			return true, nil
		}
	}
	if r.IsError && strings.Contains(r.text(), "archives") ||
		strings.Contains(string(r.StructuredContent), `"archived":true`) {
		return true, nil
	}
	return true, fmt.Errorf("get_memory %s: %s, not one of %q", id, r.text(), want)
}

// hook fires the hooks of consecutive sessions.
type hook struct {
	*crew
	name     string
	sessions int
	forever  bool // only one session, which does not end
}

func (h *hook) stop() error { return nil }

func (h *hook) step(r *rand.Rand) error {
	k := r.IntN(20)
	session := fmt.Sprintf("%s-%d", h.name, h.sessions)
	switch {
	case k < 11:
		return h.fire(session, "PostToolUse", `"tool_response":"some output"`, func(t *tally) { t.successes++ })
	case k < 15:
		return h.fire(session, "PostToolUseFailure", `"error":"no"`, func(t *tally) { t.failures++ })
	case k < 17:
		return h.compact(session)
	case k < 19 || h.forever:
		return h.fire(session, "SessionStart", `"source":"compact"`, func(*tally) {})
	}
	h.sessions++
	return h.fire(session, "SessionEnd", `"reason":"other"`, func(*tally) {})
}

// fire runs a hook and counts it.
func (h *hook) fire(session, event, rest string, count func(*tally)) error {
	o, unsure, err := h.command(payload(session, rest), "hook", event)
	if err != nil {
		return err
	}
	if !unsure && o.status > 1 {
		return fmt.Errorf("%s exits with %d: %s", event, o.status, o.stderr)
	}
	busy := !unsure && o.status == 1 && h.isBusy(o.stderr)
	if !unsure && o.status == 1 && !busy {
		return fmt.Errorf("%s: %s", event, o.stderr)
	}
	h.l.do(func() {
		t := h.l.session(session)
		switch {
		case unsure:
			t.unsure++
		case !busy:
			count(t)
		}
	})
	return nil
}

func (h *hook) compact(session string) error {
	o, unsure, err := h.command(payload(session, `"trigger":"auto"`), "hook", "PreCompact")
	if err != nil {
		return err
	}
	busy := !unsure && o.status == 1 && h.isBusy(o.stderr)
	if !unsure && o.status != 0 && !busy {
		return fmt.Errorf("PreCompact: %d %s", o.status, o.stderr)
	}
	h.l.do(func() {
		h.l.session(session)
		switch {
		case unsure:
			h.l.compactions.unsure++
		case !busy:
			h.l.compactions.successes++
		}
	})
	return nil
}
