package conveval_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFiles prints the figures of the files that are named behind -args.
func TestFiles(t *testing.T) {
	for _, name := range flag.Args() {
		require.NoError(t, evaluate(name, os.Stdout), name)
	}
}

func evaluate(name string, w io.Writer) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	set, err := Parse(data)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n  evidence: %d parts name no turn, %d were mended; %d questions have none left\n",
		name, set.Malformed, set.Mended, set.Without); err != nil {
		return err
	}
	if err := Measure(set, false).Print(w, "each user", set.Categories); err != nil {
		return err
	}
	return Measure(set, true).Print(w, "all in one pile", set.Categories)
}

func TestEvaluate(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, evaluate(filepath.Join("..", "..", "testdata", "conversation", "own.json"), &out))
	for _, part := range []string{"evidence: 0 parts name no turn", "each user: 3 memories, 220 turns",
		"all in one pile: 1 memories, 220 turns", "1 multi-hop", "5 unanswerable", "2000: recall"} {
		require.Contains(t, out.String(), part)
	}
	require.ErrorIs(t, evaluate("no-such-file.json", &out), os.ErrNotExist)
}
