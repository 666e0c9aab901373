package wiring

import (
	"context"
	"crypto/rand"
	"path"
	"path/filepath"
	"time"

	"ltm/engine"
	"ltm/engine/handoff"
	"ltm/engine/locate"
	"ltm/memory/api"
	"ltm/store"
)

// Packets is the packets of a project's store, for sessions. The author is determined only when something is written:
// that takes a process of git.
type Packets struct {
	*handoff.Desk
	Engine *engine.Engine // knows the sessions; nil: they are as they are given

	env     Env
	place   locate.Place
	options handoff.Options
}

// Packets opens the packets of a project's store.
func (e Env) Packets(s *store.Store, place locate.Place, wait time.Duration) *Packets {
	o := e.DeskOptions(s, place, wait)
	return &Packets{Desk: handoff.New(o), env: e, place: place, options: o}
}

// DeskOptions returns what every desk is made with.
func (e Env) DeskOptions(s *store.Store, place locate.Place, wait time.Duration) handoff.Options {
	s.KeepNames(e.Git(place).Tracks)
	return handoff.Options{Store: s, Repository: e.Git(place), Now: time.Now, Random: rand.Reader, LockWait: wait,
		Records: e.Records(), Roots: e.roots(place)}
}

// roots returns the paths of the project's directory: as it was found, and without links.
func (e Env) roots(place locate.Place) []string {
	dir := filepath.Dir(filepath.Dir(place.Store))
	if place.Named {
		dir = e.clientDir()
	}
	roots := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		roots = append(roots, real)
	}
	return roots
}

// WorkName returns what the work in a project belongs to: what the repository is called, so that all clones say
// the same, or else the project's directory.
func (e Env) WorkName(ctx context.Context, place locate.Place) string {
	if _, _, origin := e.Git(place).Head(ctx); origin != "" {
		return path.Base(origin)
	}
	return ProjectName(place)
}

// writing is the desk that knows who writes, and what for.
func (p *Packets) writing(ctx context.Context) *handoff.Desk {
	o := p.options
	o.Author, o.Project = p.env.Git(p.place).Person(ctx), p.env.WorkName(ctx, p.place)
	return handoff.New(o)
}

// DraftSession implements [base.Packets].
func (p *Packets) DraftSession(ctx context.Context, r api.DraftRequest) (api.PacketReceipt, error) {
	return p.writing(ctx).DraftSession(ctx, r)
}

// Write implements [ltm/mcp.Packets]. The session and its model are those that the client's record
// says: the server may have been started for an earlier session.
func (p *Packets) Write(ctx context.Context, d api.PacketDraft) (api.PacketReceipt, error) {
	var record string
	if d.Session, record = p.session(d.Session); record != "" && d.Model == "" {
		o, _ := p.env.Records().Outline(ctx, record) // as far as it can be read
		d.Model = o.Model
	}
	return p.writing(ctx).Write(ctx, d)
}

// Resume implements [ltm/mcp.Packets].
func (p *Packets) Resume(ctx context.Context, r api.ResumePacket) (api.Resumption, error) {
	r.Session, _ = p.session(r.Session)
	return p.Desk.Resume(ctx, r)
}

// session returns the id of the session that is running, and the path of its record.
func (p *Packets) session(hint string) (id, record string) {
	id = hint
	if p.Engine != nil {
		id, record = p.Engine.SessionRecord(hint)
	}
	if record == "" {
		record, _ = p.env.Records().Find(id)
	}
	return id, record
}
