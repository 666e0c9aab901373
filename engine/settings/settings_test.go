package settings_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/eviction"
	"ltm/memory"
)

func raw(t *testing.T, text string) settings.Raw {
	t.Helper()
	var out settings.Raw
	require.NoError(t, json.Unmarshal([]byte(text), &out))
	return out
}

func key(t *testing.T, name string) settings.Key {
	t.Helper()
	k, err := settings.Find(name)
	require.NoError(t, err)
	return k
}

// TestDecay reads the days of the setting decay.
func TestDecay(t *testing.T) {
	k := key(t, "decay")
	for text, want := range map[string]eviction.Ages{
		"off": {}, "human": {Low: 1, Normal: 7, Important: 30}, "1,7,30": {Low: 1, Normal: 7, Important: 30},
		"5,5,5": {Low: 5, Normal: 5, Important: 5}, " 1 , 2 , 36500 ": {Low: 1, Normal: 2, Important: 36500},
	} {
		v, err := settings.Layers{}.Parse(k, text, settings.Clone)
		require.NoError(t, err, text)
		config := settings.Raw{}
		require.NoError(t, k.Put(config, v))
		require.Equal(t, want, settings.Layers{Clone: config}.All().Decay, text)
	}
	for _, text := range []string{"", "on", "Human", "7", "1,7", "1,7,30,90", "0,7,30", "-1,7,30", "7,1,30", "1,7,6",
		"1,7,36501", "1,7,x", "1.5,7,30", "1,7,99999999999999999999", "1;7;30", "1,7,", "\x00", "[1,7,30]"} {
		_, err := settings.Layers{}.Parse(k, text, settings.Clone)
		require.Equal(t, memory.KindSettingValue, memory.KindOf(err), "%q", text)
	}
	for _, text := range []string{"human", "1,7,30", "off"} {
		_, err := settings.Layers{}.Parse(k, text, settings.Team)
		require.Equal(t, memory.KindSettingOwn, memory.KindOf(err), text)
	}
	require.NoError(t, k.Removable(settings.Team))
	team := raw(t, `{"decay":"human","max_memories":5}`)
	require.Len(t, settings.Imposed(team), 1)
	require.Equal(t, []string{"config.json: decay cannot be a team setting, and has no effect"},
		settings.Layers{Team: team}.Odd("state.json", "config.json"))
	require.Len(t, settings.Layers{Clone: raw(t, `{"decay":[1,7,30]}`)}.Odd("state.json", "config.json"), 1)
}

// TestWhereAValueComesFrom reads one key from both layers.
func TestWhereAValueComesFrom(t *testing.T) {
	for name, c := range map[string]struct {
		key, clone, team string
		weakened         bool
		value            string
		from             settings.Source
	}{
		"nothing is set": {"max_memories", `{}`, `{}`, false, "100", settings.Default},
		"the team's":     {"max_memories", `{}`, `{"max_memories":7}`, false, "7", settings.Team},
		"the clone's own is first": {"max_memories", `{"max_memories":"9"}`, `{"max_memories":7}`, false, "9",
			settings.Clone},
		"a typo is not set": {"max_memories", `{"max_memories":"many"}`, `{"max_memories":7}`, false, "7",
			settings.Team},
		"out of its range": {"max_memories", `{"max_memories":0}`, `{}`, false, "100", settings.Default},
		"the predecessor's name": {"token_normalize_cap", `{"token_counting":{"normalize_cap":5000}}`, `{}`, false,
			"5000", settings.Clone},
		"about files that all share": {"fading", `{"fading":"files"}`, `{}`, false, "view", settings.Default},
		"decay":                      {"decay", `{"decay":"human"}`, `{}`, false, "human", settings.Clone},
		"decay in days":              {"decay", `{"decay":" 2, 14 ,60"}`, `{}`, false, "2,14,60", settings.Clone},
		"decay is not the team's":    {"decay", `{}`, `{"decay":"human"}`, false, "off", settings.Default},
		"decay of both":              {"decay", `{"decay":"1,2,3"}`, `{"decay":"human"}`, false, "1,2,3", settings.Clone},
		"weights": {"difficulty_weights", `{"difficulty_weights":{"failures":1}}`, `{}`, false,
			"failures=1,calls=0,tokens=0,compaction=0", settings.Clone},
		"a percentage": {"context_budget_tokens", `{"context_budget_tokens":"1.5%"}`, `{}`, false, "1.5%",
			settings.Clone},
		"a percentage over all": {"context_budget_tokens", `{"context_budget_tokens":"101%"}`, `{}`, false, "2000",
			settings.Default},
		"the style of the team": {"context_style", `{}`, `{"context_style":"compact"}`, false, "compact",
			settings.Team},
		"the team raises trust":    {"trust", `{}`, `{"trust":"ask"}`, false, "ask", settings.Team},
		"the team cannot lower it": {"trust", `{}`, `{"trust":"all"}`, false, "mark", settings.Default},
		"a file cannot lower it":   {"trust", `{"trust":"all"}`, `{}`, false, "mark", settings.Default},
		"a person can":             {"trust", `{"trust":"all"}`, `{}`, true, "all", settings.Clone},
		"but not below the team's": {"trust", `{"trust":"all"}`, `{"trust":"ask"}`, true, "ask", settings.Team},
	} {
		t.Run(name, func(t *testing.T) {
			l := settings.Layers{Clone: raw(t, c.clone), Team: raw(t, c.team), Weakened: c.weakened}
			s := l.Read(key(t, c.key))
			require.Equal(t, c.value, s.Value.String())
			require.Equal(t, c.from, s.Source)
		})
	}
}

