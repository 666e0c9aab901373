package safe_test

import (
	"strings"
	"testing"

	"ltm/text/safe"
)

// BenchmarkText converts a text of the maximum content size. The start of a session converts ten
// memories, and the worst input comes from a hostile repository.
func BenchmarkText(b *testing.B) {
	const size = 256 << 10
	for name, text := range map[string]string{
		"plain": "plain text of a memory\n", "code": "if a < b { List<T> } ", "Chinese": "连接池已耗尽。",
		"Persian": "می\u200cخواهم ", "emoji": "👩\u200d💻", "brackets": "<", "tags": "<system-reminder>",
		"letters that are brackets": "ᐸ---", "marks of a model": "<|a", "hidden": "\u200b\U000e0101",
	} {
		text = strings.Repeat(text, size/len(text))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				safe.Text(text)
			}
		})
	}
}
