package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/person"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// forAgent stores a memory for an agent.
func (f *fixture) forAgent(agent, topic, content string, tags ...string) memory.ID {
	f.t.Helper()
	r, err := f.Remember(f.ctx, api.Draft{Topic: topic, Content: content, Agent: agent, Tags: tags})
	require.NoError(f.t, err)
	return r.ID
}

// startFor starts a session for an agent.
func (f *fixture) startFor(agent, session string) string {
	f.t.Helper()
	text, err := f.StartSession(f.ctx, api.SessionStart{Session: session, Source: "startup", Agent: agent})
	require.NoError(f.t, err)
	return text
}

// listed returns the topics of a listing.
func (f *fixture) listed(e *engine.Engine, filter api.ListFilter) []string {
	f.t.Helper()
	list, err := e.List(f.ctx, filter)
	require.NoError(f.t, err)
	topics := []string{}
	for _, m := range list.Memories {
		topics = append(topics, m.Topic)
	}
	return topics
}

// recalled returns the topics of an answer.
func (f *fixture) recalled(e *engine.Engine, q api.Query) []string {
	f.t.Helper()
	answer, err := e.Recall(f.ctx, q)
	require.NoError(f.t, err)
	topics := []string{}
	for _, m := range answer.Memories {
		topics = append(topics, m.Topic)
	}
	return topics
}

// served is the engine of a server, whose answers go to a model.
func (f *fixture) served() *engine.Engine {
	clock := func() time.Time { return f.now }
	return engine.New(engine.Options{Store: store.New(f.places, clock), Version: "test", Now: clock,
		Random: new(counter), LockWait: patience, ToModel: true})
}

func TestBlocksAreForTheirAgent(t *testing.T) {
	f := newEngine(t)
	f.remember("For all", "The pool holds ten connections.", 0.5)
	f.forAgent(" reviewer ", "How to review", "Read the tests first.", "importance:critical")
	f.forAgent("ltm:reviewer", "How the plugin reviews", "Read the manifest first.")
	for agent, want := range map[string]string{"": "For all", "reviewer": "For all, How to review",
		" reviewer\n": "For all, How to review", "ltm:reviewer": "For all, How the plugin reviews",
		"Reviewer": "For all", "review": "For all", "two\nlines": "For all", "\xff": "For all",
		strings.Repeat("x", 500): "For all"} {
		block := f.startFor(agent, "s")
		for _, topic := range []string{"For all", "How to review", "How the plugin reviews"} {
			require.Equal(t, strings.Contains(want, topic), strings.Contains(block, "\n> # "+topic), "%q: %s", agent,
				block)
		}
		if want == "For all" {
			require.NotContains(t, block, "critical")
			require.NotContains(t, block, "not shown")
		}
	}
	require.Contains(t, f.startFor("reviewer", "s"), " · critical · for reviewer\n")
	for agent, want := range map[string]string{"reviewer": "How to review", "ltm:reviewer": "How the plugin reviews",
		"": "", "explorer": "", "two\nlines": ""} {
		block, err := f.AgentContext(f.ctx, agent)
		require.NoError(t, err)
		if want == "" {
			require.Empty(t, block)
			continue
		}
		require.Contains(t, block, "\n> # "+want)
		require.Equal(t, 1, strings.Count(block, "\n## "), "the memories for all are in the session's own block")
	}
	empty := newEngine(t)
	block, err := empty.AgentContext(f.ctx, "reviewer")
	require.NoError(t, err)
	require.Empty(t, block)
	require.NoDirExists(t, empty.dir)
}

func TestAnswersAreForTheirAgent(t *testing.T) {
	f := newEngine(t)
	f.remember("Pool for all", "The pool holds ten connections.", 0.5)
	id := f.forAgent("reviewer", "Pool for reviewers", "The pool of reviewers holds two connections.")
	server := f.served()
	both, all, own := []string{"Pool for reviewers", "Pool for all"}, []string{"Pool for all"},
		[]string{"Pool for reviewers"}
	query := api.Query{Text: "pool of connections"}

	f.start("a")
	require.Equal(t, all, f.recalled(server, query))
	require.Equal(t, all, f.listed(server, api.ListFilter{}))
	asked := query
	asked.Agent = "reviewer"
	require.Equal(t, own, f.recalled(server, asked))
	require.Equal(t, own, f.listed(server, api.ListFilter{Agent: " reviewer"}))
	require.ElementsMatch(t, both, f.listed(server, api.ListFilter{AnyAgent: true}))
	asked.Agent = "Reviewer"
	require.Empty(t, f.recalled(server, asked))
	asked.Agent = "two\nlines"
	_, err := server.Recall(f.ctx, asked)
	require.Equal(t, memory.KindAgentMalformed, memory.KindOf(err))
	_, err = server.Get(f.ctx, string(id))
	require.NoError(t, err, "by its id")

	f.now = f.now.Add(time.Minute)
	f.startFor("reviewer", "b")
	require.ElementsMatch(t, both, f.recalled(server, query))
	require.ElementsMatch(t, both, f.listed(server, api.ListFilter{}))
	require.Equal(t, all, f.recalled(f.Engine, query), "a person's command is not the session's")
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Equal(t, 1, list.OfAgents)

	prompt, err := f.PromptContext(f.ctx, "c", "how many connections does the pool of reviewers hold?")
	require.NoError(t, err)
	require.NotContains(t, prompt, string(id))
	_, err = f.Forget(f.ctx, string(id))
	require.NoError(t, err)
	f.start("d")
	require.NoError(t, f.EndSession(f.ctx, "b"))
	answer, err := server.Recall(f.ctx, api.Query{Text: "reviewers", Include: api.IncludeArchives})
	require.NoError(t, err)
	require.Empty(t, answer.Memories)
	answer, err = server.Recall(f.ctx, api.Query{Text: "reviewers"})
	require.NoError(t, err)
	require.Zero(t, answer.Archived)
	archives, err := server.SearchArchives(f.ctx, "reviewers", 10)
	require.NoError(t, err)
	require.Empty(t, archives.Archives)
	require.Equal(t, own, f.listed(server, api.ListFilter{Agent: "reviewer", Include: api.IncludeArchives}))
	require.Equal(t, own, f.recalled(server, api.Query{Text: "reviewers", Agent: "reviewer",
		Include: api.IncludeArchives}))
}

