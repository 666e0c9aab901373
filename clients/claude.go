package clients

// The events that ltm handles, as Claude Code names them.
const (
	SessionStart       = "SessionStart"
	UserPromptSubmit   = "UserPromptSubmit"
	SubagentStart      = "SubagentStart"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	PreCompact         = "PreCompact"
	PostCompact        = "PostCompact"
	SessionEnd         = "SessionEnd"
)

// Claude returns Claude Code, whose names all of ltm uses.
func Claude() Client {
	return Client{
		Name: "claude", Title: "Claude Code",
		Events: events(5, SessionStart, UserPromptSubmit, SubagentStart, PostToolUse, PostToolUseFailure, PreCompact,
			PostCompact, SessionEnd),
		DirVariable: "CLAUDE_CONFIG_DIR", Dir: ".claude", Records: "projects", Record: "projects/*/*.jsonl",
		Summary: true,
	}
}
