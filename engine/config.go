package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ltm/api"
	"ltm/internal/didyoumean"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// Settings are the configuration of a store, with defaults filled in.
type Settings struct {
	MaxMemories         int  // active memories before eviction begins
	MemoriesToLoad      int  // memories shown in full when a session starts
	EvictionBatchSize   int  // memories reduced at one session's end, at most
	ContextBudgetTokens int  // size of the block that a session starts with
	PromptRecall        bool // add memories to prompts that clearly match them
	Nudge               bool // ask for a memory when hard work has succeeded

	TokenNormalizeCap int              // session tokens that count as the hardest work
	PriorityProfile   priority.Profile // how use turns into priority
	DifficultyWeights priority.Weights // how hard work is judged by

	FadeFiles bool // eviction writes phases into the files
	StubDays  int  // how long the stub of a memory that was set aside stays; 0: for good

	Trust string // what becomes of memories from elsewhere
}

// setting describes one key: a whole number within bounds, one of a few words,
// or what other reads.
type setting struct {
	key      string
	help     string
	fallback any
	min, max int
	words    []string
	other    func(text string) (any, bool) // nil: nothing beside the words
	form     string                        // of what other reads
	guarded  bool                          // words are in order: sharing a file can only raise it
	team     bool                          // it is about shared files, so it can only be shared
	older    string                        // the predecessor's name of the key
	apply    func(*Settings, any)
}

// The words of settings that are switches.
const (
	switchOn  = "on"
	switchOff = "off"
)

// Where a setting's value comes from, the strongest first.
const (
	sourceLocal   = "local"
	sourceShared  = "shared"
	sourceDefault = "default"
)

// settings lists the keys in the order in which people see them.
func settings() []setting {
	return []setting{
		number("max_memories", "active memories before eviction begins at a session's end", 100, 1, 100000,
			func(s *Settings) *int { return &s.MaxMemories }),
		number("memories_to_load", "memories that a session starts with", 10, 0, 100,
			func(s *Settings) *int { return &s.MemoriesToLoad }),
		number("eviction_batch_size", "memories reduced at one session's end, at most", 10, 1, 1000,
			func(s *Settings) *int { return &s.EvictionBatchSize }),
		number("context_budget_tokens", "size of the block that a session starts with, in tokens; the client cuts off at 10,000 characters", 2000, 200, 2700,
			func(s *Settings) *int { return &s.ContextBudgetTokens }),
		switched("prompt_recall", "add memories to a prompt that clearly matches them", switchOn,
			func(s *Settings) *bool { return &s.PromptRecall }),
		switched("nudge", "ask once for a memory when hard work has succeeded and nothing was stored", switchOn,
			func(s *Settings) *bool { return &s.Nudge }),
		tokenCap(),
		priorityProfile(),
		difficultyWeights(),
		fading(),
		number("stub_days", "days after which the stub of a memory that was set aside goes at a session's end; 0: never", 180, 0, 100000,
			func(s *Settings) *int { return &s.StubDays }),
		trackedIndex(),
		trustSetting(),
	}
}

func number(key, help string, fallback, least, most int, field func(*Settings) *int) setting {
	return setting{key: key, help: help, fallback: fallback, min: least, max: most,
		apply: func(s *Settings, v any) { *field(s) = v.(int) }}
}

func switched(key, help, fallback string, field func(*Settings) *bool) setting {
	return setting{key: key, help: help, fallback: fallback, words: []string{switchOff, switchOn},
		apply: func(s *Settings, v any) { *field(s) = v == switchOn }}
}

