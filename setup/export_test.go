package setup

// What the fuzz tests look at without files.

// MergeHooks adds hooks that start ltm, from a shell or without one, for one event with a matcher and one
// without.
func MergeHooks(data []byte, shell bool) ([]byte, error) {
	wanted, err := wantedHooks([]byte(`{"hooks":{
		"SessionStart":[{"hooks":[{"type":"command","command":"x","args":["hook","SessionStart"],"timeout":10}]}],
		"PostToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"x","args":["hook",`+
		`"PostToolUse"],"timeout":5}]}]}}`), "/opt/ltm", shell)
	if err != nil {
		return nil, err
	}
	return mergeHooks("settings.json", data, wanted)
}

// RemoveHooks takes them out.
func RemoveHooks(data []byte) ([]byte, error) { return removeHooks("settings.json", data) }

// HasHooks reports whether there are any, or whether the text is refused.
func HasHooks(data []byte) (bool, error) {
	found, err := findHooks("settings.json", data)
	return len(found) > 0, err
}

// MergeServer adds the server; taken reports that another server has the name.
func MergeServer(data []byte) (merged []byte, taken bool, err error) {
	merged, kept, err := claudeServer().merge(".mcp.json", data)
	return merged, kept != nil, err
}

// RemoveServer takes it out.
func RemoveServer(data []byte) ([]byte, error) { return claudeServer().remove(".mcp.json", data) }

// MergeSection adds the section.
func MergeSection(data []byte) ([]byte, error) {
	merged, _, err := inMarkdown().merge("CLAUDE.md", data)
	return merged, err
}

// RemoveSection takes it out.
func RemoveSection(data []byte) ([]byte, error) { return inMarkdown().remove("CLAUDE.md", data) }

// SamePath compares two paths as the client may have written them.
func SamePath(a, b string, windows bool) bool { return samePath(a, b, windows) }
