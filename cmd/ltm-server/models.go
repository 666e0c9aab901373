package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ltm/server/provider"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// endpoint is a model for one purpose, as the command line names it.
type endpoint struct {
	url, model, key, price string
	reasoning              bool
}

// modelOptions say which models applications' memory asks. Without any, nothing leaves the machine.
type modelOptions struct {
	embeddings, summaries, extraction, chat endpoint

	dimension    int
	weight       float64
	plainHTTP    bool
	timeout      time.Duration
	tokensPerDay int64
}

// purpose is what a model is asked for.
type purpose struct {
	name, does string
	*endpoint
}

func (m *modelOptions) purposes() []purpose {
	return []purpose{{"embeddings", "makes vectors of texts", &m.embeddings},
		{"summaries", "writes summaries", &m.summaries},
		{"extraction", "finds claims about users", &m.extraction}, {"chat", "replies to users", &m.chat}}
}

// isKey reports whether an option is the key of an endpoint.
func isKey(name string) bool {
	word, ok := strings.CutSuffix(name, "-key")
	isIts := func(p purpose) bool { return p.name == word }
	return ok && slices.ContainsFunc(new(modelOptions).purposes(), isIts)
}

func (m *modelOptions) register(f *pflag.FlagSet) {
	for _, p := range m.purposes() {
		f.StringVar(&p.url, p.name+"-url", "",
			"the base `URL` of an endpoint like OpenAI's whose model "+p.does+"; without it, none does")
		f.StringVar(&p.model, p.name+"-model", "", "the `NAME` of that model")
		f.StringVar(&p.key, p.name+"-key", "", "the `KEY` of that endpoint, if it needs one; better in a file")
		f.StringVar(&p.price, p.name+"-price", "",
			"what it costs, `IN/OUT` for a million tokens in any currency, such as 0.15/0.60")
		if p.name != "embeddings" { // which have no text to think about
			f.BoolVar(&p.reasoning, p.name+"-reasoning", false, "that model is one of OpenAI's that reason")
		}
	}
	f.IntVar(&m.dimension, "embeddings-dimension", 0,
		"ask for vectors of so many `NUMBERS`, if the model can; 0 takes what it has")
	f.Float64Var(&m.weight, "embeddings-weight", threads.VectorWeight,
		"what vectors count beside words, `SHARE` of 1; more is for a model that is known to be good")
	f.BoolVar(&m.plainHTTP, "models-plain-http", false, "send keys of models without encryption to other machines, too")
	f.DurationVar(&m.timeout, "models-timeout", 30*time.Second, "how long one request to a model may take")
	f.Int64Var(&m.tokensPerDay, "models-tokens", 1_000_000,
		"how many tokens models may use for an application on a day of UTC, unless it has its own limit; "+
			"0 is without limit")
}

// check refuses options that no model could be asked with.
func (m *modelOptions) check() error {
	switch {
	case m.timeout < time.Second || m.timeout > callTime:
		return invalid("it takes 1s to 90s", "--models-timeout cannot be %s", m.timeout)
	case !(m.weight > 0 && m.weight <= 1):
		return invalid("it takes more than 0 and at most 1", "--embeddings-weight cannot be %v", m.weight)
	case m.tokensPerDay < 0:
		return invalid("it takes 0 or more", "--models-tokens cannot be %d", m.tokensPerDay)
	}
	meter := provider.NewMeter(func(string) int64 { return 0 }, nil, time.Time{})
	for _, p := range m.purposes() {
		if p.url == "" && *p.endpoint != (endpoint{}) {
			return invalid("give both, or none of its options",
				"--%s-url is missing, and there are other options of it", p.name)
		}
		if p.url == "" {
			continue
		}
		if p.model == "" {
			return invalid("name the model as the endpoint does", "--%s-model is missing", p.name)
		}
		if _, err := m.client(p, time.Now, meter); err != nil {
			return err
		}
	}
	if m.dimension != 0 && m.embeddings.url == "" {
		return invalid("give both, or none", "--embeddings-url is missing, and there is --embeddings-dimension")
	}
	return nil
}

// client returns a client for a purpose. It does not connect.
func (m *modelOptions) client(p purpose, now func() time.Time, meter *provider.Meter) (*provider.Client, error) {
	price, err := parsePrice(p.price)
	if err != nil {
		return nil, invalid("it takes IN/OUT, such as 0.15/0.60", "--%s-price cannot be %q", p.name, p.price)
	}
	o := provider.Options{
		Endpoint: provider.Endpoint{BaseURL: p.url, Model: p.model, Key: provider.Key(p.key), PlainHTTP: m.plainHTTP},
		Env:      provider.Env{Now: now, Random: rand.Float64, Sleep: sqlstore.Pause},
		Meter:    meter, Price: price, AttemptTime: m.timeout, CallTime: callTime, Reasoning: p.reasoning,
	}
	if p.name == "embeddings" {
		o.Batch, o.Dimension, o.AskDimension = threads.EmbedBatch, m.dimension, m.dimension != 0
	}
	c, err := provider.New(o)
	if err != nil {
		return nil, &fault{status: exitInvalid, message: "cannot use --" + p.name + "-url", cause: err,
			next: "docs/providers.md has examples"}
	}
	return c, nil
}

// callTime is how long a call may take with all its attempts: a job has a little more.
const callTime = 90 * time.Second

// parsePrice reads prices for a million tokens, in and out, or one for both.
func parsePrice(given string) (provider.Price, error) {
	if given == "" {
		return provider.Price{}, nil
	}
	in, out, both := strings.Cut(given, "/")
	if !both {
		out = in
	}
	var price provider.Price
	for text, into := range map[*string]*int64{&in: &price.Input, &out: &price.Output} {
		value, err := strconv.ParseFloat(*text, 64)
		if err != nil || !(value >= 0 && value <= 10_000) {
			return provider.Price{}, fmt.Errorf("%q is not a price", *text)
		}
		*into = int64(value*1e6 + 0.5)
	}
	return price, nil
}

// embedder names vectors by the model and the size that was asked for: those of another size are another model's.
type embedder struct {
	*provider.Client
	name string
}

// Model implements [threads.Embedder].
func (e embedder) Model() string { return e.name }

// models returns the models that the options name. Nothing is asked yet.
func (m *modelOptions) models(now func() time.Time, meter *provider.Meter) (made threads.Models, err error) {
	for _, p := range m.purposes() {
		if p.url == "" {
			continue
		}
		c, err := m.client(p, now, meter)
		if err != nil {
			return threads.Models{}, err
		}
		switch p.name {
		case "embeddings":
			name := p.model
			if m.dimension != 0 {
				name += "/" + strconv.Itoa(m.dimension)
			}
			made.Embeddings = embedder{c, name}
		case "summaries":
			made.Summaries = c
		case "extraction":
			made.Extraction = c
		case "chat":
			made.Chat = c
		}
	}
	return made, nil
}
