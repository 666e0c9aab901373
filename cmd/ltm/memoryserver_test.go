package main

// talkedIn is a thread of the user ann with a summary.
const talkedIn = "11111111-1111-4111-8111-111111111111"

// claims answers with two pages of what an application knows of ann.
func claims(c *remoteCall) {
	if c.URL.Query().Get("user_id") != "ann" {
		c.answer(200, map[string]any{"claims": []any{}})
		return
	}
	claim := func(id, text, state string) map[string]any {
		return map[string]any{"id": id, "bucket": "LONG_RUNNING_CONTEXT", "text": text, "state": state,
			"created_at": "2026-03-01T12:00:00Z", "evidence": []map[string]any{{"at": "2026-03-02T12:00:00Z"}}}
	}
	if c.URL.Query().Get("cursor") == "" {
		c.answer(200, map[string]any{"claims": []any{claim("c1", "The cold chamber is in Kiel", "active"),
			claim("c2", "The chamber is broken", "suggested")}, "next": "2"})
		return
	}
	c.answer(200, map[string]any{"claims": []any{claim("c3", "Boards are tested at minus 20 degrees", "active")}})
}

// summary answers with a thread's summary.
func summary(c *remoteCall) {
	if c.PathValue("thread") != talkedIn {
		c.refuse(404, "thread not found")
		return
	}
	c.answer(200, map[string]any{"thread_id": talkedIn, "summary": "- The board drifts two seconds a week\n"})
}
