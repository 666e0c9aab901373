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

const candidatesPath = "/candidates"

func candidatesView() view {
	return view{path: candidatesPath, under: reviewName, page: "candidates", load: loadCandidates}
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

// candidateView is the form for a new memory with a candidate in it.
func candidateView() view {
	return view{path: "/candidate/{id}/edit", under: reviewName, page: "new", load: loadCandidate}
}

func loadCandidate(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	review, err := s.options.Candidates.Candidates(ctx)
	for _, c := range review.Candidates {
		if c.ID == r.PathValue("id") {
			return "Edit", newPage{Topic: c.Topic, Content: c.Text, Tags: strings.Join(c.Tags, ", "),
				Candidate: c.ID, Seen: c.Version()}, nil
		}
	}
	return "", nil, cmp.Or(err, error(&refusal{http.StatusNotFound,
		"This candidate is not there: it was accepted or dropped, here or elsewhere."}))
}

func candidatesAction() action { return action{path: candidatesPath, do: decide} }

// decide accepts a candidate as the page has shown it, or drops it.
func decide(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	id, bar, err := r.PostForm.Get("id"), doneBar{Text: "Dropped a candidate"}, error(nil)
	switch r.PostForm.Get("what") {
	case "drop":
		err = s.options.Candidates.DropCandidates(ctx, []string{id})
	case "accept":
		bar, err = did(ctx, api.ScopeProject, "accept", func(ctx context.Context) error {
			_, err := s.options.Candidates.AcceptCandidate(ctx, api.Acceptance{ID: id, Version: r.PostForm.Get("seen")})
			return err
		})
	default:
		err = &refusal{http.StatusUnprocessableEntity, "accept or drop a candidate"}
	}
	bar.Candidates = []string{id}
	return reply{next: s.after(addressOf(candidatesPath), []doneBar{bar})}, err
}

// reopen proposes the candidates of a bar again.
func (s *Site) reopen(ctx context.Context, ids []string) (doneBar, error) {
	err := s.options.Candidates.ReopenCandidates(ctx, ids)
	if memory.CodeOf(err) == memory.CodeConflict {
		text, _ := nextSteps().Split(err, advice.Reading)
		return doneBar{Text: "Not proposed again: " + text}, nil
	}
	return doneBar{Text: "Proposed again"}, err
}
