package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
)

// Source is where a setting's value comes from.
type Source string

// The sources, the strongest first. Their texts are part of answers.
const (
	Clone   Source = "local"   // this clone's own
	Team    Source = "shared"  // of all who share the repository
	Default Source = "default" // neither sets it
)

// Raw is a file of settings: values by the names of their keys.
type Raw = map[string]json.RawMessage

// Layers are the files that hold settings.
type Layers struct {
	Clone, Team Raw

	// Weakened reports that a person has lowered a guarded setting in this clone. The files alone cannot prove that.
	Weakened bool
}

// AsksToWeaken reports whether a clone's settings lower the guarded setting trust. That has an
// effect only with [Layers].Weakened.
func AsksToWeaken(clone Raw) bool {
	k, _ := Find(keyTrust)
	v, ok := k.decode(clone[keyTrust])
	return ok && v.Word == TrustAll
}

// IsTrust reports whether a key is the one that [AsksToWeaken] is about.
func (k Key) IsTrust() bool { return k.Name == keyTrust }

// TracksIndex reports whether the team's settings ask for index.json.
func TracksIndex(team Raw) bool {
	k, _ := Find(keyTrackIndex)
	return Layers{Team: team}.Read(k).Value.Word == switchOn
}

// Setting is a key with its value in effect, and the source of the value.
type Setting struct {
	Key
	Value  Value
	Source Source
}

// Read returns a key with its value in effect.
func (l Layers) Read(k Key) Setting {
	s := Setting{k, k.Default, Default}
	if k.guarded {
		return l.readGuarded(s)
	}
	if raw, ok := k.in(l.Team); ok && !k.own {
		if v, ok := k.decode(raw); ok {
			s.Value, s.Source = v, Team
		}
	}
	if raw, ok := k.in(l.Clone); ok && !k.team {
		if v, ok := k.decode(raw); ok {
			s.Value, s.Source = v, Clone
		}
	}
	return s
}

// readGuarded is Read for a setting that files from elsewhere cannot lower: neither
// the team's nor a state file that came with a repository.
func (l Layers) readGuarded(s Setting) Setting {
	k := s.Key
	if v, ok := k.decode(l.Clone[k.Name]); ok && (k.free || l.Weakened || k.level(v) >= k.level(k.Default)) {
		s.Value, s.Source = v, Clone
	}
	if v, ok := k.decode(l.Team[k.Name]); ok && k.level(v) > k.level(s.Value) {
		s.Value, s.Source = v, Team
	}
	return s
}

// All returns the settings in effect.
func (l Layers) All() Settings {
	var s Settings
	for _, k := range Keys() {
		k.apply(&s, l.Read(k).Value)
	}
	s.setBudget()
	return s
}

// With returns settings with another value of a key, to see what it would do. A value that is not allowed is an error.
func (s Settings) With(name, text string) (Settings, error) {
	k, err := Find(name)
	if err != nil {
		return s, err
	}
	v, err := (Layers{}).Parse(k, text, Clone)
	if err != nil {
		return s, err
	}
	k.apply(&s, v)
	s.setBudget()
	return s, nil
}

// Parse parses the value that a person sets a key to, in this clone or for the team. A value that
// is not allowed, or that would have no effect, is an error.
func (l Layers) Parse(k Key, text string, to Source) (Value, error) {
	v, ok := k.parse(text)
	switch {
	case !ok:
		return v, memory.NewError(memory.CodeInvalid, memory.KindSettingValue, k.Name,
			"%q is not a value of %s; %s", text, k.Name, k.allowed())
	case to == Team && k.guarded && k.level(v) <= k.level(k.Default):
		return v, memory.NewError(memory.CodeInvalid, memory.KindSettingGuarded, k.Name,
			"a team setting of %s can only be stricter than %q", k.Name, k.Default)
	case to == Clone && k.guarded:
		return v, l.refuseLower(k, v)
	}
	return v, k.Settable(to)
}

// Removable returns an error if a key cannot be removed from a layer. One that should not be in the layer can be.
func (k Key) Removable(in Source) error {
	if k.team && in != Team {
		return memory.NewError(memory.CodeInvalid, memory.KindSettingTeam, k.Name,
			"%s is about files that everyone shares", k.Name)
	}
	return nil
}

// Settable returns an error if a key cannot be set in a layer.
func (k Key) Settable(in Source) error {
	if err := k.Removable(in); err != nil {
		return err
	}
	if k.own && in == Team {
		return memory.NewError(memory.CodeInvalid, memory.KindSettingOwn, k.Name,
			"%s cannot be a team setting: it would hold in clones whose people did not choose it", k.Name)
	}
	return nil
}

