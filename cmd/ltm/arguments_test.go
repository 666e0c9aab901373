package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMissingAndSurplusArguments calls commands with too few and too many arguments: the
// message says what is missing or what is too much, and points to the help.
func TestMissingAndSurplusArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"show"}, `ltm show needs the id of a memory; see "ltm help show"`},
		{[]string{"update"}, `ltm update needs the id of a memory`},
		{[]string{"forget", "--hard"}, `ltm forget needs the id of a memory`},
		{[]string{"remember"}, `ltm remember needs a topic`},
		{[]string{"recall"}, `ltm recall needs a question`},
		{[]string{"tag", "add"}, `ltm tag add needs a tag and the id of a memory`},
		{[]string{"tag", "rm", "draft"}, `ltm tag rm needs the id of a memory`},
		{[]string{"tag", "rename", "golang"}, `ltm tag rename needs the new name of the tag`},
		{[]string{"why", "1a2b", "3c4d"}, `ltm why takes one argument, and "3c4d" is a second one`},
		{[]string{"remember", "a", "b", "c d"},
			`ltm remember takes at most 2 arguments, and "c d" is one too many; see "ltm help remember"`},
		{[]string{"status", "now"}, `ltm status takes no arguments, and "now" is one`},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), c.args, strings.NewReader(""), &out, &errs, func(string) string { return "" })
		require.Equal(t, exitInvalid, status, "%v", c.args)
		require.Contains(t, errs.String(), "ltm: "+c.want, "%v", c.args)
	}
}
