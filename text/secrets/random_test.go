package secrets_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// TestRandomValues limits how many generated values are missed because they happen to read like words or to repeat
// themselves.
func TestRandomValues(t *testing.T) {
	const (
		runs   = 2000
		lower  = "abcdefghijklmnopqrstuvwxyz"
		upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		digits = "0123456789"
	)
	for _, tt := range []struct {
		name, before, alphabet string
		size, missed           int // at most, of runs
	}{
		{"16 hexadecimal digits", "API_TOKEN=", digits + "abcdef", 16, 50},
		{"32 hexadecimal digits", "API_TOKEN=", digits + "abcdef", 32, 0},
		{"16 letters and digits", "API_TOKEN=", lower + upper + digits, 16, 40},
		{"32 letters and digits", "API_TOKEN=", lower + upper + digits, 32, 4},
		{"20 small letters and digits", "API_TOKEN=", lower + digits, 20, 100},
		{"40 of base64", "client_secret: ", lower + upper + digits + "+/", 40, 2},
		{"a password of 12", "DB_PASSWORD=", lower + upper + digits, 12, 60},
		{"a GitHub token", "ghp" + "_", lower + upper + digits, 36, 4},
		{"an AWS key", "AK" + "IA", upper + digits, 16, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			random, missed := rand.New(rand.NewSource(1)), 0
			value := make([]byte, tt.size)
			for range runs {
				for i := range value {
					value[i] = tt.alphabet[random.Intn(len(tt.alphabet))]
				}
				if len(secrets.Find(tt.before+string(value))) == 0 {
					missed++
				}
			}
			t.Log("missed", missed, "of", runs)
			require.LessOrEqual(t, missed, tt.missed)
		})
	}
}
