package main

import (
	"context"
	"fmt"
	"time"

	"ltm/internal/plural"
	"ltm/server/provider"
	"ltm/server/threads"
)

// modelReport is what a model answered to a short question.
type modelReport struct {
	Purpose string `json:"purpose"`
	Model   string `json:"model"`
	URL     string `json:"url"`
	Answer  string `json:"answer,omitempty"` // what it is, not what it says
	Error   string `json:"error,omitempty"`
	Millis  int64  `json:"milliseconds"`
}

func (m modelReport) line() string {
	said := m.Answer
	if m.Error != "" {
		said = "problem: " + m.Error
	}
	return fmt.Sprintf("%s: %s at %s: %s (%d ms)", m.Purpose, m.Model, m.URL, said, m.Millis)
}

// askModels asks each model that is configured as the server would, and takes what fails for a problem.
func (r *checkReport) askModels(ctx context.Context, o modelOptions) {
	meter := provider.NewMeter(func(string) int64 { return provider.Unlimited }, nil, time.Now())
	made, err := o.models(time.Now, meter)
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
		return
	}
	for _, p := range o.purposes() {
		if p.url == "" {
			continue
		}
		began := time.Now()
		answer, err := askModel(ctx, p.name, made)
		report := modelReport{Purpose: p.name, Model: p.model, URL: p.url, Answer: answer}
		report.Millis = time.Since(began).Milliseconds()
		if err != nil {
			report.Answer, report.Error = "", err.Error()
			r.Problems = append(r.Problems, fmt.Sprintf("the model for %s: %v", p.name, err))
		}
		r.Models = append(r.Models, report)
	}
}

// askModel asks a model for one purpose, and returns what its answer is.
func askModel(ctx context.Context, purpose string, m threads.Models) (string, error) {
	const app, text = "check", "My name is Robin, and I live in Porto."
	switch purpose {
	case "embeddings":
		v, err := m.Embeddings.Embed(ctx, app, []string{text})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("a vector of %d numbers", v[0].Dimension), nil
	case "summaries":
		_, err := m.Summaries.Summarize(ctx, app, "", []provider.Turn{{User: true, Text: text}})
		return "a summary", err
	case "extraction":
		x, err := m.Extraction.Extract(ctx, app, []provider.Event{{ID: "1", User: true, Text: text}},
			[]string{"PROFILE", "PREFERENCES"})
		return plural.Of(len(x.Claims), "claim", "claims"), err
	}
	_, err := m.Chat.Chat(ctx, app, provider.Chat{Messages: []provider.Turn{{User: true, Text: text}},
		MaxTokens: 64})
	return "a reply", err
}
