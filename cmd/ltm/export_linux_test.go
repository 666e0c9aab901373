package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnExportOnATerminal has characters that terminals act on or do not show. The document says the same.
func TestAnExportOnATerminal(t *testing.T) {
	p := newProject(t)
	p.run("", "remember", "Pool", "The pool is small.")
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, ".claude/ltm/memories/mem_0000000a.md"),
		[]byte(memoryFile("Odd", "a\u009bb\u202ec\u200bd\x7fe\U000e0041f ü 世")), 0o644))
	shown, plain := p.onTerminal(200, nil, "export", "-"), p.run("", "export", "-")
	require.Contains(t, shown, `a\u009bb\u202ec\u200bd\u007fe\udb40\udc41f ü 世`)
	require.Contains(t, plain, "a\u009bb", "elsewhere it has the bytes")
	var onTerminal, inFile any
	require.NoError(t, json.Unmarshal([]byte(shown), &onTerminal))
	require.NoError(t, json.Unmarshal([]byte(plain), &inFile))
	require.Equal(t, inFile, onTerminal)
}
