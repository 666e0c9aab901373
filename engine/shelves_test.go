package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/person"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// personStore is a person's own store, opened as a person's command or as a server does.
type personStore struct {
	dir         string
	mine, model *engine.Engine
}

func newPerson(t *testing.T) personStore {
	t.Helper()
	p := personStore{dir: filepath.Join(t.TempDir(), "ltm")}
	local := filepath.Join(p.dir, ".local")
	places := store.Places{Store: p.dir, Tree: local, Clone: local, Key: filepath.Join(p.dir, "trust.key"),
		Local: true, Named: true, Own: true}
	ids := new(counter)
	*ids = 1 << 16
	open := func(byModel bool) *engine.Engine {
		return engine.New(engine.Options{Store: store.New(places, time.Now), Now: time.Now, Random: ids,
			LockWait: patience, ByModel: byModel, ToModel: byModel})
	}
	p.mine, p.model = open(false), open(true)
	return p
}

func TestShelvesRouteByScopeAndID(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	s := person.NewShelves(f.Engine, p.model, nil)
	theirs, err := s.Remember(f.ctx, api.Draft{Topic: "The pool", Content: "It holds 50 connections."})
	require.NoError(t, err)
	require.Empty(t, theirs.Scope)
	mine, err := s.Remember(f.ctx, api.Draft{Topic: "Tabs", Content: "Tabs everywhere.", Scope: api.ScopeUser})
	require.NoError(t, err)
	require.Equal(t, api.ScopeUser, mine.Scope)
	require.NoFileExists(t, f.memoryFile(mine.ID))
	require.FileExists(t, filepath.Join(p.dir, "memories", mine.ID.File()))

	d, err := s.Get(f.ctx, string(mine.ID))
	require.NoError(t, err)
	require.Equal(t, api.Whose{Scope: api.ScopeUser, Foreign: true}, d.Whose)
	many, err := s.GetMany(f.ctx, []string{string(mine.ID), string(theirs.ID), "mem_0badbad0"})
	require.NoError(t, err)
	require.Equal(t, "Tabs", many[0].Detail.Topic)
	require.Equal(t, "The pool", many[1].Detail.Topic)
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(many[2].Err))

	text := "Spaces after all."
	r, err := s.Update(f.ctx, string(mine.ID), api.Patch{Content: &text})
	require.NoError(t, err)
	require.Equal(t, api.ScopeUser, r.Scope)
	gone, err := s.Forget(f.ctx, string(mine.ID))
	require.NoError(t, err)
	require.Equal(t, api.ScopeUser, gone.Scope)
	back, err := s.Restore(f.ctx, string(mine.ID), "")
	require.NoError(t, err)
	require.Equal(t, api.ScopeUser, back.Scope)

	for scope, want := range map[api.Scope]int{"": 1, api.ScopeProject: 1, api.ScopeUser: 1, api.ScopeAll: 2} {
		list, err := s.List(f.ctx, api.ListFilter{Scope: scope})
		require.NoError(t, err)
		require.Len(t, list.Memories, want, scope)
	}
	for scope, want := range map[api.Scope]int{"": 2, api.ScopeProject: 1, api.ScopeUser: 1, api.ScopeAll: 2} {
		found, err := s.Recall(f.ctx, api.Query{Text: "spaces connections", Scope: scope})
		require.NoError(t, err)
		require.Len(t, found.Memories, want, scope)
		require.Equal(t, want, found.Total)
	}
	_, err = s.Recall(f.ctx, api.Query{Text: "x", Scope: "team"})
	require.Equal(t, memory.KindScopeUnknown, memory.KindOf(err))
	_, err = s.Remember(f.ctx, api.Draft{Topic: "t", Content: "c", Scope: api.ScopeAll})
	require.Equal(t, memory.KindScopeUnknown, memory.KindOf(err))
}

