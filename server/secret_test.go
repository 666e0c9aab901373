package server_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

func TestNewToken(t *testing.T) {
	legal := regexp.MustCompile(`^ltms_[0-9A-Za-z]{48}$`)
	seen, digits := map[string]bool{}, map[rune]int{}
	const tokens = 2000
	for range tokens {
		token, err := server.NewToken(rand.Reader)
		require.NoError(t, err)
		require.Regexp(t, legal, token)
		require.False(t, seen[token])
		seen[token] = true
		for _, d := range strings.TrimPrefix(token, "ltms_") {
			digits[d]++
		}
	}
	// A byte modulo 62 would give the first eight digits a quarter more than the others.
	mean := tokens * 48 / 62
	require.Len(t, digits, 62)
	for d, n := range digits {
		require.InDelta(t, mean, n, float64(mean)/6, "digit %c", d)
	}
	_, err := server.NewToken(bytes.NewReader(make([]byte, 10)))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestNewTokenSkipsUnfairBytes(t *testing.T) {
	random := append(bytes.Repeat([]byte{0xff, 248, 249}, 16), bytes.Repeat([]byte{61}, 48)...)
	token, err := server.NewToken(bytes.NewReader(random))
	require.NoError(t, err)
	require.Equal(t, "ltms_"+strings.Repeat("z", 48), token)
}

func TestNewKey(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		key, err := server.NewKey(rand.Reader)
		require.NoError(t, err)
		require.Regexp(t, `^ltmk_[0-9A-Za-z]{43}$`, key)
		require.False(t, seen[key])
		seen[key] = true
	}
	key, err := server.NewKey(bytes.NewReader(make([]byte, 10)))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Empty(t, key)
}

func TestUserCode(t *testing.T) {
	for _, c := range []struct {
		typed, want string
		ok          bool
	}{
		{"BCDF-GHJK", "BCDFGHJK", true},
		{" bcdf ghjk ", "BCDFGHJK", true},
		{"bcdfghjk", "BCDFGHJK", true},
		{"BCDF-GHJ", "", false},
		{"BCDF-GHJKL", "", false},
		{"ABCD-EFGH", "", false}, // has vowels
		{"BCDF-GHJ1", "", false},
		{"", "", false},
		{"ВCDF-GHJK", "", false}, // a Cyrillic letter
	} {
		code, ok := server.UserCode(c.typed)
		require.Equal(t, c.ok, ok, c.typed)
		if ok {
			require.Equal(t, c.want, code)
			require.Equal(t, "BCDF-GHJK", server.ShowUserCode(code))
		}
	}
}
