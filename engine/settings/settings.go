package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ltm/eviction"
	"ltm/internal/didyoumean"
	"ltm/memory"
	"ltm/priority"
)

// Settings are the configuration of a store, with defaults filled in.
type Settings struct {
	MaxMemories         int // active memories before eviction begins
	MemoriesToLoad      int // memories shown in full when a session starts
	EvictionBatchSize   int // memories reduced at one session's end, at most
	ContextBudgetTokens int // size of the block that a session starts with; more than the client shows, if so asked
	ContextStyle        string
	PromptRecall        bool // add memories to prompts that clearly match them
	EditRecall          bool // tell of the memories that name a file which was edited
	Nudge               bool // ask for a memory when hard work has succeeded
	LearnAliases        bool // keep questions that a memory answered, and find it by them
	PacketDrafts        bool // keep a packet of unfinished work before a compaction
	Candidates          bool // propose memories of what a session's record shows

	TokenNormalizeCap int              // session tokens that count as the hardest work
	PriorityProfile   priority.Profile // how use turns into priority
	DifficultyWeights priority.Weights // how hard work is judged by

	Decay      eviction.Ages // days after which memories that are not opened fade
	FadeFiles  bool          // eviction writes phases into the files
	TrackIndex bool          // index.json is written beside the memories
	StubDays   int           // how long the stub of a memory that was archived stays, in days; 0: always

	contextShare float64 // percentage of contextSize that is the budget; 0: the budget is in tokens
	contextSize  int

	Trust string // what becomes of memories from elsewhere: one of the Trust words
	Sign  string // whether memories are signed: one of the Sign words
}

// HoldsBack reports whether memories from elsewhere are held back. Where the team requires
// signatures, all that have none are from elsewhere.
func (s Settings) HoldsBack() bool {
	return s.Trust == TrustAsk || s.Sign == SignRequire && s.Trust != TrustAll
}

// The words of the setting trust, the weakest first.
const (
	TrustAll  = "all"  // memories are shown alike, wherever they come from
	TrustMark = "mark" // those from elsewhere are marked
	TrustAsk  = "ask"  // those from elsewhere are held back until a person approves them
)

// The words of the setting sign, the weakest first.
const (
	SignOff     = "off"     // nothing is signed
	SignOn      = "on"      // what this clone writes is signed, if the person has a key
	SignRequire = "require" // memories from elsewhere without a valid signature are held back, too
)

// The keys that callers ask for by name.
const (
	keyTrust      = "trust"
	keyTrackIndex = "track_index"
)

// The words of settings that are switches, and of fading.
const (
	switchOn  = "on"
	switchOff = "off"

	fadingView  = "view"
	fadingFiles = "files"
)

// Value is the value of a setting: a whole number, a word, or weights.
type Value struct {
	Number  int
	Word    string   // not empty: one of the words of its key, or what its key parses from text
	Weights *Weights // not nil: weights of a person's own
	Percent float64  // above 0: this many hundredths of another setting
}

// String returns a value as people write it.
func (v Value) String() string {
	switch {
	case v.Weights != nil:
		return v.Weights.String()
	case v.Word != "":
		return v.Word
	case v.Percent > 0:
		return strconv.FormatFloat(v.Percent, 'f', -1, 64) + "%"
	}
	return strconv.Itoa(v.Number)
}

// MarshalJSON implements [json.Marshaler]: the files hold a number, a string or an object.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case v.Weights != nil:
		return json.Marshal(*v.Weights)
	case v.Word != "", v.Percent > 0:
		return json.Marshal(v.String())
	}
	return json.Marshal(v.Number)
}

// Key describes one setting: a whole number within bounds, one of a few words, or what the function other parses.
type Key struct {
	Name    string
	Help    string
	Default Value

	min, max int
	words    []string
	other    func(text string) (Value, bool) // nil: nothing beside the words or numbers
	form     string                          // describes what other parses
	guarded  bool                            // words are ordered; a shared file can only raise the level
	free     bool                            // it is guarded, and a clone's own file can lower it
	team     bool                            // only a shared file can set it
	own      bool                            // no shared file can set it
	older    string                          // the predecessor's name of the key
	apply    func(*Settings, Value)
}

