package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
)

// TestToldInATerminal stores as a person in a terminal, as a program, and as the
// client's Bash tool does: only the person tells something outright.
func TestToldInATerminal(t *testing.T) {
	p := newProject(t)
	difficulty := func(topic string) float64 {
		var list api.Listing
		require.NoError(t, json.Unmarshal([]byte(p.run("", "list", "--json", "--keyword", topic)), &list))
		require.Len(t, list.Memories, 1)
		return *list.Memories[0].Difficulty
	}
	p.onTerminal(80, []string{"CLAUDE_CODE_SESSION_ID="}, "remember", "Deploys", "On Mondays.")
	require.InDelta(t, 0.5, difficulty("Deploys"), 1e-9)
	p.onTerminal(80, []string{"CLAUDE_CODE_SESSION_ID="}, "remember", "Backups", "At night.", "--difficulty", "0.9")
	require.InDelta(t, 0.9, difficulty("Backups"), 1e-9, "unless said otherwise")
	p.onTerminal(80, []string{"CLAUDE_CODE_SESSION_ID=11111111-0000-4000-8000-000000000000"}, "remember", "Ports",
		"Port 8443.")
	require.InDelta(t, 0.25, difficulty("Ports"), 1e-9)
	p.run("", "remember", "Hosts", "Host db1.")
	require.InDelta(t, 0.25, difficulty("Hosts"), 1e-9)
}
