package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	const docs = `"docs":[{"id":"a","topic":"pool","content":"connections ran dry"},` +
		`{"id":"b","topic":"cache","content":"warm it up"}]`
	tests := []struct {
		name, file, want, err string
	}{
		{"right and wrong",
			`{` + docs + `,"queries":[{"q":"dry pool","relevant":["a"]},{"q":"dry pool","relevant":["b"]}]}`,
			"FILE: 2 documents, 2 questions\n" +
				"  kind                  n  recall@1  recall@5 recall@10       MRR   nDCG@10\n" +
				"  all                   2     0.500     0.500     0.500     0.500     0.500\n" +
				"  : \"dry pool\" finds a (0.81), want [b], which is not among the first 10\n", ""},
		{"kinds",
			`{` + docs +
				`,"queries":[{"q":"pool cache dry","relevant":["b"],"kind":"x"},` +
				`{"q":"xyzzyplugh","relevant":[],"kind":"none"},{"q":"pool","relevant":[],"kind":"none"}]}`,
			"FILE: 2 documents, 3 questions\n" +
				"  kind                  n  recall@1  recall@5 recall@10       MRR   nDCG@10\n" +
				"  x                     1     0.000     1.000     1.000     0.500     0.631\n" +
				"  all                   1     0.000     1.000     1.000     0.500     0.631\n" +
				"  without an answer: 2; nothing found for 0.500, nothing of 0.50 or more for 0.500\n", ""},
		{"not JSON", `docs`, "", "not a task"},
		{"no documents", `{"queries":[{"q":"x"}]}`, "", `"docs" is empty or missing`},
		{"no questions", `{` + docs + `}`, "", `"queries" is empty or missing`},
		{"empty question", `{` + docs + `,"queries":[{"q":""}]}`, "", `queries[0]: "q" is empty`},
		{"id twice", `{"docs":[{"id":"a"},{"id":"a"}]}`, "", `docs[1]: id "a" is empty or there twice`},
		{"unknown answer", `{` + docs + `,"queries":[{"q":"x","relevant":["z"]}]}`, "",
			`relevant id "z" is no document`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "task.json")
			require.NoError(t, os.WriteFile(file, []byte(tt.file), 0o600))
			var stdout, stderr bytes.Buffer
			status := run([]string{"-v", file}, &stdout, &stderr)
			if tt.err != "" {
				require.Equal(t, 1, status)
				require.Contains(t, stderr.String(), tt.err)
				require.Contains(t, stderr.String(), file)
				return
			}
			require.Empty(t, stderr.String())
			require.Equal(t, 0, status)
			got := string(bytes.ReplaceAll(stdout.Bytes(), []byte(file), []byte("FILE")))
			if tt.name == "kinds" { // the misses are the same as in the other test
				require.True(t, len(got) > len(tt.want))
				got = got[:len(tt.want)]
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no file", nil, 1, "usage:"},
		{"help", []string{"-h"}, 0, "usage:"},
		{"unknown flag", []string{"-x"}, 1, "not defined"},
		{"missing file", []string{"no-such-file.json"}, 1, "no-such-file.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, tt.status, run(tt.args, &stdout, &stderr))
			require.Contains(t, stderr.String(), tt.want)
			require.Empty(t, stdout.String())
		})
	}
}
