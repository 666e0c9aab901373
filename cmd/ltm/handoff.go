package main

import (
	"context"
	"path/filepath"
	"time"

	"ltm/api"
	"ltm/engine"
	"ltm/engine/handoff"
	"ltm/internal/locate"
	"ltm/store"
)

// work is the packets of a project's store, for sessions. Who writes is asked only when something is
// written: that takes a process of git.
type work struct {
	*handoff.Desk
	app     *app
	options handoff.Options
	engine  *engine.Engine // knows the sessions; nil: they are as they are given
}

// work opens the packets of a project's store.
func (a *app) work(s *store.Store, place locate.Place, wait time.Duration) *work {
	o := a.deskOptions(wait)
	o.Store, o.Repository, o.Roots = s, a.git(place), a.roots(place)
	return &work{Desk: handoff.New(o), app: a, options: o}
}

// roots returns the paths of the project's directory: as it was found, and without links.
func (a *app) roots(place locate.Place) []string {
	dir := filepath.Dir(filepath.Dir(place.Store))
	if place.Named {
		dir = a.where().Project
		if dir == "" {
			dir = a.where().Cwd
		}
	}
	roots := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		roots = append(roots, real)
	}
	return roots
}

// writing is the desk that knows who writes, and what for.
func (w *work) writing(ctx context.Context) *handoff.Desk {
	o := w.options
	o.Author, o.Project = w.app.git(w.app.place()).Person(ctx), w.app.workName(ctx)
	return handoff.New(o)
}

// DraftSession implements [engine.Packets].
func (w *work) DraftSession(ctx context.Context, r api.DraftRequest) (api.PacketReceipt, error) {
	return w.writing(ctx).DraftSession(ctx, r)
}

// Write implements [ltm/mcp.Packets]. The session and its model are those that the client's record
// says: the server may have been started for an earlier session.
func (w *work) Write(ctx context.Context, d api.PacketDraft) (api.PacketReceipt, error) {
	var record string
	if d.Session, record = w.session(d.Session); record != "" && d.Model == "" {
		o, _ := w.app.records().Outline(ctx, record) // as far as it can be read
		d.Model = o.Model
	}
	return w.writing(ctx).Write(ctx, d)
}

// Resume implements [ltm/mcp.Packets].
func (w *work) Resume(ctx context.Context, r api.ResumePacket) (api.Resumption, error) {
	r.Session, _ = w.session(r.Session)
	return w.Desk.Resume(ctx, r)
}

// session returns the id of the session that is running, and the path of its record.
func (w *work) session(hint string) (id, record string) {
	id = hint
	if w.engine != nil {
		id, record = w.engine.SessionRecord(hint)
	}
	if record == "" {
		record, _ = w.app.records().Find(id)
	}
	return id, record
}
