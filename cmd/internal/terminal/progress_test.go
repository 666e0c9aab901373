package terminal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

// TestProgress waits for the line itself, not for a time.
func TestProgress(t *testing.T) {
	lines := make(lineWriter)
	done := terminal.Progress(lines, "ltm: reading", 0, time.Millisecond)
	require.Equal(t, "\rltm: reading, 0 s", <-lines)
	go done()
	for text := range lines {
		if text == "\r"+strings.Repeat(" ", len("ltm: reading, 0 s")+1)+"\r" {
			break
		}
		require.Equal(t, "\rltm: reading, 0 s", text)
	}
	done()

	var quick bytes.Buffer
	terminal.Progress(&quick, "reading", time.Hour, time.Hour)()
	require.Empty(t, quick.String())
}

type lineWriter chan string

func (w lineWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}
