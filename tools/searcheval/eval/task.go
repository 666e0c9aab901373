package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ltm/text/search"
)

// Task is a set of documents and questions about them.
type Task struct {
	Docs      []Doc      `json:"docs"`
	Questions []Question `json:"queries"`
}

// Doc is a document of a task.
type Doc struct {
	ID      string    `json:"id"`
	Topic   string    `json:"topic"`
	Content string    `json:"content"`
	Tags    []string  `json:"tags"`
	Aliases []string  `json:"aliases"`
	Created time.Time `json:"created"`
}

// Question is a query with its known answers.
type Question struct {
	Text     string   `json:"q"`
	Relevant []string `json:"relevant"` // ids; empty if there is no answer
	Kind     string   `json:"kind"`
}

// Parse reads a task and refuses one whose figures would be meaningless.
func Parse(data []byte) (Task, error) {
	var t Task
	if err := json.Unmarshal(data, &t); err != nil {
		return Task{}, fmt.Errorf("not a task: %w", err)
	}
	ids, err := t.ids()
	if err != nil {
		return Task{}, err
	}
	if len(t.Questions) == 0 {
		return Task{}, errors.New(`"queries" is empty or missing, want at least one`)
	}
	for i, q := range t.Questions {
		if q.Text == "" {
			return Task{}, fmt.Errorf(`queries[%d]: "q" is empty`, i)
		}
		for _, id := range q.Relevant {
			if !ids[id] {
				return Task{}, fmt.Errorf("queries[%d]: relevant id %q is no document", i, id)
			}
		}
	}
	return t, nil
}

func (t *Task) ids() (map[string]bool, error) {
	if len(t.Docs) == 0 {
		return nil, errors.New(`"docs" is empty or missing, want at least one`)
	}
	ids := make(map[string]bool, len(t.Docs))
	for i, d := range t.Docs {
		if d.ID == "" || ids[d.ID] {
			return nil, fmt.Errorf("docs[%d]: id %q is empty or there twice", i, d.ID)
		}
		ids[d.ID] = true
	}
	return ids, nil
}

// Index puts all documents of the task into an index.
func (t *Task) Index() *search.Index {
	x := search.New()
	for _, d := range t.Docs {
		x.Put(search.Doc{ID: d.ID, Topic: d.Topic, Content: d.Content, Tags: d.Tags, Created: d.Created,
			Aliases: d.Aliases})
	}
	return x
}
