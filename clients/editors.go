package clients

// vscode is known from its documentation alone. It reads no context before a prompt.
func vscode() Client {
	return Client{
		Name: "vscode", Title: "VS Code",
		Events: events(10, SessionStart, PostToolUse, PreCompact),
		Fields: map[string][]string{"session_id": {"sessionId"}},
		Keys:   []string{"hookEventName"},
	}.with(Setup{
		Server:  Server{".vscode/mcp.json", "servers", `{"type":"stdio","command":"ltm","args":["mcp"]}`},
		Context: "AGENTS.md", Program: "code", NotRun: true,
		Lacks: []string{"hooks are those of .claude/settings.json, which ltm init --shared writes"},
	})
}

// cursor is known from its documentation alone. Only the start of a session adds a context.
func cursor() Client {
	return Client{
		Name: "cursor", Title: "Cursor",
		Events: []Event{
			{"sessionStart", SessionStart, 10}, {"postToolUse", PostToolUse, 5},
			{"postToolUseFailure", PostToolUseFailure, 5}, {"preCompact", PreCompact, 5},
			{"sessionEnd", SessionEnd, 5},
		},
		Fields:   map[string][]string{"session_id": {"conversation_id"}, "tool_response": {"tool_output"}},
		Keys:     []string{"cursor_version"},
		Variable: "CURSOR_VERSION",
		Answer:   Snake,
	}.with(Setup{
		Server: Server{".cursor/mcp.json", "mcpServers", plainServer}, Hooks: ".cursor/hooks.json", Form: Flat,
		Context: "AGENTS.md", Program: "cursor-agent", NotRun: true,
		Lacks: []string{"a prompt gets no memories"},
	})
}

// proceed is Continue, whose hooks did not run when they were tried.
func proceed() Client {
	return Client{Name: "continue", Title: "Continue"}.with(Setup{
		Server: Server{Path: ".continue/mcpServers/ltm.yaml", Value: continueServer}, Context: "AGENTS.md",
		Program: "cn", NotRun: true,
		Lacks: []string{"no hooks: memories come by the tools alone"},
	})
}

const continueServer = `---
name: ltm
version: 0.0.1
schema: v1
mcpServers:
  - name: ltm
    command: ltm
    args:
      - mcp
`
