package transcript_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// resultLine returns the line of a result with this content.
func resultLine(content string) string {
	return fmt.Sprintf(`{"type":"user","isSidechain":false,"uuid":"u","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":%s}]}}`+"\n", content)
}

func TestResultChars(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    int
	}{
		"nothing":           {`""`, 0},
		"null":              {`null`, 0},
		"letters":           {`"hello"`, 5},
		"letters of others": {`"schön 設定"`, 8},
		"escapes":           {`"a\nb\t\"c\"\\d\u00e9"`, 10},
		"a list":            {`[{"type":"text","text":"one"},{"type":"text","text":"two\n"}]`, 7},
		"an image": {`[{"type":"image","source":{"type":"base64","data":"` + strings.Repeat("A", 1000) +
			`"}},{"type":"text","text":"seen"}]`, 4},
		"too much": {`"` + strings.Repeat("x", 200_000) + `"`, transcript.MaxResult},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, read(t, resultLine(c.content)).Main.ResultChars)
		})
	}
	require.Equal(t, 100+2, transcript.Counts{OutputTokens: 100, ResultChars: 7}.Tokens())
}

func TestToolTokens(t *testing.T) {
	for name, c := range map[string]struct {
		input, response string
		chars           int
	}{
		"nothing": {``, ``, 0},
		"a command": {`{"command":"ls"}`, `{"stdout":"a\nb","stderr":"no","interrupted":false,"isImage":false}`,
			16 + 3 + 2},
		"a text":   {`{}`, `"{\"id\":1}"`, 2 + 8},
		"an error": {`{}`, `"Exit code 1"`, 2 + 11},
		"blocks":   {`{}`, `[{"type":"text","text":"done"}]`, 2 + 4 + 4},
		"an edit": {`{"a":1}`, `{"filePath":"/a","originalFile":"` + strings.Repeat("x", 50_000) +
			`","structuredPatch":[]}`, 7 + 110},
		"a notebook": {`{}`, `{"new_source":"` + strings.Repeat("x", 200) + `","original_file":"` +
			strings.Repeat("x", 50_000) + `","updated_file":"x"}`, 2 + 110},
		"a picture": {`{}`, `{"type":"image","file":{"base64":"` + strings.Repeat("A", 50_000) +
			`","type":"image/png","originalSize":37500}}`, 2 + 5 + 9},
		"a picture among blocks": {`{}`, `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` +
			strings.Repeat("A", 50_000) + `"}},{"type":"text","text":"seen"}]`, 2 + 5 + 6 + 9 + 4 + 4},
		"an output that was saved": {`{}`, `{"stdout":"` + strings.Repeat("x", 30_000) + `","stderr":"",` +
			`"persistedOutputPath":"/a","persistedOutputSize":80000}`, 2 + 2280},
		"an output of the longest": {`{}`, `{"stdout":"` + strings.Repeat("x", 30_000) + `","stderr":""}`, 2 + 30_000},
		"a read": {`{}`, `{"type":"text","file":{"filePath":"/a","content":"12345678","numLines":1}}`,
			2 + 4 + 2 + 8},
		"a large one": {`{}`, `{"stdout":"` + strings.Repeat("x", 500_000) + `"}`, 2 + transcript.MaxResult},
		"deep":        {`{}`, strings.Repeat("[", 1000) + strings.Repeat("]", 1000), 2},
		"truncated":   {`{}`, `{"stdout":"a`, 2},
		"not JSON":    {`{}`, `oops`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, int(float64(c.chars)/3.5), transcript.ToolTokens([]byte(c.input), []byte(c.response)))
		})
	}
	require.Equal(t, 651, transcript.LongTokens())
}

// FuzzToolTokens checks that the estimate is bounded, and that for a string it equals the
// transcript's.
func FuzzToolTokens(f *testing.F) {
	f.Fuzz(func(t *testing.T, input, response string) {
		n := transcript.ToolTokens([]byte(input), []byte(response))
		require.GreaterOrEqual(t, n, 0)
		require.LessOrEqual(t, n, (len(input)+transcript.MaxResult)*2/7+1)
		text, err := json.Marshal(response)
		require.NoError(t, err)
		of := transcript.ToolTokens(nil, text)
		require.Equal(t, of, read(t, resultLine(string(text))).Main.Tokens())
	})
}
