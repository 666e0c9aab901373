package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 0, run([]string{filepath.Join("..", "..", "testdata", "conversation", "own.json")}, &out, &errs))
	require.Empty(t, errs.String())
	for _, part := range []string{"evidence: 0 parts name no turn", "each user: 3 memories, 220 turns",
		"all in one pile: 1 memories, 220 turns", "1 multi-hop", "5 unanswerable", "2000: recall"} {
		require.Contains(t, out.String(), part)
	}
	bad := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte("[1]"), 0o600))
	for _, args := range [][]string{nil, {"-h"}, {"no-such-file.json"}, {bad}} {
		errs.Reset()
		require.Equal(t, 1, run(args, &out, &errs))
		require.NotEmpty(t, errs.String())
	}
}
