package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{"": "", "there is no memory x": "There is no memory x.",
		"mem_00000001 is gone": "mem_00000001 is gone.", "It was so!": "It was so!", "état": "État.",
		"ltm ui --allow-host NAME adds one": "ltm ui --allow-host NAME adds one."} {
		require.Equal(t, want, sentence(text))
	}
}