// TestAModelApprovesNothing has a server, which a model talks to.
func TestAModelApprovesNothing(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	r, err := p.model.Remember(f.ctx, api.Draft{Topic: "From a model", Content: "About it."})
	require.NoError(t, err)
	require.Contains(t, r.Message.String(), "from elsewhere")
	_, err = p.model.Approve(f.ctx, []string{string(r.ID)})
	require.Equal(t, memory.KindUserApproval, memory.KindOf(err))
	_, err = p.model.ApproveAll(f.ctx)
	require.Equal(t, memory.KindUserApproval, memory.KindOf(err))
	_, err = p.model.SetConfig(f.ctx, "trust", "all", "local")
	require.Equal(t, memory.KindUserApproval, memory.KindOf(err))
	trusted, err := p.mine.Trusted(f.ctx)
	require.NoError(t, err)
	require.Len(t, trusted.Foreign, 1)

	_, err = p.mine.Approve(f.ctx, []string{string(r.ID)})
	require.NoError(t, err)
	s := person.NewShelves(f.Engine, p.model, nil)
	d, err := s.Get(f.ctx, string(r.ID))
	require.NoError(t, err)
	require.False(t, d.Foreign)
	more := "And more."
	_, err = s.Update(f.ctx, string(r.ID), api.Patch{Append: &more})
	require.NoError(t, err)
	d, err = s.Get(f.ctx, string(r.ID))
	require.NoError(t, err)
	require.True(t, d.Foreign, "its text is a model's now")
	found, err := s.Recall(f.ctx, api.Query{Text: "model"})
	require.NoError(t, err)
	require.True(t, found.Memories[0].Foreign)
	_, err = p.mine.Approve(f.ctx, []string{string(r.ID)})
	require.NoError(t, err)
	found, err = s.Recall(f.ctx, api.Query{Text: "model"})
	require.NoError(t, err)
	require.False(t, found.Memories[0].Foreign, "a mark that was remembered")
}

// TestWithoutAPlace has no store of the person, and says why.
func TestWithoutAPlace(t *testing.T) {
	f := newEngine(t)
	f.remember("The pool", "It holds 50 connections.", 0.5)
	none := memory.NewError(memory.CodeInvalid, memory.KindUserNone, "", "there is no place")
	s := person.NewShelves(f.Engine, nil, none)
	_, err := s.Remember(f.ctx, api.Draft{Topic: "t", Content: "c", Scope: api.ScopeUser})
	require.Equal(t, none, err)
	_, err = s.List(f.ctx, api.ListFilter{Scope: api.ScopeAll})
	require.Equal(t, none, err)
	found, err := s.Recall(f.ctx, api.Query{Text: "pool"})
	require.NoError(t, err)
	require.Len(t, found.Memories, 1)
	require.Empty(t, found.Note)
	found, err = s.Recall(f.ctx, api.Query{Text: "pool", Scope: api.ScopeAll})
	require.NoError(t, err)
	require.Contains(t, found.Note.String(), "there is no place")
	text, err := s.StartSession(f.ctx, api.SessionStart{Session: "s"})
	require.NoError(t, err)
	require.Contains(t, text, "The pool")
}

// TestABrokenShelfHidesNothingOfTheProject has files of the person's that cannot be read.
func TestABrokenShelfHidesNothingOfTheProject(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	f.remember("The pool", "It holds 50 connections.", 0.5)
	_, err := p.mine.Remember(f.ctx, api.Draft{Topic: "Tabs", Content: "Tabs everywhere."})
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(p.dir, "memories")))
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "memories"), []byte("a file"), 0o644))
	s := person.NewShelves(f.Engine, p.model, nil)
	found, err := s.Recall(f.ctx, api.Query{Text: "pool"})
	require.NoError(t, err)
	require.Len(t, found.Memories, 1)
	require.Contains(t, found.Note.String(), "the person's own memories cannot be read")
	text, err := s.StartSession(f.ctx, api.SessionStart{Session: "s"})
	require.Contains(t, text, "The pool")
	require.Equal(t, memory.KindUserFailed, memory.KindOf(err))
	var known *memory.Error
	require.True(t, errors.As(err, &known))
	require.Equal(t, p.dir, known.Subject)
}

