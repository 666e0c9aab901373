package page

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

// memoryPage is one memory with everything that is known about it.
type memoryPage struct {
	api.Detail
	Seen       string // the version of its file, for approving it
	Text       rendered
	Source     string // its file as it is
	Choice     choices
	Priority   bar
	Difficulty bar
	Why        api.Why
	HasWhy     bool      // archived memories have none
	Opposed    []oldText // the first that it disputes
	Links      []linkGroup
	Similar    []api.Similar
	Unresolved map[memory.ID]bool // whose files have an unresolved merge
	Learned    []string           // questions that it answered in this clone
	Past       []pastRow
	Change     *shownChange // the change that was asked for
}

// linkGroup is the memories that a memory is linked with in one way.
type linkGroup struct {
	Name     string
	Memories []linked
}

// Settles reports whether one of the memories that are in dispute can take the place of the others.
func (p memoryPage) Settles() bool {
	return !p.Archived && len(p.Opposed) == len(p.Disputes) && !slices.ContainsFunc(
		append(slices.Clone(p.Opposed), oldText{Detail: p.Detail}),
		func(m oldText) bool { return m.Foreign || m.Conflicted || m.Scope != p.Scope })
}

// linked is a memory at the other end of a link. Its topic is empty if it does not exist.
type linked struct {
	ID    memory.ID
	Topic string
}

// pastRow is an event of its history.
type pastRow struct {
	api.PastEntry
	Query string // of the address that shows what it changed; empty: that is not known
	Here  bool
}

// shownChange is what an event of its history changed.
type shownChange struct {
	api.PastEntry
	diff
	Made bool // there was no file before
}

const (
	// mostPast is how many events of its history a memory's page shows.
	mostPast = 50
	// mostLinked is how many memories of each sort of link it names.
	mostLinked = 24
	// mostOpposed is how many memories that it disputes have their texts beside its own, and mostOpposedText how much
	// of each, in bytes.
	mostOpposed, mostOpposedText = 3, 4 << 10
	// notCommitted names the change of the file since its last commit.
	notCommitted = "now"
)

func memoryView() view {
	return view{path: "/memory/{id}", under: memoriesName, page: "memory", load: loadMemory}
}

func loadMemory(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	id := r.PathValue("id")
	var p memoryPage
	var err error
	if p.Detail, err = s.peekAny(ctx, id); err != nil {
		return "", nil, err
	}
	if p.Foreign {
		c, err := s.options.Changer(s.options.ScopeOf(ctx, id))
		if err != nil {
			return "", nil, err
		}
		p.Seen = seenOf(ctx, c, id)
	}
	if p.Text, err = markdown(p.Content, rootOf(r), p.Refs...); err != nil {
		return "", nil, err
	}
	p.Source, p.Choice = p.Content, s.choices()
	if data, err := s.options.Memories.File(ctx, id); err == nil {
		p.Source = string(data)
	}
	p.Source = safe.Text(clipBytes(p.Source, maxSource))
	if p.Why, err = s.options.Memories.Why(ctx, id, ""); err == nil {
		p.HasWhy = true
		p.Priority = barOf("Priority", p.Why.Priority, p.Why.PriorityTerms)
		p.Difficulty = barOf("Difficulty", p.Why.Difficulty, p.Why.DifficultyTerms)
		// Similar memories are optional: a page omits them if there are none to compare.
		if p.Similar, _ = s.options.Memories.Similar(ctx, id); len(p.Similar) > 0 {
			p.Unresolved = s.unresolved(ctx)
		}
		// Learned aliases are kept beside the memories, and may be damaged: they are optional, too.
		names, _ := s.options.Memories.Aliases(ctx, id)
		p.Learned = names.Learned
	} else if !isMissing(err) {
		return "", nil, err
	}
	p.link(ctx, s)
	if err := p.oppose(ctx, s, rootOf(r)); err != nil {
		return "", nil, err
	}
	if err := p.remember(ctx, s, r); err != nil {
		return "", nil, err
	}
	return short(p.Topic), p, nil
}

// peekAny returns a memory, from the archives if it is only there.
func (s *Site) peekAny(ctx context.Context, id string) (api.Detail, error) {
	d, err := s.options.Memories.Peek(ctx, id)
	if isMissing(err) {
		if archived, inArchive := s.options.Memories.PeekArchive(ctx, id); inArchive == nil {
			return archived, nil
		}
	}
	return d, err
}

// unresolved returns the memories of both shelves whose files have an unresolved merge. What cannot be read has none.
func (s *Site) unresolved(ctx context.Context) map[memory.ID]bool {
	all := map[memory.ID]bool{}
	for _, scope := range s.scopes() {
		if k, err := s.options.Keeper(scope); err == nil {
			ids, _ := k.Unresolved(ctx)
			for _, id := range ids {
				all[id] = true
			}
		}
	}
	return all
}

// maxSource is how much of a text is shown as it is, in bytes.
const maxSource = 16 << 10

// link looks up the memories that this one is linked with.
func (p *memoryPage) link(ctx context.Context, s *Site) {
	for _, group := range []struct {
		name string
		ids  []memory.ID
	}{{"Supersedes", p.Supersedes}, {"Superseded by", p.SupersededBy}, {"In dispute with", p.Disputes},
		{"Related", p.Related}} {
		if len(group.ids) == 0 {
			continue
		}
		g := linkGroup{Name: group.name}
		for _, id := range group.ids[:min(len(group.ids), mostLinked)] {
			other := linked{ID: id}
			if d, err := s.peekAny(ctx, string(id)); err == nil {
				other.Topic = short(d.Topic)
			}
			g.Memories = append(g.Memories, other)
		}
		p.Links = append(p.Links, g)
	}
}

