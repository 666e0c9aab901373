package settings

import (
	"strconv"
	"strings"

	"ltm/eviction"
)

// human is the named value of the setting decay.
const human = "human"

// maxDecayDays bounds the days of the setting decay.
const maxDecayDays = 36500

// decay is the setting for fading by age. A shared file cannot set it: it would make memories
// fade in every clone that does not open them.
func decay() Key {
	return Key{
		Name: "decay", Help: "memories that were not opened for so many days lose a phase at a session's end: days " +
			"for low, normal and important ones, human (1,7,30), or off",
		Default: Value{Word: switchOff}, words: []string{switchOff, human},
		other: parseDecay, form: "days for low, normal and important memories like 1,7,30, each from 1 to " +
			strconv.Itoa(maxDecayDays) + ", none below the one before",
		own: true,
		apply: func(s *Settings, v Value) {
			switch v.Word {
			case switchOff:
				s.Decay = eviction.Ages{}
			case human:
				s.Decay = eviction.HumanAges()
			default:
				s.Decay, _ = agesOf(v.Word)
			}
		},
	}
}

// parseDecay parses days as people write them.
func parseDecay(text string) (Value, bool) {
	ages, ok := agesOf(text)
	days := []string{strconv.Itoa(ages.Low), strconv.Itoa(ages.Normal), strconv.Itoa(ages.Important)}
	return Value{Word: strings.Join(days, ",")}, ok
}

// agesOf parses LOW,NORMAL,IMPORTANT.
func agesOf(text string) (eviction.Ages, bool) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return eviction.Ages{}, false
	}
	var days [3]int
	least := 1
	for i, part := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < least || n > maxDecayDays {
			return eviction.Ages{}, false
		}
		days[i], least = n, n
	}
	return eviction.Ages{Low: days[0], Normal: days[1], Important: days[2]}, true
}
