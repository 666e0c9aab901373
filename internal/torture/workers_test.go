package torture_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"ltm/memory"
)

// worker does one thing after the other in the project of its crew. Memories
// that it stored are its own: nobody else updates or forgets them, but anybody's
// eviction may reduce them.
type worker interface {
	step(r *rand.Rand) error
	stop() error
}

// hand works with commands.
type hand struct {
	*crew
	name string
	n    int
	mine []memory.ID
}

func (h *hand) stop() error { return nil }

func (h *hand) step(r *rand.Rand) error {
	h.n++
	switch k := r.IntN(10); {
	case k < 5 || len(h.mine) == 0:
		return h.remember()
	case k < 7:
		return h.update(h.mine[r.IntN(len(h.mine))])
	case k < 8:
		return h.forget(r.IntN(len(h.mine)))
	}
	o, unsure, err := h.command("", "evict")
	if err == nil && o.status != 0 && !unsure && !h.isBusy(o.stderr) {
		err = fmt.Errorf("evict: %d %s", o.status, o.stderr)
	}
	return err
}

func (h *hand) remember() error {
	topic := fmt.Sprintf("%s number %d", h.name, h.n)
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
	h.l.do(func() { h.l.memories[id] = &entry{texts: []string{text}} })
	h.mine = append(h.mine, id)
	return err
}

func (h *hand) update(id memory.ID) error {
	text := strings.TrimSpace(long(fmt.Sprintf("a change of %s by step %d", id, h.n)))
	o, unsure, err := h.command(text, "update", string(id), "--content", "-")
	if err != nil {
		return err
	}
	return h.updated(id, text, unsure, o.status == 0, o.stderr)
}

// updated notes how an update went.
func (c *crew) updated(id memory.ID, text string, unsure, done bool, message string) error {
	busy := !unsure && !done && c.isBusy(message)
	gone := strings.Contains(message, "archives") || strings.Contains(message, "there is no memory")
	if !unsure && !done && !busy && !gone {
		return fmt.Errorf("update: %s", message)
	}
	c.l.do(func() {
		e := c.l.memories[id]
		switch {
		case unsure:
			e.texts = append(e.texts, text)
		case done:
			e.texts, e.accesses = []string{text}, e.accesses+1
		}
	})
	return nil
}

func (h *hand) forget(i int) error {
	id := h.mine[i]
	o, unsure, err := h.command("", "forget", string(id))
	if err != nil || o.status != 0 && !unsure && h.isBusy(o.stderr) {
		return err
	}
	if o.status != 0 && !unsure && o.status != 3 { // evicted already
		return fmt.Errorf("forget: %d %s", o.status, o.stderr)
	}
	h.l.do(func() { h.l.memories[id].forgotten = o.status == 0 })
	h.mine = append(h.mine[:i], h.mine[i+1:]...)
	return nil
}

// client works through a server.
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
	var alive bool
	var err error
	switch k := r.IntN(10); {
	case k < 4 || len(c.mine) == 0:
		alive, err = c.remember()
	case k < 7:
		alive, err = c.update(c.mine[r.IntN(len(c.mine))])
	default:
		alive, err = c.get(c.mine[r.IntN(len(c.mine))])
	}
	if err == nil && !alive {
		err = c.stop()
	}
	return err
}

func (c *client) remember() (alive bool, err error) {
	topic := fmt.Sprintf("%s number %d", c.name, c.n)
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
	c.l.do(func() { c.l.memories[id] = &entry{texts: []string{text}} })
	c.mine = append(c.mine, id)
	return true, err
}

func (c *client) update(id memory.ID) (alive bool, err error) {
	text := strings.TrimSpace(long(fmt.Sprintf("a change of %s by step %d", id, c.n)))
	r, alive, err := c.server.call("update_memory", map[string]any{"id": id, "content": text})
	if err != nil {
		return alive, err
	}
	return alive, c.updated(id, text, !alive, alive && !r.IsError, r.text())
}

// get requires that a server shows what was acknowledged, unless an eviction has
// reduced it.
func (c *client) get(id memory.ID) (alive bool, err error) {
	r, alive, err := c.server.call("get_memory", map[string]any{"id": id})
	if err != nil || !alive {
		return alive, err
	}
	var want []string
	c.l.do(func() { want = append(want, c.l.memories[id].texts...) })
	for _, text := range want {
		if strings.Contains(r.text(), text) {
			return true, nil
		}
	}
	if r.IsError && strings.Contains(r.text(), "archives") || strings.Contains(string(r.StructuredContent), `"archived":true`) {
		return true, nil
	}
	return true, fmt.Errorf("get_memory %s: %s, not one of %q", id, r.text(), want)
}

// hook fires the hooks of one session after the other.
type hook struct {
	*crew
	name     string
	sessions int
	forever  bool // one session alone, which does not end
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
