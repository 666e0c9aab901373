package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ltm/memory"
	"ltm/store"
)

// Settings are the configuration of a store, with defaults filled in.
type Settings struct {
	MaxMemories         int // active memories before eviction begins
	MemoriesToLoad      int // memories shown in full when a session starts
	EvictionBatchSize   int // memories reduced at one session's end, at most
	ContextBudgetTokens int // size of the block that a session starts with
	TokenNormalizeCap   int // session tokens that count as the hardest work
}

// setting describes one key.
type setting struct {
	key      string
	fallback int
	min, max int
	help     string
	field    func(*Settings) *int
}

// settings lists the keys in the order in which people see them.
func settings() []setting {
	return []setting{
		{"max_memories", 100, 1, 100000, "active memories before eviction begins at a session's end",
			func(s *Settings) *int { return &s.MaxMemories }},
		{"memories_to_load", 10, 0, 100, "memories that a session starts with",
			func(s *Settings) *int { return &s.MemoriesToLoad }},
		{"eviction_batch_size", 10, 1, 1000, "memories reduced at one session's end, at most",
			func(s *Settings) *int { return &s.EvictionBatchSize }},
		{"context_budget_tokens", 2000, 200, 2700, "size of the block that a session starts with, in tokens; the client cuts off at 10,000 characters",
			func(s *Settings) *int { return &s.ContextBudgetTokens }},
		{"token_normalize_cap", 100000, 1000, 100000000, "tokens of a session that count as the hardest work",
			func(s *Settings) *int { return &s.TokenNormalizeCap }},
	}
}

// settingsOf reads the settings of a state. A value that is out of range counts
// as not set: a typo in state.json must not stop a session.
func settingsOf(state *store.State) Settings {
	var s Settings
	for _, k := range settings() {
		value, _ := k.read(state)
		*k.field(&s) = value
	}
	return s
}

// read returns the value of a key and whether the state sets it.
func (k setting) read(state *store.State) (value int, local bool) {
	raw, ok := state.Config[k.key]
	if !ok {
		return k.fallback, false
	}
	var n int
	if json.Unmarshal(raw, &n) != nil || n < k.min || n > k.max {
		return k.fallback, false
	}
	return n, true
}

func (k setting) allowed() string {
	return fmt.Sprintf("%s takes a whole number from %d to %d", k.key, k.min, k.max)
}

func (k setting) setting(state *store.State) memory.Setting {
	value, local := k.read(state)
	source := "default"
	if local {
		source = "local"
	}
	return memory.Setting{Key: k.key, Value: value, Default: k.fallback, Source: source, Help: k.help}
}

// Config returns every setting.
func (e *Engine) Config(context.Context) ([]memory.Setting, error) {
	var out []memory.Setting
	err := e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		for _, k := range settings() {
			out = append(out, k.setting(state))
		}
		return nil
	})
	return out, err
}

// SetConfig sets one key for this clone, creating the store if need be.
func (e *Engine) SetConfig(ctx context.Context, key, value string) (memory.Setting, error) {
	k, err := findSetting(key)
	if err != nil {
		return memory.Setting{}, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < k.min || n > k.max {
		return memory.Setting{}, memory.Errorf(memory.CodeInvalid, k.allowed()+"; nothing was changed", "%q is not a value of %s", value, k.key)
	}
	return e.changeConfig(ctx, k, func(state *store.State) {
		state.Config[k.key] = json.RawMessage(strconv.Itoa(n))
	})
}

// ResetConfig brings a key back to its default.
func (e *Engine) ResetConfig(ctx context.Context, key string) (memory.Setting, error) {
	k, err := findSetting(key)
	if err != nil {
		return memory.Setting{}, err
	}
	return e.changeConfig(ctx, k, func(state *store.State) { delete(state.Config, k.key) })
}

func (e *Engine) changeConfig(ctx context.Context, k setting, change func(*store.State)) (memory.Setting, error) {
	var result memory.Setting
	err := e.store.Update(ctx, store.UpdateOptions{Wait: e.lockWait, Create: true}, func(tx *store.Tx) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		change(state)
		tx.SetState(state)
		result = k.setting(state)
		return nil
	})
	return result, err
}

func findSetting(key string) (setting, error) {
	var known []string
	for _, k := range settings() {
		if k.key == key {
			return k, nil
		}
		known = append(known, k.key)
	}
	return setting{}, memory.Errorf(memory.CodeInvalid, "allowed: "+strings.Join(known, ", ")+"; nothing was changed", "there is no setting %q", key)
}

// Setting returns one setting.
func (e *Engine) Setting(_ context.Context, key string) (memory.Setting, error) {
	k, err := findSetting(key)
	if err != nil {
		return memory.Setting{}, err
	}
	var result memory.Setting
	err = e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		result = k.setting(state)
		return nil
	})
	return result, err
}