// parse reads a value as people write it, and says whether it is allowed.
func (k setting) parse(text string) (any, bool) {
	text = strings.TrimSpace(text)
	switch {
	case slices.Contains(k.words, text):
		return text, true
	case k.other != nil:
		return k.other(text)
	case k.words != nil:
		return nil, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= k.min && n <= k.max
}

// decode reads a value from a file. One that is not allowed counts as not set: a
// typo must not stop a session.
func (k setting) decode(raw json.RawMessage) (any, bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return k.parse(text)
}

func (k setting) allowed() string {
	switch {
	case k.other != nil:
		return k.key + " is one of " + strings.Join(k.words, ", ") + ", or " + k.form
	case k.words != nil:
		return k.key + " is one of " + strings.Join(k.words, ", ")
	}
	return fmt.Sprintf("%s takes a whole number from %d to %d", k.key, k.min, k.max)
}

// layers are the places that settings stand in.
type layers struct {
	local, shared map[string]json.RawMessage
	weakened      bool // a person has lowered what is guarded, in this clone
}

// layersOf reads them. A shared file that is damaged counts as empty, and check
// reports it.
func layersOf(v *store.View, state *store.State) layers {
	shared, _ := v.SharedConfig()
	l := layers{local: state.Config, shared: shared}
	if value, ok := trustSetting().decode(l.local[trustKey]); ok && value == trustAll {
		trust, err := v.Trust()
		l.weakened = err == nil && trust.All()
	}
	return l
}

// read returns the value of a key and where it comes from.
func (l layers) read(k setting) api.Setting {
	s := api.Setting{Key: k.key, Value: k.fallback, Default: k.fallback, Source: sourceDefault, Help: k.help}
	if k.guarded {
		return l.readGuarded(k, s)
	}
	if raw, ok := k.in(l.shared); ok {
		if v, ok := k.decode(raw); ok {
			s.Value, s.Source = v, sourceShared
		}
	}
	if raw, ok := k.in(l.local); ok && !k.team {
		if v, ok := k.decode(raw); ok {
			s.Value, s.Source = v, sourceLocal
		}
	}
	return s
}

// in returns a key's value in a file of settings, under its own name or else under
// the predecessor's, where dots separate levels.
func (k setting) in(config map[string]json.RawMessage) (json.RawMessage, bool) {
	if raw, ok := config[k.key]; ok || k.older == "" {
		return raw, ok
	}
	if raw, ok := config[k.older]; ok {
		return raw, ok
	}
	group, name, _ := strings.Cut(k.older, ".")
	var inner map[string]json.RawMessage
	if json.Unmarshal(config[group], &inner) != nil {
		return nil, false
	}
	raw, ok := inner[name]
	return raw, ok
}

// takeOut removes a key from a file of settings, under both names.
func (k setting) takeOut(config map[string]json.RawMessage) {
	delete(config, k.key)
	if k.older == "" {
		return
	}
	delete(config, k.older)
	group, name, _ := strings.Cut(k.older, ".")
	var inner map[string]json.RawMessage
	if json.Unmarshal(config[group], &inner) != nil {
		return
	}
	delete(inner, name)
	delete(config, group)
	if raw, err := json.Marshal(inner); err == nil && len(inner) > 0 {
		config[group] = raw
	}
}

// readGuarded is read for a setting that files from elsewhere cannot lower:
// neither the shared one nor a state file that came with a repository.
func (l layers) readGuarded(k setting, s api.Setting) api.Setting {
	level := func(v any) int { return slices.Index(k.words, v.(string)) }
	if v, ok := k.decode(l.local[k.key]); ok && (l.weakened || level(v) >= level(k.fallback)) {
		s.Value, s.Source = v, sourceLocal
	}
	if v, ok := k.decode(l.shared[k.key]); ok && level(v) > level(s.Value) {
		s.Value, s.Source = v, sourceShared
	}
	return s
}

// all returns the settings in effect.
func (l layers) all() Settings {
	var s Settings
	for _, k := range settings() {
		k.apply(&s, l.read(k).Value)
	}
	return s
}

// settingsOf returns the settings in effect.
func settingsOf(v *store.View, state *store.State) Settings { return layersOf(v, state).all() }

// Config returns every setting.
func (e *Engine) Config(context.Context) ([]api.Setting, error) {
	var out []api.Setting
	err := e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		l := layersOf(v, state)
		for _, k := range settings() {
			out = append(out, l.read(k))
		}
		return nil
	})
	return out, err
}

// Setting returns one setting.
func (e *Engine) Setting(ctx context.Context, key string) (api.Setting, error) {
	k, err := findSetting(key)
	if err != nil {
		return api.Setting{}, err
	}
	all, err := e.Config(ctx)
	if err != nil {
		return api.Setting{}, err
	}
	i := slices.IndexFunc(all, func(s api.Setting) bool { return s.Key == k.key })
	return all[i], nil
}

