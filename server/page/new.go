package page

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

// newPage is the form for a new memory, or for a text that takes the place of others.
type newPage struct {
	Topic, Content, Tags, Importance, Kind, Shelf string
	Supersedes                                    string   // ids, with commas between them
	Merge                                         string   // ids of memories to make one of, with commas between them
	Agent                                         string   // of the memory that is superseded
	Aliases                                       []string // of the memory that is superseded
	Old                                           []oldText
	From                                          string // a memory that is gone, whose text it was
	Candidate, Seen                               string // a candidate that it is to be, and the version of it
	Error, Next                                   string
	Choice                                        choices
}

// oldText is a memory that the text of a form takes the place of.
type oldText struct {
	api.Detail
	Text rendered
}

// AsksShelf reports whether it is not known which shelf the text was on. A memory that is new has the project's.
func (p newPage) AsksShelf() bool { return p.Shelf == "" && p.From != "" && p.Choice.Shelves }

// Title names what the form does.
func (p newPage) Title() string {
	switch {
	case p.Merge != "":
		return "Merge"
	case p.Supersedes != "":
		return "Correct"
	}
	return "New memory"
}

func newView() view { return view{path: "/new", under: memoriesName, page: "new", load: loadNew} }

func loadNew(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	p := newPage{Choice: s.choices(), Supersedes: q.Get("supersedes"), Merge: q.Get("merge")}
	if err := p.showOld(ctx, s, r); err != nil {
		return "", nil, err
	}
	return p.Title(), p, p.begin(ctx, s)
}

// showOld reads the memories that the text takes the place of.
func (p *newPage) showOld(ctx context.Context, s *Site, r *http.Request) error {
	ids := idsIn(cmp.Or(p.Merge, p.Supersedes))
	for _, id := range ids[:min(len(ids), mostLinked)] {
		d, err := s.peekAny(ctx, id)
		if err != nil {
			return err
		}
		shown, err := markdown(d.Content, rootOf(r), d.Refs...)
		if err != nil {
			return err
		}
		p.Old = append(p.Old, oldText{d, shown})
	}
	return nil
}

// begin fills the form with the memories that its text takes the place of: with the values of the first one, and the
// texts of all, each line once unless they dispute each other.
func (p *newPage) begin(ctx context.Context, s *Site) error {
	if len(p.Old) == 0 {
		return nil
	}
	first, texts, ids := p.Old[0].Detail, []string(nil), []string(nil)
	for _, old := range p.Old {
		texts, ids = append(texts, old.Content), append(ids, string(old.ID))
	}
	scope := s.options.ScopeOf(ctx, ids[0])
	p.Topic, p.Content, p.Tags = first.Topic, strings.Join(texts, "\n\n"), strings.Join(first.Tags, ", ")
	p.Importance, p.Kind, p.Shelf = string(first.Importance), string(first.Category), string(scope)
	p.Agent, p.Aliases = first.Agent, first.Aliases
	if len(ids) < 2 && p.Merge == "" {
		return nil
	}
	c, err := s.options.Changer(scope)
	if err != nil {
		return err
	}
	d, err := c.MergeDraft(ctx, api.Merging{IDs: ids})
	if err == nil {
		p.Topic, p.Content = d.Topic, d.Content
	} else if p.Merge != "" { // what a person writes may settle a dispute
		_, err = c.MergeDraft(ctx, api.Merging{IDs: ids, Text: p.Content})
		return err
	}
	return nil
}

// idsIn returns the ids in a list with commas.
func idsIn(list string) (ids []string) {
	for id := range strings.SplitSeq(list, ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

func newAction() action { return action{path: "/new", do: storeNew} }

func storeNew(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	f := r.PostForm
	p := newPage{Topic: f.Get("topic"), Content: f.Get("content"), Tags: f.Get("tags"), Importance: f.Get("importance"),
		Kind: f.Get("kind"), Shelf: f.Get("shelf"), Supersedes: f.Get("supersedes"), From: f.Get("from"),
		Merge: f.Get("merge"), Agent: f.Get("agent"), Aliases: f["alias"],
		Candidate: f.Get("candidate"), Seen: f.Get("seen"), Choice: s.choices()}
	scope, err := api.ParseScope(p.Shelf)
	if err != nil {
		return reply{}, err
	}
	again := func(status int) (reply, error) {
		_ = p.showOld(ctx, s, r) // what was typed counts more
		return reply{page: "new", title: p.Title(), data: p, status: status}, nil
	}
	if p.AsksShelf() {
		p.Error = "Choose a shelf: the project's, which others may read, or your own. Nothing was stored."
		return again(http.StatusUnprocessableEntity)
	}
	if scope != api.ScopeUser {
		scope = api.ScopeProject
	}
	c, err := s.options.Changer(scope)
	if err != nil {
		return reply{}, err
	}
	receipt, bar, err := p.store(ctx, s, c, scope)
	if kind := memory.KindOf(err); kind == memory.KindCandidate || kind == memory.KindReviewPartly {
		p.Candidate = "" // it is gone, or another one: the text makes a new memory
	}
	if err != nil {
		p.Error, p.Next = nextSteps().Split(err, advice.Writing)
		return again(statusOf(err))
	}
	return reply{next: s.after("memory/"+string(receipt.ID), []doneBar{bar})}, nil
}

// store makes a memory of the form, or one of several.
func (p newPage) store(ctx context.Context, s *Site, c Changer, scope api.Scope) (r api.Receipt, bar doneBar,
	err error) {
	d := api.Draft{Topic: p.Topic, Content: strings.ReplaceAll(p.Content, "\r\n", "\n"),
		Tags: strings.FieldsFunc(p.Tags, isComma), Aliases: p.Aliases, Importance: memory.Importance(p.Importance),
		Category: memory.Category(p.Kind), Agent: p.Agent, Told: true, Supersedes: idsIn(p.Supersedes)}
	d.SameTopic = len(d.Supersedes) > 0
	d.AutoTag = strings.TrimSpace(p.Tags) == "" && !d.SameTopic
	what := "store"
	if d.SameTopic {
		what = "correct"
	}
	do := func(ctx context.Context) (err error) { r, err = c.Remember(ctx, d); return err }
	switch {
	case p.Candidate != "":
		bar.Candidates = []string{p.Candidate}
		do = func(ctx context.Context) (err error) {
			r, err = s.options.Candidates.AcceptCandidate(ctx, api.Acceptance{ID: p.Candidate, Version: p.Seen,
				Topic: &d.Topic, Text: &d.Content, Tags: &d.Tags})
			return err
		}
	case p.Merge != "":
		what, do = "merge", func(ctx context.Context) (err error) {
			r, err = c.Merge(ctx, api.Merging{IDs: idsIn(p.Merge), Topic: d.Topic, Text: d.Content})
			return err
		}
	}
	candidates := bar.Candidates
	bar, err = did(ctx, scope, what, do)
	bar.Candidates = candidates
	return r, bar, err
}
