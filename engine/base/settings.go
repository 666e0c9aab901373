package base

import (
	"ltm/engine/settings"
	"ltm/store"
)

// LayersOf reads the files that hold settings. A shared file that is damaged counts as empty;
// check reports it.
func LayersOf(v *store.View, state *store.State) settings.Layers {
	team, _ := v.TeamConfig()
	l := settings.Layers{Clone: state.Config, Team: team}
	if settings.AsksToWeaken(l.Clone) {
		trust, err := v.Trust()
		l.Weakened = err == nil && trust.All()
	}
	return l
}

// SettingsOf returns the settings in effect.
func SettingsOf(v *store.View, state *store.State) settings.Settings {
	l := LayersOf(v, state)
	return l.All()
}
