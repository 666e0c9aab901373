package clients

// opencode has plugins instead of hooks. That of ltm writes payloads as Claude Code does, and names the client.
func opencode() Client {
	return Client{
		Name: "opencode", Title: "opencode",
		Events: events(5, SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure, PreCompact, SessionEnd),
		Answer: Top,
	}.with(Setup{
		Server: Server{"opencode.json", "mcp", moduleServer}, Plugin: ".opencode/plugin/ltm.js", Context: "AGENTS.md",
		Skills: ".agents/skills", Program: "opencode",
	})
}

const moduleServer = `{"type":"local","command":["ltm","mcp"],"enabled":true}`

// kilo is a fork of opencode.
func kilo() Client {
	c := opencode()
	c.Name, c.Title = "kilo", "Kilo"
	return c.with(Setup{
		Server: Server{"kilo.json", "mcp", moduleServer}, Plugin: ".kilo/plugin/ltm.js", Context: "AGENTS.md",
		Program: "kilo",
	})
}
