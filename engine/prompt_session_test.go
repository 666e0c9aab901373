package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/api"
	"ltm/memory"
)

// TestAPromptGetsTheTextOfWhatTheBlockOnlyNames plays a session from its start: a title in the block is no answer to a
// prompt, and what the session's context has is not repeated until a compaction has taken it away.
func TestAPromptGetsTheTextOfWhatTheBlockOnlyNames(t *testing.T) {
	f := newEngine(t)
	outbox := f.remember("Emails are written to an outbox table",
		"A crash between commit and send lost emails, so the outbox table is written in the same transaction.", 0)
	for i := range 24 {
		f.remember(fmt.Sprintf("Service %c deploys on weekday %d", 'A'+i, i),
			fmt.Sprintf("Only the release manager may change window %d of it.", i), 0.9)
	}
	const prompt = "why do we lose emails on a crash? is there an outbox table?"
	server := f.served()
	at := func(source string) string {
		text, err := f.StartSession(f.ctx, api.SessionStart{Session: "s", Source: source})
		require.NoError(t, err)
		require.Contains(t, text, "- "+string(outbox)+" Emails are written to an outbox table\n", "only its title")
		return text
	}
	ask := func(prompt string) string {
		text, err := f.PromptContext(f.ctx, "s", prompt)
		require.NoError(t, err)
		return text
	}
	at("startup")
	require.Contains(t, ask(prompt), "- "+string(outbox)+" Emails are written to an outbox table: ")
	require.Empty(t, ask(prompt), "an earlier prompt got it")
	require.Empty(t, ask("who may change window 23 of service X, which deploys on weekday 23?"), "it was whole")

	require.NoError(t, compacted(f.ctx, f, "s"))
	at("compact")
	require.Contains(t, ask(prompt), outbox, "the compaction took it away")

	require.NoError(t, f.EndSession(f.ctx, "s"))
	at("resume")
	require.Empty(t, ask(prompt), "a resumed session has the context that it had")

	at("clear")
	_, err := server.Get(f.ctx, string(outbox))
	require.NoError(t, err)
	server.CountAccesses(f.ctx)
	require.Empty(t, ask(prompt), "the session has opened it")
	at("compact")
	_, err = server.GetMany(f.ctx, []string{string(outbox)})
	require.NoError(t, err)
	require.Empty(t, ask(prompt), "the same with several")

	at("compact")
	_, err = f.Get(f.ctx, string(outbox))
	require.NoError(t, err)
	require.NotEmpty(t, ask(prompt), "a person has opened it, and the session has not")
}

// TestAFadedMemoryIsNotWhole in the block, so a prompt gets a passage of it.
func TestAFadedMemoryIsNotWhole(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Uploads time out", "Retries have a budget per host.\n\n"+strings.Repeat("More of it. ", 30)+
		"The nightly archive is uploaded by cron on harbor.", 0.5)
	f.fade(id, memory.Abstract)
	require.Contains(t, f.start("s"), "## Uploads time out\n")
	text, err := f.PromptContext(f.ctx, "s", "does cron upload the nightly archive on harbor?")
	require.NoError(t, err)
	require.Contains(t, text, "uploaded by cron on harbor")
}

// TestAnAgentSurvivesACompaction whose payload does not name it.
func TestAnAgentSurvivesACompaction(t *testing.T) {
	f := newEngine(t)
	f.forAgent("reviewer", "Review style", "Look at the tests first.")
	require.Contains(t, f.startFor("reviewer", "s"), "Review style")
	text, err := f.StartSession(f.ctx, api.SessionStart{Session: "s", Source: "compact"})
	require.NoError(t, err)
	require.Contains(t, text, "Review style")
	require.Equal(t, []string{"Review style"}, f.listed(f.served(), api.ListFilter{}))
	require.NotContains(t, f.start("s2"), "Review style")
}
