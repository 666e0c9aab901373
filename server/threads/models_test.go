package threads_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"ltm/server/provider"
)

// scripted is a model that answers by functions, and counts how often it was asked.
type scripted struct {
	asked     atomic.Int64
	summarize func(prior string, turns []provider.Turn) (string, error)
	extract   func(events []provider.Event) ([]provider.Claim, error)
	chat      func(provider.Chat) (string, error)
}

func (m *scripted) Model() string { return "scripted" }

func (m *scripted) Summarize(_ context.Context, _, prior string, turns []provider.Turn) (provider.Summary, error) {
	m.asked.Add(1)
	text, err := m.summarize(prior, turns)
	return provider.Summary{Text: text, Model: "scripted"}, err
}

func (m *scripted) Extract(_ context.Context, _ string, events []provider.Event, _ []provider.Holding,
	_ []string) (provider.Extraction, error) {
	m.asked.Add(1)
	claims, err := m.extract(events)
	return provider.Extraction{Claims: claims, Model: "scripted"}, err
}

func (m *scripted) Chat(_ context.Context, _ string, chat provider.Chat) (provider.Reply, error) {
	m.asked.Add(1)
	text, err := m.chat(chat)
	return provider.Reply{Text: text, Model: "scripted"}, err
}

func (m *scripted) Embed(context.Context, string, []string) ([]provider.Vector, error) {
	m.asked.Add(1)
	return nil, refusing()
}

// refusing is the error of a provider that refuses.
func refusing() error {
	return &provider.Error{Kind: provider.Refused, Message: "refused", Status: 401}
}

// failing is the error of a provider that fails for now.
func failing() error { return &provider.Error{Kind: provider.Failed, Message: "failed", Status: 500} }

// streaming is a scripted model that gives its reply word by word.
type streaming struct {
	scripted
	mu sync.Mutex
}

func (m *streaming) ChatStream(_ context.Context, _ string, _ provider.Chat, out func(string) error) (provider.Reply,
	error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, piece := range []string{"one ", "two ", "three"} {
		if err := out(piece); err != nil {
			return provider.Reply{}, errors.Join(err)
		}
	}
	return provider.Reply{Text: "one two three"}, nil
}
