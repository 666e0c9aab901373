package packet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// BenchmarkParse reads packets of several sizes, and 1 MB of what is not one.
func BenchmarkParse(b *testing.B) {
	const megabyte = packet.MaxStoredBytes
	text := string(vector(b, "valid/v02-grows-when-stored.json"))
	fill := func(s, end string, unit string) []byte {
		return []byte(s + strings.Repeat(unit, (megabyte-len(s)-len(end))/len(unit)) + end)
	}
	for name, data := range map[string][]byte{
		"full":              vector(b, "valid/v02-full.json"),
		"32 KB":             vector(b, "valid/v02-size-limit.json"),
		"1 MB of space":     fill(text, "", " "),
		"1 MB of text":      fill(`{"goal":"`, `"}`, "é"),
		"1 MB of escapes":   fill(`{"goal":"`, `"}`, `\u00e9`),
		"1 MB of long keys": fill("{", `"":0}`, `"`+strings.Repeat("k", 100)+`":0,`),
		"1 MB of values":    fill(`{"tags":[`, "0]}", "0,"),
		"1 MB of brackets":  fill("", "", "["),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = packet.ParseStored(data)
			}
		})
	}
}

// BenchmarkCanonical writes a full packet.
func BenchmarkCanonical(b *testing.B) {
	p := parsed(b, "valid/v02-string-limits.json")
	b.ReportAllocs()
	for b.Loop() {
		_, err := p.Canonical()
		require.NoError(b, err)
	}
}