// oppose reads the memories that this one disputes, as far as they are in sight.
func (p *memoryPage) oppose(ctx context.Context, s *Site, root string) error {
	for _, id := range p.Disputes[:min(len(p.Disputes), mostOpposed)] {
		d, err := s.options.Memories.Peek(ctx, string(id))
		if isMissing(err) {
			continue
		}
		if err != nil {
			return err
		}
		text, err := markdown(clipBytes(d.Content, mostOpposedText), root, d.Refs...)
		if err != nil {
			return err
		}
		text.Cut = len(d.Content) > mostOpposedText
		p.Opposed = append(p.Opposed, oldText{d, text})
	}
	return nil
}

// remember fills in the history, and the change that the query asks for.
func (p *memoryPage) remember(ctx context.Context, s *Site, r *http.Request) error {
	past, err := s.options.History(ctx, string(p.ID), mostPast)
	if err != nil && !isMissing(err) {
		return err
	}
	asked := r.URL.Query().Get("change")
	for _, e := range past.Entries {
		row := pastRow{PastEntry: e}
		name := e.Commit
		if e.Time == nil {
			name = notCommitted
		}
		if name != "" && (e.Before != nil || e.After != nil) {
			row.Query = with(r, "change", name) + "#change"
			row.Here = name == asked
		}
		if row.Here && p.Change == nil {
			p.Change = &shownChange{PastEntry: e, Made: e.Before == nil}
			p.Change.diff = diffOf(e.Before, e.After)
		}
		p.Past = append(p.Past, row)
	}
	return nil
}

// Labels are the first tags of the memory.
func (p memoryPage) Labels() []string { return p.Tags[:min(len(p.Tags), mostLinked)] }

// Lines returns the lines of a file that a reference means, such as ":12–15", or "".
func (p memoryPage) Lines(r api.Ref) string {
	switch {
	case r.Line > 0 && r.End > r.Line:
		return ":" + strconv.Itoa(r.Line) + "–" + strconv.Itoa(r.End)
	case r.Line > 0:
		return ":" + strconv.Itoa(r.Line)
	case r.Symbol != "":
		return ", " + r.Symbol
	}
	return ""
}

// File returns the address of the page that shows the file of a reference, relative to the start page; "" for one
// that is gone.
func (p memoryPage) File(r api.Ref) string {
	name := r.Path
	if r.State == memory.RefMoved {
		name = r.To
	}
	if clean, ok := inProject(name); ok && r.State != memory.RefGone {
		return sourceAddress(clean, r.Line, r.End)
	}
	return ""
}

// mostSet is how long topic and tags may be together to be changed in a line, in bytes.
const mostSet = 4 << 10

// CanSet reports whether its values can be changed in place.
func (p memoryPage) CanSet() bool {
	return !p.Archived && !p.Conflicted && !p.Foreign && len(p.Topic)+len(strings.Join(p.Tags, ", ")) <= mostSet
}

// CanRestore reports whether it is shown in fewer words than it has, or not at all.
func (p memoryPage) CanRestore() bool { return !p.Archived && p.Phase != memory.Full && !p.Conflicted }

// isMissing reports whether a memory is not there, or not in sight.
func isMissing(err error) bool {
	var e *memory.Error
	return errors.As(err, &e) && e.Code == memory.CodeNotFound
}

// rawFile is the file of a memory, byte for byte.
func rawFile() file {
	load := func(ctx context.Context, s *Site, r *http.Request) (string, []byte, error) {
		data, err := s.options.Memories.File(ctx, r.PathValue("id"))
		return "text/plain; charset=utf-8", data, err
	}
	return file{path: "/memory/{id}/file", load: load}
}

// fadingPage is what goes next, and what has gone.
type fadingPage struct {
	shelf
	Plan     api.EvictionReport
	Archives []api.ArchiveHit
	Total    int // archives that there are
	From     int // the number of the first that is shown, from 1
	Prev     string
	Next     string
}

func fadingView() view {
	return view{path: "/fading", under: memoriesName, page: "fading", load: loadFading}
}

func loadFading(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p := fadingPage{shelf: which}
	if p.Plan, err = k.Evict(ctx, api.EvictOptions{DryRun: true}); err != nil {
		return "", nil, err
	}
	all, err := k.ListArchives(ctx)
	if err != nil {
		return "", nil, err
	}
	page := pageOf(r)
	first := min((page-1)*perPage, len(all.Archives))
	p.Archives, p.Total, p.From = all.Archives[first:min(first+perPage, len(all.Archives))], len(all.Archives), first+1
	if page > 1 {
		p.Prev = with(r, "page", strconv.Itoa(page-1))
	}
	if first+perPage < p.Total {
		p.Next = with(r, "page", strconv.Itoa(page+1))
	}
	return "Fading", p, nil
}

// pageOf returns the number of the page that a request asks for, from 1.
func pageOf(r *http.Request) int {
	page, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil || page < 1 {
		return 1
	}
	return min(page, 1_000_000)
}