// TestPromptsAreForTheirAgent has a memory that clearly matches a prompt.
func TestPromptsAreForTheirAgent(t *testing.T) {
	f := newEngine(t)
	id := f.forAgent("reviewer", "Zebra detail", "The zebra detail of db.go is max_conns, and it takes an hour.")
	for agent, want := range map[string]bool{"reviewer": true, "": false, "explorer": false} {
		f.startFor(agent, "session "+agent)
		f.set("memories_to_load", "0", "local")
		_, err := f.StartSession(f.ctx, api.SessionStart{Session: "p" + agent, Source: "startup", Agent: agent})
		require.NoError(t, err)
		prompt, err := f.PromptContext(f.ctx, "p"+agent, "how long is the zebra detail about db.go and max_conns?")
		require.NoError(t, err)
		require.Equal(t, want, strings.Contains(prompt, string(id)), agent)
	}
}

// TestAMemoryChangesItsAgent also stores the same text for two agents.
func TestAMemoryChangesItsAgent(t *testing.T) {
	f := newEngine(t)
	id := f.forAgent("reviewer", "Pool", "The pool holds ten connections.")
	_, err := f.Remember(f.ctx, api.Draft{Topic: "Pool", Content: "The pool holds ten connections.",
		Agent: "reviewer"})
	require.Equal(t, memory.KindDuplicate, memory.KindOf(err))
	other, err := f.Remember(f.ctx, api.Draft{Topic: "Pool", Content: "The pool holds ten connections.",
		Agent: "explorer"})
	require.NoError(t, err)
	require.Empty(t, other.Similar, "a memory of another agent")
	none, long := "", strings.Repeat("x", 101)
	_, err = f.Update(f.ctx, string(id), api.Patch{Agent: &long})
	require.Equal(t, memory.KindAgentMalformed, memory.KindOf(err))
	_, err = f.Update(f.ctx, string(id), api.Patch{Agent: &none})
	require.NoError(t, err)
	require.Empty(t, f.header(id).Agent)
	d, err := f.Peek(f.ctx, string(other.ID))
	require.NoError(t, err)
	require.Equal(t, "explorer", d.Agent)
	_, err = f.Remember(f.ctx, api.Draft{Topic: "Key", Content: "c", Agent: "AKIAIOSFODNN7EXAMPLQ"})
	require.Equal(t, memory.KindTextSecret, memory.KindOf(err))
}

// TestThePersonsMemoriesOfAnAgent has them in the store of the person, and the session in that of
// the project.
func TestThePersonsMemoriesOfAnAgent(t *testing.T) {
	f, own := newEngine(t), newEngine(t)
	f.remember("Pool of the project", "The pool holds ten connections.", 0.5)
	own.forAgent("reviewer", "Pool of the person", "The pool of reviewers holds two connections.")
	shelves := person.NewShelves(f.served(), own.served(), nil)
	topics := func() (found []string) {
		answer, err := shelves.Recall(f.ctx, api.Query{Text: "pool of connections"})
		require.NoError(t, err)
		for _, m := range answer.Memories {
			found = append(found, m.Topic)
		}
		return found
	}
	f.start("a")
	require.Equal(t, []string{"Pool of the project"}, topics())
	list, err := shelves.List(f.ctx, api.ListFilter{Scope: api.ScopeAll})
	require.NoError(t, err)
	require.Equal(t, 1, list.OfAgents)
	require.NoError(t, f.EndSession(f.ctx, "a"))
	f.startFor("reviewer", "b")
	require.ElementsMatch(t, []string{"Pool of the project", "Pool of the person"}, topics())
	list, err = shelves.List(f.ctx, api.ListFilter{Scope: api.ScopeAll})
	require.NoError(t, err)
	require.Equal(t, 2, list.Total)
	require.Zero(t, list.OfAgents)
}
