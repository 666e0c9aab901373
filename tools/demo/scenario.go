package main

import (
	"fmt"
	"slices"
	"strings"
)

// play plays the scenario. After a failure, the remaining steps do nothing.
func (d *demo) play() {
	pool := d.firstSession()
	d.secondSession(pool)
	d.fading(pool)
	d.bringBack(pool)
	d.title("What git sees: the restored memory, and nothing of the fading")
	d.show(d.git("status", "--short", "--untracked-files=all"))
	d.say("Every step showed what it should.")
}

// firstSession works, fails, and stores what it learned.
func (d *demo) firstSession() string {
	d.title("Session 1: a hard bug")
	d.open("s-1")
	d.expect(d.lastHook == "", "a project without memories gets no context block")
	d.expect(!d.exists(".claude"), "a project without a store is left untouched")
	d.say("The session begins. There is no memory yet, and ltm says and writes nothing.")

	s := d.connect("s-1")
	defer s.close()
	d.say("Claude keeps a first thing with store_memory, which makes the store:")
	s.call("store_memory", fields{"topic": "Prices are integers in cents",
		"content": "Never floats: rounding lost a cent per order in March."})

	d.say("Then it tries three times to fix a timeout, and the tools fail; the fourth attempt works.")
	d.attempts()
	stored := s.call("store_memory", fields{
		"topic": "Connection pool exhausted under load",
		"content": "The pool was capped at 5, and every checkout took one more for the audit log.\n\n" +
			"What did not help:\n\n- longer timeouts: they hid it\n- retries: they made it worse\n\n" +
			"Raising `MaxOpenConns` to 20 in db/pool.go ended the timeouts. Three attempts failed before that.",
		"auto_tag": true,
	})
	id, _ := stored["id"].(string)
	difficulty, _ := stored["difficulty"].(float64)
	d.expect(id != "", "store_memory answers with an id")
	d.expect(difficulty > 0.5, "a session of failed attempts makes a difficult memory")
	d.end("s-1")

	d.say("The memory is a file in the repository, to read, edit and merge:")
	d.show(d.read(".claude/ltm/memories/" + id + ".md"))
	return id
}

// secondSession starts with what the first one learned.
func (d *demo) secondSession(pool string) {
	d.title("Session 2: the next day")
	d.open("s-2")
	d.say("What Claude has in its context before the first word:")
	d.show(d.lastHook)
	d.expect(strings.Contains(d.lastHook, "Connection pool exhausted under load"),
		"the next session has the memory in its context")
	d.expect(strings.Contains(d.lastHook, "MaxOpenConns"), "the memory arrives with its content")

	s := d.connect("s-2")
	defer s.close()
	d.say("It can search, too:")
	found := s.call("recall", fields{"query": "why did the database time out?"})
	d.expect(strings.Contains(fmt.Sprint(found), pool), "recall finds the memory by other words")
	s.call("get_memory", fields{"id": pool})
	for _, m := range []fields{
		{"topic": "Release on Tuesdays",
			"content": "The warehouse closes its week on Monday night.\n\n- tag before noon\n- tell support\n\nAnna " +
				"decided so in May.", "difficulty": 0.1},
		{"topic": "Mail templates live in web/mail",
			"content": "They are rendered by hand.\n\n- no inline images\n- 600 pixels wide\n\nThe old ones in " +
				"assets/ are dead.", "difficulty": 0.1},
		{"topic": "Log in with a magic link",
			"content":    "Passwords were dropped.\n\n- links last 15 minutes\n- one per address\n\nSee auth/link.go.",
			"difficulty": 0.1, "tags": []string{"auth", "importance:critical"}},
	} {
		s.call("store_memory", m)
	}
	d.end("s-2")
	d.ltm("list")
}

// fading ends sessions until the number of memories is within the limit.
func (d *demo) fading(pool string) {
	d.title("Too many memories: the least important ones fade")
	d.commit("what was learned")
	d.ltm("config", "max_memories", "3")
	d.ltm("evict", "--dry-run")
	seen := map[int]bool{}
	for n := 3; n < 15 && d.err == nil && len(d.memories()) > 3; n++ {
		session := fmt.Sprintf("s-%d", n)
		d.open(session)
		d.end(session)
		for _, m := range d.memories() {
			seen[m.Phase] = true
		}
		d.say("after session %d:", n)
		d.ltm("list")
	}
	d.expect(len(d.memories()) == 3, "eviction ends at max_memories")
	d.expect(seen[0] && seen[1] && seen[2], "memories fade from full to hint to abstract")
	d.expect(slices.ContainsFunc(d.memories(), func(m entry) bool { return m.ID == pool }),
		"what was hard won and used stays")
	d.expect(strings.Contains(d.ltm("archives", "warehouse")+d.ltm("archives", "mail templates"), "mem_"),
		"what went out of sight is found in the archives")
	d.expect(d.git("status", "--short") == "", "fading changes no file")
}

// bringBack restores an archived memory and shows it in the next session.
func (d *demo) bringBack(pool string) {
	d.title("Nothing is lost: it comes back in full")
	s := d.connect("s-20")
	defer s.close()
	gone := d.archived()
	d.expect(len(gone) > 0 && gone[0].ID != pool, "a memory has faded out of sight")
	if d.err != nil {
		return
	}
	s.call("restore_memory", fields{"id": gone[0].ID, "importance": "important"})
	full := s.call("get_memory", fields{"id": gone[0].ID})
	d.expect(strings.Contains(fmt.Sprint(full["content"]), "\n- "), "the restored memory has its full text again")
	d.open("s-20")
	d.expect(strings.Contains(d.lastHook, fmt.Sprint(full["topic"])),
		"the restored memory is in the next session's context")
	d.show(d.lastHook)
	d.end("s-20")
	d.ltm("status")
	d.ltm("check")
}
