package change

import (
	"context"
	"time"

	"ltm/engine/base"
	"ltm/engine/settings"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// settingOf converts a setting for the edges. Its values are numbers, words or weights.
func settingOf(s settings.Setting) api.Setting {
	return api.Setting{Key: s.Name, Value: PlainValue(s.Value), Default: PlainValue(s.Default),
		Source: string(s.Source), Help: s.Help}
}

func PlainValue(v settings.Value) any {
	switch {
	case v.Weights != nil:
		return *v.Weights
	case v.Word != "", v.Percent > 0:
		return v.String()
	}
	return v.Number
}

// SettingWords returns example values of a setting, for completion: all its words, or the default
// of a number. It returns nil for an unknown key.
func SettingWords(key string) []string {
	k, err := settings.Find(key)
	if err != nil {
		return nil
	}
	return k.Words()
}

// viewLayers is [base.LayersOf] in a view of its own.
func (e *Engine) viewLayers() (l settings.Layers, err error) {
	err = e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err == nil {
			l = base.LayersOf(v, state)
		}
		return err
	})
	return l, err
}

func (e *Engine) Config(context.Context) ([]api.Setting, error) {
	l, err := e.viewLayers()
	if err != nil {
		return nil, err
	}
	var out []api.Setting
	for _, k := range settings.Keys() {
		out = append(out, settingOf(l.Read(k)))
	}
	return out, nil
}

func (e *Engine) Setting(_ context.Context, key string) (api.Setting, error) {
	k, err := settings.Find(key)
	if err != nil {
		return api.Setting{}, err
	}
	l, err := e.viewLayers()
	if err != nil {
		return api.Setting{}, err
	}
	return settingOf(l.Read(k)), nil
}

// ConfigProblems describes the settings in the files that have no effect: unknown keys, and
// values that are not allowed. See [settings.Layers.Odd].
func (e *Engine) ConfigProblems(context.Context) ([]string, error) {
	l, err := e.viewLayers()
	if err != nil {
		return nil, err
	}
	return l.Odd("state.json", "config.json"), nil
}

// SetConfig sets one key in a layer: [settings.Clone], or [settings.Team] for everyone who shares the
// repository. It creates the store if needed.
func (e *Engine) SetConfig(ctx context.Context, key, value string, layer settings.Source) (api.Setting, error) {
	k, err := settings.Find(key)
	if err != nil {
		return api.Setting{}, err
	}
	if err := trust.Refuse(memory.KindEditedSecret, "value of "+k.Name, value); err != nil {
		return api.Setting{}, err
	}
	l, err := e.viewLayers()
	if err != nil {
		return api.Setting{}, err
	}
	v, err := l.Parse(k, value, layer)
	if err != nil {
		return api.Setting{}, err
	}
	return e.changeConfig(ctx, k, layer, func(config settings.Raw) error { return k.Put(config, v) })
}

// ResetConfig removes one key from a layer, as of [Engine.SetConfig].
func (e *Engine) ResetConfig(ctx context.Context, key string, layer settings.Source) (api.Setting, error) {
	k, err := settings.Find(key)
	if err != nil {
		return api.Setting{}, err
	}
	if err := k.Removable(layer); err != nil {
		return api.Setting{}, err
	}
	return e.changeConfig(ctx, k, layer, func(config settings.Raw) error {
		k.TakeOut(config)
		return nil
	})
}

func (e *Engine) changeConfig(ctx context.Context, k settings.Key, in settings.Source,
	change func(settings.Raw) error) (api.Setting, error) {
	var result api.Setting
	if k.IsTrust() {
		if err := e.NeedPerson(); err != nil {
			return result, err
		}
	}
	err := e.ChangeOrCreate(ctx, func(tx *base.Tx) error {
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		team, err := tx.TeamConfig()
		if err != nil {
			return err
		}
		if in == settings.Team {
			err = changeShared(tx, team, change)
		} else {
			err = change(state.Config)
			tx.SetState(state)
		}
		if err != nil {
			return err
		}
		result, err = changedSetting(tx, k, settings.Layers{Clone: state.Config, Team: team})
		return err
	})
	return result, err
}

// changeShared changes the team's settings. When they turn track_index on, it writes index.json.
// When they turn it off, it leaves the file alone, because git may track it.
func changeShared(tx *base.Tx, team settings.Raw, change func(settings.Raw) error) error {
	if err := change(team); err != nil {
		return err
	}
	if err := tx.WriteTeamConfig(team); err != nil {
		return err
	}
	if !settings.TracksIndex(team) {
		return nil
	}
	return base.WriteIndex(tx)
}

// changedSetting returns a setting that a person has just changed. For the setting trust it also records
// in this clone that a person changed it, which a file alone cannot prove.
func changedSetting(tx *base.Tx, k settings.Key, l settings.Layers) (api.Setting, error) {
	if k.IsTrust() {
		l.Weakened = settings.AsksToWeaken(l.Clone)
		if err := tx.TrustAll(l.Weakened); err != nil {
			return api.Setting{}, err
		}
	}
	return settingOf(l.Read(k)), nil
}

// Init makes the store's directory, with the files that tell git how to treat it.
func (e *Engine) Init(ctx context.Context) error {
	return e.ChangeOrCreate(ctx, (*base.Tx).WriteRules)
}

// ProbeLock takes the lock of an existing store and releases it, waiting as long as any change
// would. It changes nothing.
func (e *Engine) ProbeLock(ctx context.Context) error {
	return e.Change(ctx, func(*base.Tx) error { return nil })
}

// SeenSession describes the session that hooks reported last.
type SeenSession struct {
	ID       string
	LastSeen time.Time
	Tools    int // calls, successful or not
	Ended    bool
}

// LastSession returns the session that hooks reported last, or nil.
func (e *Engine) LastSession(context.Context) (*SeenSession, error) {
	var last *SeenSession
	err := e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		if s := state.CurrentSession; s != nil {
			last = &SeenSession{s.ID, s.LastSeen, s.ToolFailures + s.ToolSuccesses, s.EndedAt != nil}
		}
		return nil
	})
	return last, err
}
