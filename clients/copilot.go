package clients

// copilot names fields by the names of events: an event in camel case has fields in camel case. It also runs the hooks
// of Claude Code's settings, with the names of Claude Code. A payload says nothing of its record except at the end of a
// turn, and nothing is fired after a compaction.
func copilot() Client {
	return Client{
		Name: "copilot", Title: "Copilot",
		Events: []Event{
			{"sessionStart", SessionStart, 10}, {"userPromptSubmitted", UserPromptSubmit, 5},
			{"postToolUse", PostToolUse, 5}, {"postToolUseFailure", PostToolUseFailure, 5},
			{"preCompact", PreCompact, 5}, {"sessionEnd", SessionEnd, 5},
		},
		Fields: map[string][]string{
			"session_id": {"sessionId"}, "transcript_path": {"transcriptPath"}, "tool_name": {"toolName"},
			"tool_input": {"toolArgs"}, "tool_response": {"toolResult", "tool_result"},
		},
		Sources:     map[string]string{"new": "startup"},
		Keys:        []string{"sessionId", "tool_result", "initial_prompt"},
		DirVariable: "COPILOT_HOME", Dir: ".copilot", Records: "session-state", Record: "*/events.jsonl",
		Noted:    "session-state/*/events.jsonl",
		Variable: "COPILOT_CLI",
		Answer:   Top,
	}.with(Setup{
		Server: Server{".github/mcp.json", "mcpServers",
			`{"type":"local","command":"ltm","args":["mcp"],"tools":["*"]}`},
		Hooks: ".github/hooks/ltm.json", Form: Shells, Context: "AGENTS.md", Skills: ".github/skills",
		Program: "copilot", Trust: Trust{"settings.json", `^\s*[,\]]`, "", Review{}},
		Then:  []string{"trust the directory in Copilot; where nobody can be asked, --allow-tool=ltm lets it store"},
		Lacks: []string{"nothing fires after a compaction: the memories come back with the next session"},
	})
}