// SetConfig sets one key for this clone, or for everybody who shares the
// repository, creating the store if need be.
func (e *Engine) SetConfig(ctx context.Context, key, value string, shared bool) (api.Setting, error) {
	k, err := findSetting(key)
	if err != nil {
		return api.Setting{}, err
	}
	if err := refuse("value of "+k.key, value, "leave it out"); err != nil {
		return api.Setting{}, err
	}
	v, ok := k.parse(value)
	if !ok {
		return api.Setting{}, memory.Errorf(memory.CodeInvalid, k.allowed()+"; nothing was changed", "%q is not a value of %s", value, k.key)
	}
	if k.team && !shared {
		return api.Setting{}, teamOnly(k)
	}
	if shared && k.guarded && slices.Index(k.words, value) <= slices.Index(k.words, k.fallback.(string)) {
		return api.Setting{}, memory.Errorf(memory.CodeInvalid, "each clone sets it for itself, without --shared; nothing was changed",
			"a shared %s can only be stricter than %q", k.key, k.fallback)
	}
	if !shared && k.guarded {
		if err := e.refuseLower(k, value); err != nil {
			return api.Setting{}, err
		}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return api.Setting{}, err
	}
	return e.changeConfig(ctx, k, shared, func(config map[string]json.RawMessage) { config[k.key] = raw })
}

// refuseLower is an error when everybody's setting is stricter than what a person
// sets in one clone: that would have no effect, until the other one goes.
func (e *Engine) refuseLower(k setting, value string) error {
	return e.store.View(func(v *store.View) error {
		shared, err := v.SharedConfig()
		if err != nil {
			return nil //nolint:nilerr // then it counts as empty
		}
		all, ok := k.decode(shared[k.key])
		if !ok || slices.Index(k.words, all.(string)) <= max(slices.Index(k.words, value), slices.Index(k.words, k.fallback.(string))) {
			return nil
		}
		return memory.Errorf(memory.CodeInvalid, fmt.Sprintf("ltm config --shared --reset %s takes that out for everybody; nothing was changed", k.key),
			"the repository's settings ask for a %s of %q, and a clone can only be stricter", k.key, all)
	})
}

// ResetConfig takes one key out of this clone's settings, or the shared ones.
func (e *Engine) ResetConfig(ctx context.Context, key string, shared bool) (api.Setting, error) {
	k, err := findSetting(key)
	if err != nil {
		return api.Setting{}, err
	}
	if k.team && !shared {
		return api.Setting{}, teamOnly(k)
	}
	return e.changeConfig(ctx, k, shared, k.takeOut)
}

func (e *Engine) changeConfig(ctx context.Context, k setting, shared bool, change func(map[string]json.RawMessage)) (api.Setting, error) {
	var result api.Setting
	err := e.create(ctx, func(tx *store.Tx) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		config, err := tx.SharedConfig()
		if err != nil {
			return err
		}
		if shared {
			change(config)
			if err := tx.WriteSharedConfig(config); err != nil {
				return err
			}
			if err := applyTrackIndex(tx, config); err != nil {
				return err
			}
		} else {
			change(state.Config)
			tx.SetState(state)
		}
		result, err = settled(tx, k, layers{local: state.Config, shared: config})
		return err
	})
	return result, err
}

// settled returns a setting that was just changed, by a person, and notes that it
// was where that counts.
func settled(tx *store.Tx, k setting, l layers) (api.Setting, error) {
	if k.key == trustKey {
		value, ok := k.decode(l.local[k.key])
		l.weakened = ok && value == trustAll
		if err := tx.TrustAll(l.weakened); err != nil {
			return api.Setting{}, err
		}
	}
	return l.read(k), nil
}

func findSetting(key string) (setting, error) {
	var known []string
	for _, k := range settings() {
		if k.key == key {
			return k, nil
		}
		known = append(known, k.key)
	}
	hint := "allowed: " + strings.Join(known, ", ") + "; nothing was changed"
	if near := didyoumean.To(key, known); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q? ", near[0]) + hint
	}
	return setting{}, memory.Errorf(memory.CodeInvalid, hint, "there is no setting %q", key)
}