// TestTheMergedListIsInOrder pages through both stores.
func TestTheMergedListIsInOrder(t *testing.T) {
	f, p := newEngine(t), newPerson(t)
	for _, topic := range []string{"b", "d", "f"} {
		f.remember(topic, "about "+topic, 0.5)
	}
	for _, topic := range []string{"a", "c", "e"} {
		_, err := p.mine.Remember(f.ctx, api.Draft{Topic: topic, Content: "about " + topic})
		require.NoError(t, err)
	}
	s := person.NewShelves(f.Engine, p.mine, nil)
	var topics string
	for offset := range 6 {
		list, err := s.List(f.ctx, api.ListFilter{Scope: api.ScopeAll, Order: api.ByTopic, Limit: 1, Offset: offset})
		require.NoError(t, err)
		require.Equal(t, 6, list.Total)
		require.Equal(t, offset < 5, list.HasMore)
		topics += list.Memories[0].Topic
	}
	require.Equal(t, "abcdef", topics)
	list, err := s.List(f.ctx, api.ListFilter{Scope: api.ScopeAll, Order: api.ByTopic, Reverse: true})
	require.NoError(t, err)
	require.Equal(t, "f", list.Memories[0].Topic)
}

// TestThePersonsMemoriesFade by the sessions of all projects, with and without a store.
func TestThePersonsMemoriesFade(t *testing.T) {
	p, f := newPerson(t), newEngine(t)
	with, without := person.NewShelves(f.Engine, p.mine, nil), person.NewShelves(newEngine(t).Engine, p.mine, nil)
	f.remember("The pool", "It holds 50 connections.", 0.5)
	remember := func(topic string, difficulty float64, tags ...string) string {
		r, err := p.mine.Remember(f.ctx, api.Draft{Topic: topic, Content: topic + " is kept.\n\nFor a reason.",
			Difficulty: &difficulty, Tags: tags})
		require.NoError(t, err)
		return string(r.ID)
	}
	least, most := remember("Least", 0), remember("Most", 1)
	critical := remember("Critical", 0, "importance:critical")
	phases := func() (all []memory.Phase) {
		for _, id := range []string{least, most, critical} {
			d, err := p.mine.Peek(f.ctx, id)
			require.NoError(t, err)
			all = append(all, d.Phase)
		}
		return all
	}
	_, err := p.mine.SetConfig(f.ctx, "max_memories", "2", settings.Clone)
	require.NoError(t, err)
	require.NoError(t, with.EndSession(f.ctx, "a"))
	require.Equal(t, []memory.Phase{memory.Hint, memory.Full, memory.Full}, phases())
	before, err := alone(p.mine).Why(f.ctx, most, "")
	require.NoError(t, err)
	for range 9 {
		require.NoError(t, without.EndSession(f.ctx, "b"))
	}
	require.Equal(t, memory.Removed, phases()[0])
	require.Equal(t, memory.Full, phases()[1], "two are left")
	after, err := alone(p.mine).Why(f.ctx, most, "")
	require.NoError(t, err)
	require.Less(t, after.Priority, before.Priority)
	status, err := p.mine.Status(f.ctx)
	require.NoError(t, err)
	require.Equal(t, 10, status.SessionCount)
	data, err := os.ReadFile(filepath.Join(p.dir, "memories", least+".md"))
	require.NoError(t, err)
	require.Contains(t, string(data), "For a reason.", "as a view: its file keeps the text")
	found, err := with.Recall(f.ctx, api.Query{Text: "least kept", Scope: api.ScopeUser, Include: api.IncludeArchives})
	require.NoError(t, err)
	require.Len(t, found.Memories, 1)
}
