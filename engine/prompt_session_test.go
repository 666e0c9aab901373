package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/person"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
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
		require.Contains(t, text, "- "+string(outbox)+" > Emails are written to an outbox table\n", "only its title")
		return text
	}
	ask := func(prompt string) string {
		text, err := f.PromptContext(f.ctx, "s", prompt)
		require.NoError(t, err)
		return text
	}
	at("startup")
	require.Contains(t, ask(prompt), "- "+string(outbox)+" > Emails are written to an outbox table: ")
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
	require.Contains(t, f.start("s"), "\n> # Uploads time out")
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

// TestPromptsGetWhatThePersonKeeps plays the same with a memory of the person.
func TestPromptsGetWhatThePersonKeeps(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	f.remember("Release freeze", "Nothing is merged in the week before a release.", 0.5)
	keep := func(topic, content string, tags ...string) string {
		r, err := p.mine.Remember(f.ctx, api.Draft{Topic: topic, Content: content, Tags: tags})
		require.NoError(t, err)
		return string(r.ID)
	}
	keep("Commits", "Sign every one of them.", memory.WithImportance(nil, memory.Critical)...)
	tabs := keep("Makefiles need tabs", "An editor that expands tabs breaks every recipe of a makefile.")
	_, err := p.mine.SetConfig(f.ctx, "memories_to_load", "1", settings.Clone)
	require.NoError(t, err)
	s := person.NewShelves(f.served(), p.model, nil)
	at := func(source string) {
		text, err := s.StartSession(f.ctx, api.SessionStart{Session: "s", Source: source})
		require.NoError(t, err)
		require.Contains(t, text, tabs)
		require.NotContains(t, text, "An editor that expands")
	}
	ask := func() string {
		text, err := s.PromptContext(f.ctx, "s", "why do tabs in makefiles break every recipe?")
		require.NoError(t, err)
		return text
	}
	at("startup")
	require.Contains(t, ask(), "An editor that expands tabs")
	require.Empty(t, ask())

	at("compact")
	_, err = s.Get(f.ctx, tabs)
	require.NoError(t, err)
	s.CountAccesses(f.ctx)
	require.Empty(t, ask(), "the session has opened it")

	at("compact")
	content := "An editor that expands tabs breaks every recipe of a makefile: use spaces elsewhere."
	_, err = p.mine.Update(f.ctx, tabs, api.Patch{Content: &content})
	require.NoError(t, err)
	got, err := s.PeekArchives(f.ctx, []string{tabs})
	require.NoError(t, err)
	require.Equal(t, "An editor that expands tabs breaks every recipe of a makefile.", got[0].Detail.Content)
	s.CountAccesses(f.ctx)
	require.Contains(t, ask(), "spaces elsewhere", "the session has opened an earlier text")
}

// TestWhatCannotBeOpenedIsNotShown has a session ask for a memory that is withheld, which a person then approves.
func TestWhatCannotBeOpenedIsNotShown(t *testing.T) {
	f := newEngine(t)
	f.set("trust", "ask", settings.Clone)
	f.remember("Release freeze", "Nothing is merged in the week before a release.", 0.5)
	id := memory.ID("mem_0000beef")
	f.put(id, string(memfile.Format(memory.Memory{ID: id, Topic: "Emails are written to an outbox table",
		Content: "A crash between commit and send lost emails.", CreatedAt: f.now})))
	server := f.served()
	f.start("s")
	_, err := server.Get(f.ctx, string(id))
	require.Error(t, err)
	server.CountAccesses(f.ctx)
	_, err = f.Approve(f.ctx, []string{string(id)})
	require.NoError(t, err)
	text, err := f.PromptContext(f.ctx, "s", "why do we lose emails on a crash? is there an outbox table?")
	require.NoError(t, err)
	require.Contains(t, text, id)
}

// TestAPromptOutOfTimeGetsNothing has prompts whose time is over before the memories, or the archives, are read, as
// after a pull of thousands. That is no error, and the next one gets what there is.
func TestAPromptOutOfTimeGetsNothing(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Emails are written to an outbox table", "A crash between commit and send lost emails.", 0.5)
	f.forget(f.remember("The zebra detail", "It is in the archives.", 0.5))
	for i := range 40 { // fewer do not get an index in the cache
		f.remember(fmt.Sprintf("Topic %d", i), fmt.Sprintf("About the widget%d of the machine.", i), 0.5)
	}
	own := newEngine(t)
	own.remember("Tabs in makefiles", "Spaces break every recipe.", 0.5)
	late, cancel := context.WithDeadline(f.ctx, time.Now())
	defer cancel()
	prompt := "why do we lose emails on a crash? is there an outbox table? why do tabs in makefiles break every recipe?"
	paths, err := filepath.Glob(filepath.Join(f.dir, "memories", "*"))
	require.NoError(t, err)
	for _, path := range append(paths, filepath.Join(f.dir, "memories")) { // caches trust what is not new
		require.NoError(t, os.Chtimes(path, f.now.Add(-time.Hour), f.now.Add(-time.Hour)))
	}
	for _, lost := range []string{"memories", "archives"} {
		require.NoError(t, os.RemoveAll(f.own("cache")))
		_, err = f.reopen(new(counter)).Recall(f.ctx, api.Query{Text: "machine", Include: api.IncludeAll})
		require.NoError(t, err)
		require.NoError(t, os.Remove(f.own("cache/"+lost+".bin")))
		text, err := alone(f.reopen(new(counter))).PromptContext(late, "s", prompt)
		require.NoError(t, err, lost)
		require.Empty(t, text, lost)
		shelves := person.NewShelves(f.reopen(new(counter)), own.Engine, nil)
		text, err = shelves.PromptContext(late, "s", prompt)
		require.NoError(t, err, lost)
		require.Empty(t, text, lost)
	}
	text, err := alone(f.reopen(new(counter))).PromptContext(f.ctx, "s", prompt)
	require.NoError(t, err)
	require.Contains(t, text, id)
}
