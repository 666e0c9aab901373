package person

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"ltm/engine/base"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/engine/tell"
	"ltm/memory"
	"ltm/memory/api"
)

// personWait bounds how long an answer waits for the person's store, which may be on a network
// disk. A project's memories never wait longer for it.
const personWait = 700 * time.Millisecond

// Shelves are the store of a project and that of a person, who has it beside every project. They
// route requests by scope and id, and merge the answers.
type Shelves struct {
	projectsAlone
	project *tell.Engine
	person  *tell.Engine // nil: there is no place for it
	none    error        // why
	stuck   atomic.Int32
}

// projectsAlone has the operations that only the project's store is asked for. Shelves do not embed an engine: an
// operation that should ask both stores would then ask the project's, and nothing would tell.
type projectsAlone interface {
	RecordTool(context.Context, api.ToolUse) (string, error)
	BeforeCompaction(context.Context, api.Compaction) (string, error)
	LeaveDraft(context.Context, api.Leaving) error
	Running(ctx context.Context, session string) (*api.Segment, error)
	ResetSession(ctx context.Context, session string) (api.Segment, error)
	Review(context.Context, api.Sentence) (api.Review, error)
	Check(context.Context) (api.CheckReport, error)
	Fix(context.Context, api.FixOptions) (api.FixReport, error)
	SearchArchives(ctx context.Context, query string, limit int) (api.ArchiveRecall, error)
}

// NewShelves returns the shelves of two stores. Without a place for the person's, person is nil,
// and requests for it get the error none.
func NewShelves(project, person *tell.Engine, none error) *Shelves {
	if person != nil {
		person.Taken, person.RunningAgent = project.Holds, project.AgentRunning
	}
	return &Shelves{projectsAlone: project, project: project, person: person, none: none}
}

func (s *Shelves) HasPerson() bool { return s.person != nil && s.person.Exists() }

// own returns the person's store, or the error that there is no place for it.
func (s *Shelves) own() (*tell.Engine, error) {
	if s.person == nil {
		return nil, s.none
	}
	return s.person, nil
}

// In returns the one store that a scope names.
func (s *Shelves) In(scope api.Scope) (*tell.Engine, error) {
	switch scope, err := api.ParseScope(string(scope)); {
	case err != nil:
		return nil, err
	case scope == api.ScopeUser:
		return s.own()
	case scope == api.ScopeAll:
		return nil, memory.NewError(memory.CodeInvalid, memory.KindScopeUnknown, string(scope),
			"a memory is the project's or the user's; allowed: project, user")
	}
	return s.project, nil
}

// later runs fn for the person's store in the background. The function that it returns waits for
// the result, but not long. While an earlier fn still waits for the disk, none is begun.
func later[T any](s *Shelves, fn func() (T, error)) (result func() (T, error)) {
	type outcome struct {
		value T
		err   error
	}
	late := memory.NewError(memory.CodeStorage, memory.KindUserFailed, s.person.StoreDir(),
		"the person's own memories at %s do not answer", s.person.StoreDir())
	if s.stuck.Load() > 0 {
		return func() (value T, err error) { return value, late }
	}
	done := make(chan outcome, 1)
	var left atomic.Bool
	go func() {
		value, err := fn()
		done <- outcome{value, err}
		if !left.CompareAndSwap(false, true) {
			s.stuck.Add(-1)
		}
	}()
	return func() (T, error) {
		timer := time.NewTimer(personWait)
		defer timer.Stop()
		select {
		case o := <-done:
			return o.value, s.failed(o.err)
		case <-timer.C:
			if left.CompareAndSwap(false, true) {
				s.stuck.Add(1)
			}
			var none T
			return none, late
		}
	}
}

// failed says of an error that it is about the person's store.
func (s *Shelves) failed(err error) error {
	if err == nil {
		return nil
	}
	return &memory.Error{Code: cmp.Or(memory.CodeOf(err), memory.CodeStorage), Kind: memory.KindUserFailed,
		Subject: s.person.StoreDir(), Message: "the person's own memories cannot be read", Err: err}
}

// without says in an answer that it is without the person's memories.
func without(err error) memory.Note {
	if err == nil {
		return nil
	}
	return memory.Advise(memory.KindUserFailed, "", err.Error())
}

// Holding returns the store that has a memory, and its scope: the project's, unless only the person's has it.
func (s *Shelves) Holding(ctx context.Context, id string) (*tell.Engine, api.Scope) {
	if s.HasPerson() && !s.project.Holds(ctx, id) && s.person.Holds(ctx, id) {
		return s.person, api.ScopeUser
	}
	return s.project, api.ScopeProject
}

func route[T any](ctx context.Context, s *Shelves, id string, do func(*tell.Engine) (T, error)) (T, error) {
	e, _ := s.Holding(ctx, id)
	return do(e)
}

func (s *Shelves) Remember(ctx context.Context, d api.Draft) (api.Receipt, error) {
	e, err := s.In(d.Scope)
	if err != nil {
		return api.Receipt{}, err
	}
	return e.Remember(ctx, d)
}

