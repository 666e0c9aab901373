package find

import (
	"slices"

	"ltm/engine/brief"
	"ltm/engine/rank"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// A memory with an agent is for the sessions and subagents of that name. The others do not see it
// unasked: it is in no block of theirs, and they find it only by its id or by the agent's name.

// Audience is whose memories an answer may have.
type Audience struct {
	Agent string // empty: no agent
	Only  bool   // and nothing else
	any   bool   // everyone's

	Offer brief.Offer // what the session's block offers
}

// audience returns the memories of the agent that was asked for or, if none was, those that the
// running session sees unasked. A person's command has no session.
func (e *Engine) audience(state *store.State, asked string) (Audience, error) {
	asked, err := memory.NormalizeAgent(asked)
	if err != nil || asked != "" {
		return Audience{Agent: asked, Only: true}, err
	}
	switch {
	case !e.ToModel:
		return Audience{}, nil
	case e.RunningAgent != nil:
		return Audience{Agent: e.RunningAgent()}, nil
	}
	if s := e.Sessions.Find(state, ""); s != nil {
		return Audience{Agent: s.Agent}, nil
	}
	return Audience{}, nil
}

// AgentRunning returns the agent of the running session, or "".
func (e *Engine) AgentRunning() (agent string) {
	_ = e.Store.View(func(v *store.View) error { // a state that cannot be read has no session
		if state, err := v.State(); err == nil {
			if s := e.Sessions.Find(state, ""); s != nil {
				agent = s.Agent
			}
		}
		return nil
	})
	return agent
}

// sees reports whether an answer may have a memory.
func (a Audience) sees(m memory.Memory) bool {
	switch {
	case a.any:
		return true
	case a.Only:
		return m.Agent == a.Agent
	}
	return m.IsFor(a.Agent)
}

// Limit adds an audience to a filter of memories, which may be nil for all. The filter stays nil if
// the store has no memory of an agent: most have none, and a search without a filter is faster.
func (a Audience) Limit(wanted func(memory.Memory) bool, all ...*store.Snapshot) func(memory.Memory) bool {
	if !a.Only && !haveAgents(all) {
		return wanted
	}
	return func(m memory.Memory) bool { return a.sees(m) && (wanted == nil || wanted(m)) }
}

// heard limits a filter of memories, which may be nil, to those that a query may find. Whose
// session asks is looked up only where that makes a difference.
func (e *Engine) heard(v *store.View, state *store.State, q api.Query,
	filter func(memory.Memory) bool) (func(memory.Memory) bool, error) {
	active, err := v.Memories()
	if err != nil {
		return nil, err
	}
	all := []*store.Snapshot{active}
	if q.Include == api.IncludeArchives || q.Include == api.IncludeAll {
		archives, err := v.Archives()
		if err != nil {
			return nil, err
		}
		all = append(all, archives)
	}
	if q.Agent == "" && !haveAgents(all) {
		return filter, nil
	}
	listener, err := e.audience(state, q.Agent)
	if err != nil {
		return nil, err
	}
	return listener.Limit(filter, all...), nil
}

func haveAgents(all []*store.Snapshot) bool {
	return slices.ContainsFunc(all, func(s *store.Snapshot) bool { return s.Traits().Agents })
}

// Among returns the places of memories that an audience sees, in the array of all.
func (a Audience) Among(all []rank.Place) []rank.Place {
	kept := all[:0]
	for _, p := range all {
		if a.any || !a.Only && p.Agent == "" || a.sees(*p.Memory) {
			kept = append(kept, p)
		}
	}
	return kept
}

// AgentName returns the name of an agent as the client gave it, or "" if memories cannot have it.
func AgentName(given string) string {
	name, err := memory.NormalizeAgent(given)
	if err != nil {
		return ""
	}
	return name
}
