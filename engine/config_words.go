package engine

import (
	"fmt"
	"slices"
)

// SettingWords returns what a setting can be, as far as that can be listed: its words, or
// the default of a number. Of a key that does not exist there is nothing.
func SettingWords(key string) []string {
	for _, k := range settings() {
		switch {
		case k.key != key:
		case k.words != nil:
			return slices.Clone(k.words)
		default:
			return []string{fmt.Sprint(k.fallback)}
		}
	}
	return nil
}
