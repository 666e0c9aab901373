package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// TestAnOlderMessageEndsNothing that was stated again after it.
func TestAnOlderMessageEndsNothing(t *testing.T) {
	rome := Claim{ID: "c", Text: "I live in Rome", State: Active, Evidence: []Evidence{{At: at(5)}}}
	f := Finding{Text: "Moved away from Rome", Bucket: Profile, Confidence: 0.9, Event: "e", Quote: "moved away",
		Of: &rome, Ended: true}
	for day, refused := range map[int]string{4: "it ends no claim that its quote is about", 6: ""} {
		_, why := Extracted(f, []Event{{ID: "e", Role: User, Text: "I moved away from Rome", Occurred: at(day)}})
		require.Equal(t, refused, why)
	}
}