// TestEveryKeyHoldsItsDefault writes each default as people and as files do, and reads
// it again.
func TestEveryKeyHoldsItsDefault(t *testing.T) {
	for _, k := range settings.Keys() {
		config := settings.Raw{}
		require.NoError(t, k.Put(config, k.Default))
		in := settings.Layers{Team: config}
		require.Equal(t, k.Default, in.Read(k).Value, k.Name)
		require.NotEmpty(t, k.Help, k.Name)
		require.Contains(t, k.Words(), k.Default.String(), k.Name)
		k.TakeOut(config)
		require.Empty(t, config, k.Name)
	}
}

// TestWhatIsRefused sets values that would have no effect or are not allowed.
func TestWhatIsRefused(t *testing.T) {
	strict := settings.Layers{Team: raw(t, `{"trust":"ask"}`)}
	for name, c := range map[string]struct {
		layers    settings.Layers
		key, text string
		to        settings.Source
	}{
		"not a number":             {settings.Layers{}, "max_memories", "lots", settings.Clone},
		"not a word of it":         {settings.Layers{}, "nudge", "sometimes", settings.Team},
		"weights that weigh none":  {settings.Layers{}, "difficulty_weights", "calls=0", settings.Clone},
		"no percentage":            {settings.Layers{}, "context_budget_tokens", "0%", settings.Clone},
		"a negative one":           {settings.Layers{}, "context_budget_tokens", "-1%", settings.Clone},
		"none that rounds to 0":    {settings.Layers{}, "context_budget_tokens", "0.001%", settings.Clone},
		"an infinite one":          {settings.Layers{}, "context_budget_tokens", "inf%", settings.Clone},
		"one of another setting":   {settings.Layers{}, "max_memories", "1%", settings.Clone},
		"a number over the cap":    {settings.Layers{}, "context_budget_tokens", "20000", settings.Clone},
		"another style":            {settings.Layers{}, "context_style", "Full", settings.Clone},
		"the team's files":         {settings.Layers{}, "track_index", "on", settings.Clone},
		"a team lowers trust":      {settings.Layers{}, "trust", "all", settings.Team},
		"a team asks for no more":  {settings.Layers{}, "trust", "mark", settings.Team},
		"lower than what all have": {strict, "trust", "mark", settings.Clone},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.layers.Parse(key(t, c.key), c.text, c.to)
			require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
		})
	}
	_, err := settings.Find("max_memory")
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
}

// TestABudgetCanBeAPercentage of the size of the context, in every order of the layers.
func TestABudgetCanBeAPercentage(t *testing.T) {
	for config, want := range map[string]int{
		`{}`:                                  2000,
		`{"context_budget_tokens":"2%"}`:      4000,
		`{"context_budget_tokens":" 0.25% "}`: 500,
		`{"context_budget_tokens":"0.01%"}`:   200,
		`{"context_budget_tokens":"10%","context_size":1000000}`: 100_000,
		`{"context_budget_tokens":700,"context_size":1000000}`:   700,
		`{"context_budget_tokens":"10%","context_size":-1}`:      20_000,
	} {
		require.Equal(t, want, settings.Layers{Clone: raw(t, config)}.All().ContextBudgetTokens, config)
		require.Equal(t, want, settings.Layers{Team: raw(t, config)}.All().ContextBudgetTokens, config)
	}
	both := settings.Layers{Team: raw(t, `{"context_budget_tokens":"10%"}`), Clone: raw(t, `{"context_size":20000}`)}
	require.Equal(t, 2000, both.All().ContextBudgetTokens)
	both.Clone = raw(t, `{"context_budget_tokens":900}`)
	require.Equal(t, 900, both.All().ContextBudgetTokens, "tokens replace a percentage")

	_, err := settings.Layers{}.Parse(key(t, "context_budget_tokens"), "lots", settings.Clone)
	require.ErrorContains(t, err, "from 200 to 2700, or a percentage of context_size from 0.01% to 100%")
}

// TestOddSettingsAreNamed checks that ignored settings are reported.
func TestOddSettingsAreNamed(t *testing.T) {
	l := settings.Layers{Clone: raw(t, `{"max_memories":-1,"colour":"blue","trust":"all"}`),
		Team: raw(t, `{"trust":"all","token_counting":{}}`)}
	odd := l.Odd("state.json", "config.json")
	require.Len(t, odd, 4)
	require.Contains(t, odd[0], "max_memories")
	require.Contains(t, odd[1], "colour")
	require.Contains(t, odd[2], "state.json: trust all")
	require.Contains(t, odd[3], "config.json: a team setting of trust")
}