// refuseLower returns an error if the team's setting is stricter than what a person sets in one
// clone, which would then have no effect.
func (l Layers) refuseLower(k Key, v Value) error {
	all, ok := k.decode(l.Team[k.Name])
	if !ok || k.level(all) <= max(k.level(v), k.level(k.Default)) {
		return nil
	}
	return memory.NewError(memory.CodeInvalid, memory.KindSettingStrict, k.Name,
		"the team settings require a %s of %q, and a clone can only be stricter", k.Name, all)
}

// Put sets a key in a file of settings.
func (k Key) Put(config Raw, v Value) error {
	raw, err := json.Marshal(v)
	if err == nil {
		config[k.Name] = raw
	}
	return err
}

// in returns a key's value in a file of settings, under its own name or else under
// the predecessor's, where dots separate levels.
func (k Key) in(config Raw) (json.RawMessage, bool) {
	if raw, ok := config[k.Name]; ok || k.older == "" {
		return raw, ok
	}
	if raw, ok := config[k.older]; ok {
		return raw, ok
	}
	group, name, _ := strings.Cut(k.older, ".")
	var inner Raw
	if json.Unmarshal(config[group], &inner) != nil {
		return nil, false
	}
	raw, ok := inner[name]
	return raw, ok
}

// TakeOut removes a key from a file of settings, under both names.
func (k Key) TakeOut(config Raw) {
	delete(config, k.Name)
	if k.older == "" {
		return
	}
	delete(config, k.older)
	group, name, _ := strings.Cut(k.older, ".")
	var inner Raw
	if json.Unmarshal(config[group], &inner) != nil {
		return
	}
	delete(inner, name)
	delete(config, group)
	if raw, err := json.Marshal(inner); err == nil && len(inner) > 0 {
		config[group] = raw
	}
}

// Odd describes the settings that have no effect: unknown keys, values that are not allowed, values that would lower a
// guarded setting, and those of [Imposed]. cloneFile and teamFile name the files of the layers in these texts.
func (l Layers) Odd(cloneFile, teamFile string) []string {
	problems := slices.Concat(odd(cloneFile, l.Clone), odd(teamFile, l.Team), l.powerless(cloneFile, teamFile))
	for _, k := range Imposed(l.Team) {
		problems = append(problems, teamFile+": "+k.NoEffect())
	}
	return problems
}

// Imposed returns the keys that a team's settings have, and that only a clone can set for itself.
func Imposed(team Raw) []Key {
	return slices.DeleteFunc(Keys(), func(k Key) bool {
		_, ok := team[k.Name]
		return !ok || !k.own
	})
}

// NoEffect says why a key of [Imposed] does not count.
func (k Key) NoEffect() string { return k.Name + " cannot be a team setting, and has no effect" }

// odd describes the settings of one file that count as not set.
func odd(file string, config Raw) []string {
	var problems []string
	for name, raw := range config {
		if isOlderName(name) {
			continue
		}
		k, err := Find(name)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: there is no setting %q", file, name))
		} else if _, ok := k.decode(raw); !ok {
			problems = append(problems, fmt.Sprintf("%s: %s is not allowed: %s", file, raw, k.allowed()))
		}
	}
	slices.Sort(problems)
	return problems
}

// isOlderName reports whether a name is the predecessor's name of a setting, or of the object that holds the setting.
func isOlderName(name string) bool {
	return slices.ContainsFunc(Keys(), func(k Key) bool {
		group, _, _ := strings.Cut(k.older, ".")
		return k.older != "" && (name == k.older || name == group)
	})
}

// powerless describes values that would lower a guarded setting and have no effect.
func (l Layers) powerless(cloneFile, teamFile string) []string {
	var problems []string
	for _, k := range Keys() {
		if !k.guarded {
			continue
		}
		if v, ok := k.decode(l.Clone[k.Name]); ok && l.Read(k).Source == Default && v != k.Default {
			problems = append(problems, fmt.Sprintf("%s: %s %v was not set in this clone and has no effect",
				cloneFile, k.Name, v))
		}
		if v, ok := k.decode(l.Team[k.Name]); ok && k.level(v) < k.level(k.Default) {
			problems = append(problems, fmt.Sprintf("%s: a team setting of %s cannot be %v", teamFile, k.Name, v))
		}
	}
	return problems
}
