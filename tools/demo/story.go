package main

import (
	"fmt"
	"strings"
)

// tell plays the short story: one session learns something, and the next one starts with it. It
// omits what [demo.play] shows in addition.
func (d *demo) tell() {
	d.compact = true
	pool := d.learn()
	d.remembered(pool)
	d.title("For people: files, and a command line")
	d.ltm("list")
	d.say("$ git status --short --untracked-files=all")
	d.show(d.git("status", "--short", "--untracked-files=all"))
	d.say("Every step showed what it should. \"make demo-full\" goes on: memories fade and come back.")
}

// learn works, fails, and stores the reason.
func (d *demo) learn() string {
	d.title("Session 1: a hard bug")
	d.open("s-1")
	d.expect(d.lastHook == "" && !d.exists(".claude"), "a project without a store is left untouched")
	d.say("Claude tries three times to fix a timeout; the fourth attempt works. It keeps what it learned:")
	d.attempts()
	s := d.connect("s-1")
	defer s.close()
	stored := s.call("store_memory", fields{
		"topic": "Connection pool exhausted under load",
		"content": "Raising `MaxOpenConns` to 20 in db/pool.go ended the timeouts.\n\nWhat did not help:\n\n- longer " +
			"timeouts: they hid it\n- retries: they made it worse",
		"auto_tag": true,
	})
	id, _ := stored["id"].(string)
	d.expect(id != "", "store_memory answers with an id")
	d.end("s-1")
	return id
}

// attempts fails three times and then succeeds.
func (d *demo) attempts() {
	for range 3 {
		d.hook("PostToolUseFailure", fields{"session_id": "s-1", "tool_name": "Bash",
			"tool_input": fields{"command": "go test ./db"}, "error": "Exit code 1\npq: connection timed out"})
	}
	d.hook("PostToolUse", fields{"session_id": "s-1", "tool_name": "Bash",
		"tool_input": fields{"command": "go test ./db"}, "tool_response": fields{"stdout": "ok", "stderr": ""}})
}

// remembered starts the next session with it.
func (d *demo) remembered(pool string) {
	d.title("Session 2: the next day")
	d.open("s-2")
	d.say("What Claude has in its context before the first word:")
	d.show(d.lastHook)
	d.expect(strings.Contains(d.lastHook, "MaxOpenConns"), "the memory arrives with its content")
	s := d.connect("s-2")
	defer s.close()
	d.say("A question in other words finds it:")
	found := s.call("recall", fields{"query": "why did the database time out?"})
	d.expect(strings.Contains(fmt.Sprint(found), pool), "recall finds the memory by other words")
	d.end("s-2")
}
