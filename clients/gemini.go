package clients

// gemini fires one event for calls that succeed and for those that fail. Its PreCompress comes before every request to
// the model, so it says nothing of a compaction.
func gemini() Client {
	return Client{
		Name: "gemini", Title: "Gemini CLI",
		Events: []Event{
			{SessionStart, SessionStart, 10}, {"BeforeAgent", UserPromptSubmit, 5}, {"AfterTool", PostToolUse, 5},
			{SessionEnd, SessionEnd, 5},
		},
		Keys: []string{"mcp_context"},
		Dir:  ".gemini", Records: "tmp", Record: "chats/session-*.jsonl",
		Memories: Memories{Form: "claude-md", Path: "GEMINI.md", File: "GEMINI.md", Mark: "## Gemini Added Memories"},
		Variable: "GEMINI_SESSION_ID",
		Failure:  "error",
		Wrapper:  "hook_context",
	}.with(Setup{
		Server: Server{".gemini/settings.json", "mcpServers", `{"command":"ltm","args":["mcp"],"trust":true}`},
		Hooks:  ".gemini/settings.json", Form: Milliseconds, Context: "GEMINI.md", Skills: ".agents/skills",
		Program: "gemini",
		Trust: Trust{"trustedFolders.json", `^\s*:\s*"TRUST_`, `^\s*:\s*"DO_NOT_TRUST`,
			Review{}},
		Then:  []string{"trust the directory in Gemini CLI: until then it reads none of this"},
		Lacks: []string{"no event tells of a compaction"},
	})
}
