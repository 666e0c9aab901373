package clients

import (
	"encoding/json"
	"fmt"
	"strings"
)

// codex fires nothing for a call that failed, and clamps the time of the last hook to 3 s, with a warning if it is
// higher. A context of more than about 2,500 tokens is cut in its middle, and a token counts as 4 bytes.
func codex() Client {
	return Client{
		Name: "codex", Title: "Codex",
		Events: append(events(5, SessionStart, UserPromptSubmit, SubagentStart, PostToolUse, PreCompact, PostCompact),
			Event{SessionEnd, SessionEnd, 3}),
		Keys:        []string{"turn_id"},
		DirVariable: "CODEX_HOME", Dir: ".codex", Records: "sessions", Record: "rollout-*.jsonl",
		Memories:   Memories{Form: "auto-memory", Path: "memories", File: "memories/MEMORY.md"},
		MaxContext: 9_800,
	}.with(Setup{
		Server: Server{Path: ".codex/config.toml", Value: codexServer}, Hooks: ".codex/hooks.json",
		Context: "AGENTS.md", Skills: ".agents/skills", Program: "codex",
		Trust: Trust{"config.toml", `^\]\s[^[]*\btrust_level\s*=\s*["']trusted["']`,
			`^\]\s[^[]*\btrust_level\s*=\s*["']untrusted["']`,
			Review{[]string{"app-server"}, codexRequest, codexHooks}},
		Then: []string{"trust the project in Codex, and accept ltm's hooks with /hooks: until then they do not run"},
		Lacks: []string{"a call that failed fires no hook: failures are counted from its record",
			`forget needs default_tools_approval_mode = "approve" below [mcp_servers.ltm] where nobody can be asked`},
	})
}

// codexServer names the variables of ltm, because Codex passes on no others.
const codexServer = `[mcp_servers.ltm]
command = "ltm"
args = ["mcp"]
env_vars = ["LTM_DIR", "LTM_USER_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "CODEX_HOME"]
`

// codexRequest asks the app server for the hooks of a directory.
func codexRequest(dir string) string {
	quoted, _ := json.Marshal(dir) // cannot fail for a text
	return `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"ltm","version":"1"}}}` + "\n" +
		`{"method":"initialized"}` + "\n" +
		fmt.Sprintf(`{"id":2,"method":"hooks/list","params":{"cwds":[%s]}}`, quoted) + "\n"
}

// codexHooks reads its answer. A hook that was changed after it was accepted does not run either.
func codexHooks(line []byte) (waiting []string, ok bool) {
	var v struct {
		Result struct {
			Data []struct {
				Hooks []struct {
					EventName, Command, TrustStatus string
					Enabled                         bool
				}
			}
		}
	}
	_ = json.Unmarshal(line, &v)
	for _, listed := range v.Result.Data {
		for _, h := range listed.Hooks {
			if !strings.Contains(h.Command, "ltm hook ") {
				continue
			}
			if ok = true; !h.Enabled {
				h.TrustStatus = "disabled"
			}
			if h.TrustStatus != "trusted" && h.TrustStatus != "managed" {
				waiting = append(waiting, h.EventName+" ("+h.TrustStatus+")")
			}
		}
	}
	return waiting, ok
}
