package page

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

// Candidates has what sessions of the project left to remember.
type Candidates interface {
	Candidates(context.Context) (api.Review, error)
	AcceptCandidate(context.Context, api.Acceptance) (api.Receipt, error)
	DropCandidates(ctx context.Context, ids []string) error

	// ReopenCandidates takes back that candidates were accepted or dropped. It does not remove a memory.
	ReopenCandidates(ctx context.Context, ids []string) error
}

// candidateRow is a candidate, and how its text is shown.
type candidateRow struct {
	api.Candidate
	Shown rendered
}

// candidatePage is a candidate in a form.
type candidatePage struct {
	ID, Seen             string // Seen is the version that the form was made from
	Topic, Content, Tags string
	Error, Next          string
}

const candidatesPath = "/candidates"

func candidatesView() view {
	return view{path: candidatesPath, nav: "Candidates", page: "candidates", load: loadCandidates}
}

func loadCandidates(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	var rows []candidateRow
	review, err := s.options.Candidates.Candidates(ctx)
	for _, c := range review.Candidates {
		shown, failed := markdown(c.Text, rootOf(r))
		if failed != nil {
			return "", nil, failed
		}
		rows = append(rows, candidateRow{c, shown})
	}
	return "Candidates", rows, err
}

func candidateView() view {
	return view{path: "/candidate/{id}/edit", page: "candidate", load: loadCandidate}
}

func loadCandidate(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	c, err := s.candidate(ctx, r.PathValue("id"), "")
	return "Edit", candidatePage{ID: c.ID, Seen: c.Version(), Topic: c.Topic, Content: c.Text,
		Tags: strings.Join(c.Tags, ", ")}, err
}

// candidate returns what is proposed under an id, if that is the version that was seen; empty: any.
func (s *Site) candidate(ctx context.Context, id, seen string) (api.Candidate, error) {
	review, err := s.options.Candidates.Candidates(ctx)
	if err != nil {
		return api.Candidate{}, err
	}
	i := slices.IndexFunc(review.Candidates, func(c api.Candidate) bool { return c.ID == id })
	switch {
	case i < 0:
		return api.Candidate{}, &refusal{http.StatusConflict,
			"This candidate is not there any more: it was accepted or dropped, here or elsewhere. Nothing was changed."}
	case seen != "" && seen != review.Candidates[i].Version():
		return api.Candidate{}, &refusal{http.StatusConflict,
			"This candidate was changed since the page showed it. Nothing was changed: look at it again."}
	}
	return review.Candidates[i], nil
}

func candidatesAction() action { return action{path: candidatesPath, do: decide} }

// decide accepts or drops a candidate as the page has shown it. What was typed in place of its text is never lost.
func decide(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	f := r.PostForm
	edited := f.Has("topic")
	c, err := s.candidate(ctx, f.Get("id"), f.Get("seen"))
	if err != nil && edited {
		data := newPage{Topic: f.Get("topic"), Content: f.Get("content"), Tags: f.Get("tags"), Choice: s.choices(),
			Error: err.Error() + " Below is your text, which makes a new memory."}
		return reply{page: "new", title: "New memory", status: http.StatusConflict, data: data}, nil
	}
	if err != nil {
		return reply{}, err
	}
	var bar doneBar
	switch f.Get("what") {
	case "drop":
		bar.Text, err = "dropped: "+c.Topic, s.options.Candidates.DropCandidates(ctx, []string{c.ID})
	case "accept":
		bar, err = s.accept(ctx, c.ID, f)
	default:
		return reply{}, &refusal{http.StatusUnprocessableEntity, "accept or drop a candidate"}
	}
	if err != nil && edited {
		p := candidatePage{ID: c.ID, Seen: f.Get("seen"), Topic: f.Get("topic"), Content: f.Get("content"),
			Tags: f.Get("tags")}
		p.Error, p.Next = nextSteps().Split(err, advice.Writing)
		return reply{page: "candidate", title: "Edit", status: statusOf(err), data: p}, nil
	}
	if err != nil {
		return reply{}, err
	}
	bar.Candidates = []string{c.ID}
	return reply{next: s.after(addressOf(candidatesPath), []doneBar{bar})}, nil
}

// accept stores a candidate, with what a form says in its place.
func (s *Site) accept(ctx context.Context, id string, f url.Values) (doneBar, error) {
	asked := api.Acceptance{ID: id, Version: f.Get("seen")}
	if f.Has("topic") {
		topic, content := f.Get("topic"), strings.ReplaceAll(f.Get("content"), "\r\n", "\n")
		tags := strings.FieldsFunc(f.Get("tags"), isComma)
		asked.Topic, asked.Text, asked.Tags = &topic, &content, &tags
	}
	return did(ctx, api.ScopeProject, "accept", func(ctx context.Context) error {
		_, err := s.options.Candidates.AcceptCandidate(ctx, asked)
		return err
	})
}

// reopen proposes the candidates of a bar again.
func (s *Site) reopen(ctx context.Context, ids []string) (doneBar, error) {
	if len(ids) == 0 {
		return doneBar{}, nil
	}
	err := s.options.Candidates.ReopenCandidates(ctx, ids)
	if memory.CodeOf(err) == memory.CodeConflict {
		text, _ := nextSteps().Split(err, advice.Reading)
		return doneBar{Text: "Not proposed again: " + text}, nil
	}
	return doneBar{Text: "Proposed again"}, err
}
