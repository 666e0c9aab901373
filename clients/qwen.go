package clients

// qwen asks for a context at every request to the model; all but the first of a turn have no prompt.
func qwen() Client {
	return Client{
		Name: "qwen", Title: "Qwen Code",
		Events: events(5, SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure, PreCompact, SessionEnd),
		Dir:    ".qwen", Records: "projects", Record: "chats/*.jsonl",
		Variable: "QWEN_CODE_SESSION_ID",
	}.with(Setup{
		Server: Server{".qwen/settings.json", "mcpServers",
			`{"command":"ltm","args":["mcp"],"trust":true,"alwaysLoadTools":true}`},
		Hooks: ".qwen/settings.json", Form: Milliseconds, Context: "AGENTS.md", Program: "qwen",
		Lacks: []string{"with -p, no event tells of the session's end"},
	})
}