func (s *Shelves) Get(ctx context.Context, id string) (api.Detail, error) {
	s.learnFrom(id)
	d, err := route(ctx, s, id, func(e *tell.Engine) (api.Detail, error) { return e.Get(ctx, id) })
	if err == nil && d.Scope == api.ScopeUser {
		s.project.Show(d.ID) // the project has the sessions
		s.project.WriteSoon()
	}
	return s.MarkOverridden(d), err
}

func (s *Shelves) learnFrom(ids ...string) {
	var own *rank.Accesses
	if s.person != nil {
		own = &s.person.Accesses
	}
	s.project.LearnFrom(own, ids...)
}

// MarkOverridden marks a memory of the person that one of the project overrides.
func (s *Shelves) MarkOverridden(d api.Detail) api.Detail {
	if d.Scope == api.ScopeUser {
		d.OverriddenBy = s.project.Hides(d.Topic)
	}
	return d
}

// File returns the bytes of a memory's file or, of one that is archived, of its text.
func (s *Shelves) File(ctx context.Context, id string) ([]byte, error) {
	e, _ := s.Holding(ctx, id)
	_, data, err := e.File(ctx, id)
	if base.IsMissing(err) {
		if archived, inArchive := e.ArchivedFile(ctx, id); inArchive == nil {
			return archived, nil
		}
	}
	return data, err
}

func (s *Shelves) Aliases(ctx context.Context, id string) (api.Aliases, error) {
	return route(ctx, s, id, func(e *tell.Engine) (api.Aliases, error) { return e.Aliases(ctx, id) })
}

func (s *Shelves) SetConfig(ctx context.Context, key, value string) error {
	_, err := s.project.SetConfig(ctx, key, value, settings.Clone)
	return err
}

func (s *Shelves) PeekArchive(ctx context.Context, id string) (api.Detail, error) {
	return route(ctx, s, id, func(e *tell.Engine) (api.Detail, error) { return e.PeekArchive(ctx, id) })
}

func (s *Shelves) Update(ctx context.Context, id string, p api.Patch) (api.Receipt, error) {
	return route(ctx, s, id, func(e *tell.Engine) (api.Receipt, error) { return e.Update(ctx, id, p) })
}

func (s *Shelves) Forget(ctx context.Context, id string) (api.Forgotten, error) {
	return route(ctx, s, id, func(e *tell.Engine) (api.Forgotten, error) { return e.Forget(ctx, id) })
}

func (s *Shelves) Restore(ctx context.Context, id, importance string) (api.Receipt, error) {
	return route(ctx, s, id, func(e *tell.Engine) (api.Receipt, error) { return e.Restore(ctx, id, importance) })
}

func (s *Shelves) GetMany(ctx context.Context, ids []string) ([]api.Got, error) {
	s.learnFrom(ids...)
	found, err := s.getMany(ctx, ids, (*tell.Engine).GetMany)
	for _, g := range found {
		if g.Err == nil && g.Detail.Scope == api.ScopeUser {
			s.project.Show(g.ID) // the project has the sessions
			s.project.WriteSoon()
		}
	}
	return found, err
}

func (s *Shelves) PeekArchives(ctx context.Context, ids []string) ([]api.Got, error) {
	return s.getMany(ctx, ids, (*tell.Engine).PeekArchives)
}

// getMany asks the person's store for the memories that the project does not have.
func (s *Shelves) getMany(ctx context.Context, ids []string,
	get func(*tell.Engine, context.Context, []string) ([]api.Got, error)) ([]api.Got, error) {
	found, err := get(s.project, ctx, ids)
	if err != nil || !s.HasPerson() {
		return found, err
	}
	var missing []string
	at, size := map[memory.ID]int{}, 0
	for i, g := range found {
		size += len(g.Detail.Content) + len(g.Detail.Summary)
		if g.Err == nil {
			continue
		}
		if _, scope := s.Holding(ctx, string(g.ID)); scope == api.ScopeUser {
			missing, at[g.ID] = append(missing, string(g.ID)), i
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	own, err := get(s.person, ctx, missing)
	if err != nil {
		return nil, s.failed(err)
	}
	for _, g := range own {
		if n := len(g.Detail.Content) + len(g.Detail.Summary); g.Err == nil && size > 0 && size+n > find.TogetherBytes {
			g = api.Got{ID: g.ID, Err: find.TooLongTogether(g.ID)}
		} else {
			size += n
			g.Detail = s.MarkOverridden(g.Detail)
		}
		found[at[g.ID]] = g
	}
	return found, nil
}

// Withholds is [tell.Engine.Withholds], for either store.
func (s *Shelves) Withholds(ctx context.Context) bool {
	return s.project.Withholds(ctx) || s.HasPerson() && s.person.Withholds(ctx)
}

func (s *Shelves) Warm(ctx context.Context) error {
	err := s.project.Warm(ctx)
	if s.HasPerson() {
		err = errors.Join(err, s.person.Warm(ctx))
	}
	return err
}

func (s *Shelves) CountAccesses(ctx context.Context) {
	s.project.CountAccesses(ctx)
	if s.person != nil {
		s.person.CountAccesses(ctx)
	}
}