// Keys lists all settings in the order in which people see them.
func Keys() []Key {
	return []Key{
		number("max_memories", "memories in sight before the least important fade at a session's end", 100, 1, 100000,
			func(s *Settings) *int { return &s.MaxMemories }),
		number("memories_to_load",
			"memories that a session's start shows whole; others follow as a line each; 0: no memories", 10, 0, 100,
			func(s *Settings) *int { return &s.MemoriesToLoad }),
		number("eviction_batch_size", "memories that fade by a phase at one session's end, at most", 10, 1, 1000,
			func(s *Settings) *int { return &s.EvictionBatchSize }),
		contextBudget(),
		number("context_size",
			"tokens of the model's context, of which context_budget_tokens can be a percentage", defaultContext, 1000,
			10_000_000, func(s *Settings) *int { return &s.contextSize }),
		{Name: "context_style", Help: "how a session's start shows memories: in full, or compact, as a line each",
			Default: Value{Word: StyleFull}, words: []string{StyleFull, StyleCompact},
			apply: func(s *Settings, v Value) { s.ContextStyle = v.Word }},
		switched("prompt_recall", "add memories to a prompt that clearly matches them", switchOn,
			func(s *Settings) *bool { return &s.PromptRecall }),
		switched("edit_recall", "tell a session that edits a file which memories speak of it, once", switchOn,
			func(s *Settings) *bool { return &s.EditRecall }),
		switched("nudge", "ask once for a memory when hard work has succeeded and nothing was stored", switchOn,
			func(s *Settings) *bool { return &s.Nudge }),
		switched("packet_drafts", "keep a draft of a session's unfinished work by itself", switchOn,
			func(s *Settings) *bool { return &s.PacketDrafts }),
		switched("candidates", "propose memories of what a session's record shows", switchOn,
			func(s *Settings) *bool { return &s.Candidates }),
		{Name: "learn_aliases", Help: "keep a question asked in vain as an alias of the memory that answered it",
			Default: Value{Word: switchOn}, words: []string{switchOff, switchOn}, own: true, // as the aliases are
			apply: func(s *Settings, v Value) { s.LearnAliases = v.Word == switchOn }},
		{Name: "token_normalize_cap", Help: "tokens of a session that count as the hardest work",
			Default: Value{Number: 100000}, min: 1000, max: 100000000, older: "token_counting.normalize_cap",
			apply: func(s *Settings, v Value) { s.TokenNormalizeCap = v.Number }},
		{Name: "priority_profile", Help: "how the use of a memory turns into its priority: balanced, or classic as " +
			"the predecessor has it", Default: Value{Word: priority.BalancedProfile}, words: priority.ProfileNames(),
			apply: func(s *Settings, v Value) { s.PriorityProfile, _ = priority.ProfileOf(v.Word) }},
		difficultyWeights(),
		{Name: "fading", Help: "where memories fade: in the view of each clone, or in the files that all share",
			Default: Value{Word: fadingView}, words: []string{fadingView, fadingFiles}, team: true,
			apply: func(s *Settings, v Value) { s.FadeFiles = v.Word == fadingFiles }},
		decay(),
		number("stub_days",
			"days after which the stub of an archived memory is removed, at the end of a session; 0: never", 180, 0,
			100000,
			func(s *Settings) *int { return &s.StubDays }),
		{Name: keyTrackIndex, Help: "write index.json beside the memories, for other programs; git tracks it",
			Default: Value{Word: switchOff}, words: []string{switchOff, switchOn}, team: true,
			apply: func(s *Settings, v Value) { s.TrackIndex = v.Word == switchOn }},
		// It is guarded: one person who shares a repository must not be able to weaken it for the others.
		{Name: keyTrust, Help: "memories that were not written in this clone: mark them, ask a person first, or " +
			"treat all alike",
			Default: Value{Word: TrustMark}, words: []string{TrustAll, TrustMark, TrustAsk}, guarded: true,
			apply: func(s *Settings, v Value) { s.Trust = v.Word }},
		// A team can only require signatures. A clone that signs less weakens nothing in it.
		{Name: "sign", Help: "sign what this clone writes, if there is a key; require: hold back memories from " +
			"elsewhere that have no valid signature",
			Default: Value{Word: SignOn}, words: []string{SignOff, SignOn, SignRequire}, guarded: true, free: true,
			apply: func(s *Settings, v Value) { s.Sign = v.Word }},
	}
}

func number(name, help string, fallback, least, most int, field func(*Settings) *int) Key {
	return Key{Name: name, Help: help, Default: Value{Number: fallback}, min: least, max: most,
		apply: func(s *Settings, v Value) { *field(s) = v.Number }}
}

func switched(name, help, fallback string, field func(*Settings) *bool) Key {
	return Key{Name: name, Help: help, Default: Value{Word: fallback}, words: []string{switchOff, switchOn},
		apply: func(s *Settings, v Value) { *field(s) = v.Word == switchOn }}
}

// Find returns the key of that name. The error about an unknown one lists the known ones.
func Find(name string) (Key, error) {
	var known []string
	for _, k := range Keys() {
		if k.Name == name {
			return k, nil
		}
		known = append(known, k.Name)
	}
	allowed := "allowed: " + strings.Join(known, ", ")
	if near := didyoumean.To(name, known); len(near) > 0 {
		allowed = fmt.Sprintf("did you mean %q? ", near[0]) + allowed
	}
	return Key{}, memory.NewError(memory.CodeInvalid, memory.KindSettingUnknown, name, "there is no setting %q; %s",
		name, allowed)
}

// parse parses a value as people write it, and reports whether it is allowed.
func (k Key) parse(text string) (Value, bool) {
	text = strings.TrimSpace(text)
	switch {
	case slices.Contains(k.words, text):
		return Value{Word: text}, true
	case k.other != nil:
		if v, ok := k.other(text); ok || k.words != nil {
			return v, ok
		}
	case k.words != nil:
		return Value{}, false
	}
	n, err := strconv.Atoi(text)
	return Value{Number: n}, err == nil && n >= k.min && n <= k.max
}

// decode parses a value from a file, and reports whether it is allowed.
func (k Key) decode(raw json.RawMessage) (Value, bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return k.parse(text)
}

// level returns the rank of a guarded setting's word, the weakest first; -1 if it is unknown.
func (k Key) level(v Value) int { return slices.Index(k.words, v.Word) }

func (k Key) allowed() string {
	switch {
	case k.other != nil && k.words != nil:
		return k.Name + " is one of " + strings.Join(k.words, ", ") + ", or " + k.form
	case k.words != nil:
		return k.Name + " is one of " + strings.Join(k.words, ", ")
	}
	text := fmt.Sprintf("%s takes a whole number from %d to %d", k.Name, k.min, k.max)
	if k.other != nil {
		text += ", or " + k.form
	}
	return text
}

// Words returns example values: all words of a setting, or the default of a number.
func (k Key) Words() []string {
	if k.words != nil {
		return slices.Clone(k.words)
	}
	return []string{k.Default.String()}
}
