package web

import (
	"context"
	"errors"
	"net/http"

	"ltm/api"
	"ltm/memory"
)

// memoryPage is one memory with everything that is known about it.
type memoryPage struct {
	api.Detail
	Text       rendered
	Priority   bar
	Difficulty bar
	Why        api.Why
	HasWhy     bool // archived memories have none
	Past       api.Past
}

// mostPast is how many events of its history a memory's page shows.
const mostPast = 50

func memoryView() view {
	return view{path: "/memory/{id}", page: "memory", load: loadMemory}
}

func loadMemory(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	id := r.PathValue("id")
	var p memoryPage
	var err error
	if p.Detail, err = s.options.Memories.Peek(ctx, id); isMissing(err) {
		if archived, inArchive := s.options.Memories.PeekArchive(ctx, id); inArchive == nil {
			p.Detail, err = archived, nil
		}
	}
	if err != nil {
		return "", nil, err
	}
	if p.Text, err = markdown(p.Content); err != nil {
		return "", nil, err
	}
	if p.Why, err = s.options.Memories.Why(ctx, id, ""); err == nil {
		p.HasWhy = true
		p.Priority = barOf("Priority", p.Why.Priority, p.Why.PriorityTerms)
		p.Difficulty = barOf("Difficulty", p.Why.Difficulty, p.Why.DifficultyTerms)
	} else if !isMissing(err) {
		return "", nil, err
	}
	if p.Past, err = s.options.Past.History(ctx, id, mostPast); err != nil && !isMissing(err) {
		return "", nil, err
	}
	return short(p.Topic), p, nil
}

// isMissing reports whether a memory is not there, or not in sight.
func isMissing(err error) bool {
	var e *memory.Error
	return errors.As(err, &e) && e.Code == memory.CodeNotFound
}

// rawFile is the file of a memory, byte for byte.
func rawFile() file {
	load := func(ctx context.Context, s *Site, r *http.Request) (string, []byte, error) {
		data, err := s.options.Past.File(ctx, r.PathValue("id"))
		return "text/plain; charset=utf-8", data, err
	}
	return file{path: "/memory/{id}/file", load: load}
}
