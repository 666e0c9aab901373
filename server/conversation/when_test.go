package conversation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

func TestWhen(t *testing.T) {
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC) // a Wednesday
	for question, want := range map[string]string{
		"What happened yesterday?":     "2026-03-03 2026-03-04",
		"and the day before yesterday": "2026-03-02 2026-03-03",
		"what did I say today":         "2026-03-04 2026-03-05",
		"what happened last week?":     "2026-02-23 2026-03-02",
		"this week?":                   "2026-03-02 2026-03-09",
		"in the last 3 days":           "2026-03-01 2026-03-05",
		"over the past two weeks":      "2026-02-18 2026-03-05",
		"What was last month?":         "2026-02-01 2026-03-01",
		"last year":                    "2025-01-01 2026-01-01",
		"On Monday?":                   "2026-03-02 2026-03-03",
		"what about last Wednesday":    "2026-02-25 2026-02-26",
		"which of them in June":        "2025-06-01 2025-07-01",
		"in June 2024":                 "2024-06-01 2024-07-01",
		"on June 5th, 2024":            "2024-06-05 2024-06-06",
		"on 5 February":                "2026-02-05 2026-02-06",
		"in March":                     "2026-03-01 2026-04-01",
		"in May, was it?":              "2025-05-01 2025-06-01",
		"in 2024":                      "2024-01-01 2025-01-01",
		"3 days ago":                   "2026-03-01 2026-03-02",
		"a week ago":                   "2026-02-22 2026-03-01",
		"two months ago":               "2025-12-20 2026-01-20",
		"on 2026-01-31?":               "2026-01-31 2026-02-01",
		"May I ask?":                   "",
		"we march home":                "",
		"what is next week?":           "",
		"next Monday":                  "",
		"I have 2024 stamps":           "",
		"who is my last boss?":         "",
		"this is it":                   "",
		"What was it like every Friday, or next month?": "",
		"Was geschah gestern?":                          "",
	} {
		got := ""
		if found := When(question, now); found != nil {
			got = found[0].From.Format(time.DateOnly) + " " + found[0].To.Format(time.DateOnly)
		}
		require.Equal(t, want, got, question)
	}
}

func TestOverview(t *testing.T) {
	now := at(0)
	for _, question := range []string{"What do you know about me?", "who am I?", "Tell me about the user",
		"what happened last week?", "What did I say on Monday?", "Was weißt du über mich?", "Que sais-tu de moi ?",
		"What have you learned about me in June 2025?"} {
		require.True(t, Overview(question, now), question)
	}
	for _, question := range []string{"what are my hobbies?", "Where does the user live?", "What is new?",
		"Who are you?", "What do you know about tulips?", "lol", "", "I love my dog"} {
		require.False(t, Overview(question, now), question)
	}
}
