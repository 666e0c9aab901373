package packet_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// document returns docs/packets.md.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "packets.md"))
	require.NoError(t, err)
	return string(text)
}

// TestDocumentedExample reads the packet of docs/packets.md, and writes the block below it.
func TestDocumentedExample(t *testing.T) {
	m := regexp.MustCompile("(?s)\n```json\n(.*?)\n```\n.*?\n```\n(.*?)\n```\n").FindStringSubmatch(document(t))
	require.NotNil(t, m)
	p, err := packet.Parse([]byte(m[1]))
	require.NoError(t, err)
	require.Equal(t, compact(t, []byte(m[1])), canonical(t, &p))
	require.Equal(t, p.Version, p.Lowest())
	require.Equal(t, packet.Resume(&p, packet.ResumeOptions{}).Text, m[2])
}

// TestEveryFieldAndFaultIsDocumented compares the tables with a packet that has every field, and with
// the kinds of faults.
func TestEveryFieldAndFaultIsDocumented(t *testing.T) {
	text := document(t)
	fields := map[string]bool{"decisions[].locked": true} // the only field that is not a text
	p := parsed(t, "valid/v02-full.json")
	for _, leaf := range p.Texts() {
		name := regexp.MustCompile(`/\d+`).ReplaceAllString(leaf.Path[1:], "[]")
		fields[strings.ReplaceAll(name, "/", ".")] = true
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (R|0\\.2)? ?\\| ").FindAllStringSubmatch(text, -1) {
		listed[m[1]] = true
	}
	require.Equal(t, fields, listed)

	_, faults, _ := strings.Cut(text, "## What ltm refuses")
	for _, kind := range packet.Kinds() {
		require.Regexp(t, "(?m)^\\| .*`"+string(kind)+"`.* \\| [^ ]", faults)
	}
}
