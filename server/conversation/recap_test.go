package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

func TestRecap(t *testing.T) {
	for text, want := range map[string]bool{
		"Give me a summary, please.": true, "Where were we?": true, "can you RECAP that": true, "Catch me up!": true,
		"please continue the code": false, "a summarily executed plan": false, "what is my dog called?": false,
		"": false,
	} {
		require.Equal(t, want, Recap(text, ""), text)
	}
	require.False(t, Recap("summary", "de"))
}
