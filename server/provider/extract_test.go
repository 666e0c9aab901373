package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

func buckets() []string { return []string{"PROFILE", "GOALS"} }

func events() []provider.Event {
	return []provider.Event{{ID: "e-one", User: true, Text: "My name is Ada."}, {ID: "e-two", Text: "Hello Ada!"},
		{ID: "e-blank", User: true, Text: " "}, {ID: "e-three", User: true, Text: forged}}
}

// good is an item of an answer from which a claim is made.
const good = `{"text":"The user's name is Ada.","bucket":"PROFILE","confidence":0.9,"events":[1]}`

func goodClaim() provider.Claim {
	return provider.Claim{Text: "The user's name is Ada.", Bucket: "PROFILE", Confidence: 0.9,
		Events: []string{"e-one"}}
}

func extract(t *testing.T, answer string) (provider.Extraction, error) {
	t.Helper()
	c, _ := client(t, newEndpoint(t, replies(answer)), nil)
	return c.Extract(t.Context(), "app", events(), nil, buckets())
}

func TestWhatIsAskedOfExtraction(t *testing.T) {
	e := newEndpoint(t, replies("[]"))
	c, _ := client(t, e, nil)
	got, err := c.Extract(t.Context(), "app", events(), nil, buckets())
	require.NoError(t, err)
	require.Equal(t, provider.Extraction{Model: "tiny"}, got)
	s := sentTo(t, e)
	require.Contains(t, s.Messages[0].Content, "The buckets: PROFILE, GOALS.")
	require.Equal(t, []string{"User 1:", "Assistant:", "User 2:"}, ownLines(s.Messages[1].Content))
	require.NotContains(t, e.requests()[0].body, "e-one", "ids stay here")
}

func TestOneBadItemDoesNotCostTheOthers(t *testing.T) {
	item := func(change, to string) string { return strings.Replace(good, change, to, 1) }
	token := "ghp_" + "x7Gq2LmZ9vKpR4tWc8YbN3sHd6JfE1aUoQiT"
	bad := map[string]string{
		`"likes tea"`:                          "not an object",
		`["likes tea"]`:                        "not an object",
		`null`:                                 "not an object",
		`{}`:                                   "no text or no bucket",
		item(`"The user's name is Ada."`, `7`): "not as texts",
		item(`"PROFILE"`, `["PROFILE"]`):       "not as texts",
		item(`The user's name is Ada.`, `\u200b`): "blank",
		item(`name`, strings.Repeat("x", 600)):    "longer than 500",
		item(`Ada`, `[redacted]`):                 "about a credential",
		item(`Ada`, token):                        "about a credential",
		item(`PROFILE`, `SECRETS`):                "was not asked for",
		item(`PROFILE`, `profile`):                "was not asked for",
		item(`0.9`, `"high"`):                     "not a number",
		item(`0.9`, `"0.9"`):                      "not a number",
		item(`0.9`, `null`):                       "not a number",
		item(`0.9`, `1e999`):                      "not a number",
		item(`,"confidence":0.9`, ``):             "not a number",
		item(`[1]`, `[]`):                         "no message",
		item(`[1]`, `1`):                          "no message",
		item(`[1]`, `[0,3,-1,1.5,"e-two",null]`):  "no message",
		item(`,"events":[1]`, ``):                 "no message",
	}
	for answer, reason := range bad {
		t.Run(reason+" "+answer[:min(len(answer), 40)], func(t *testing.T) {
			other := strings.Replace(good, "Ada", "Eve", 1)
			got, err := extract(t, "["+good+","+answer+","+other+"]")
			require.NoError(t, err)
			require.Len(t, got.Claims, 2)
			require.Equal(t, goodClaim(), got.Claims[0])
			require.Len(t, got.Dropped, 1)
			require.Contains(t, got.Dropped[0], "item 2: ")
			require.Contains(t, got.Dropped[0], reason)
		})
	}
}

func TestConfidenceAndEvidence(t *testing.T) {
	for written, want := range map[string]float64{"0": 0, "1": 1, "0.25": 0.25, "-3": 0, "95": 1, "1e300": 1} {
		got, err := extract(t, "["+strings.Replace(good, "0.9", written, 1)+"]")
		require.NoError(t, err)
		require.InDelta(t, want, got.Claims[0].Confidence, 0)
	}
	for written, want := range map[string][]string{
		`[2,1]`:             {"e-one", "e-three"},
		`[1,1,"2",99]`:      {"e-one", "e-three"},
		`["e-one",2,"two"]`: {"e-three"},
	} {
		got, err := extract(t, "["+strings.Replace(good, "[1]", written, 1)+"]")
		require.NoError(t, err)
		require.Equal(t, want, got.Claims[0].Events)
	}
}

func TestFormsOfAnAnswer(t *testing.T) {
	tests := map[string]struct {
		answer string
		claims int
	}{
		"a list":                 {"[" + good + "]", 1},
		"an empty list":          {"[]", 0},
		"a fence":                {"```json\n[" + good + "]\n```", 1},
		"an object":              {`{"claims":[` + good + `]}`, 1},
		"words around":           {"Here [as asked] is the list:\n[" + good + "]\nAnything else [y/n]?", 1},
		"thoughts before":        {"<think>[1,2]</think>[" + good + "]", 1},
		"broken off in an item":  {"[" + good + `,{"text":"The us`, 1},
		"broken off after one":   {"[" + good + ",", 1},
		"broken off at the end":  {"[" + good, 1},
		"garbled after one":      {"[" + good + " what]", 1},
		"brackets in a text":     {"[" + strings.Replace(good, "Ada", "] [ Ada", 1) + "]", 1},
		"more than are taken in": {"[" + many(40) + "]", 32},
		"more than are read":     {"[" + many(100) + "]", 32},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := extract(t, tt.answer)
			require.NoError(t, err)
			require.Len(t, got.Claims, tt.claims)
		})
	}
	for _, answer := range []string{"I cannot help with that.", "{}", "[", "[[[[[[[[[[[[", "[oops", `[{"text":"x`} {
		_, err := extract(t, answer)
		require.Equal(t, provider.BadAnswer, provider.KindOf(err), answer)
	}
}

// many returns items with different texts.
func many(n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = strings.Replace(good, "Ada", fmt.Sprintf("Ada%d", i), 1)
	}
	return strings.Join(items, ",")
}

func TestAnswerThatTheLimitEnded(t *testing.T) {
	c, _ := client(t, newEndpoint(t, says(200, replyBody("["+good+"]", "length"))), nil)
	got, err := c.Extract(t.Context(), "app", events(), nil, buckets())
	require.NoError(t, err)
	require.Equal(t, []provider.Claim{goodClaim()}, got.Claims)
}

func TestNothingToExtractFrom(t *testing.T) {
	e := newEndpoint(t, replies("[]"))
	c, _ := client(t, e, nil)
	got, err := c.Extract(t.Context(), "app", []provider.Event{{ID: "a", Text: "hello"}}, nil, buckets())
	require.NoError(t, err)
	require.Empty(t, got.Claims)
	bad := map[string]struct {
		events  []provider.Event
		buckets []string
	}{
		"not 0":              {nil, buckets()},
		"not 101":            {make([]provider.Event, 101), buckets()},
		"1 to 32 buckets":    {events(), nil},
		"a bucket's name":    {events(), []string{"A\nB"}},
		"longer than 104857": {[]provider.Event{{User: true, Text: strings.Repeat("x", 2<<20)}}, buckets()},
	}
	for says, tt := range bad {
		_, err := c.Extract(t.Context(), "app", tt.events, nil, tt.buckets)
		require.Equal(t, provider.BadInput, provider.KindOf(err))
		require.ErrorContains(t, err, says)
	}
	_, err = c.Extract(t.Context(), "", events(), nil, buckets())
	require.ErrorContains(t, err, "the app must be named")
	require.Empty(t, e.requests())
}

// TestWhatAClaimIsOf: a model names what it is told by numbers, and whatever else it names is none of it.
func TestWhatAClaimIsOf(t *testing.T) {
	item := func(op, claim string) string {
		return strings.Replace(good, `{`, `{"op":`+op+`,"claim":`+claim+`,"quote":"name  is\nAda",`, 1)
	}
	holds := []provider.Holding{{ID: "h-one", Text: "The user's name is Eve."}, {ID: "h-two", Text: forged}}
	for answer, want := range map[string]provider.Claim{
		item(`"update"`, `1`):   {Of: "h-one"},
		item(`"update"`, `"2"`): {Of: "h-two"},
		item(`"end"`, `1`):      {Of: "h-one", Ended: true},
		item(`"add"`, `1`):      {}, item(`""`, `1`): {}, item(`"update"`, `0`): {}, item(`"update"`, `3`): {},
		item(`"update"`, `"h-one"`): {}, item(`"update"`, `[1]`): {},
		item(`"update"`, `null`): {}, item(`"update"`, `1.5`): {},
	} {
		e := newEndpoint(t, replies("["+answer+"]"))
		c, _ := client(t, e, nil)
		got, err := c.Extract(t.Context(), "app", events(), holds, buckets())
		require.NoError(t, err)
		want.Text, want.Bucket, want.Confidence, want.Events, want.Quote = "The user's name is Ada.", "PROFILE", 0.9,
			[]string{"e-one"}, "name is Ada"
		require.Equal(t, []provider.Claim{want}, got.Claims, answer)
		own := ownLines(sentTo(t, e).Messages[1].Content)
		require.Equal(t, []string{"Claim 1 holds:", "Claim 2 holds:", "User 1:", "Assistant:", "User 2:"}, own)
		require.NotContains(t, e.requests()[0].body, "h-one", "ids stay here")
	}
	for answer, reason := range map[string]string{
		item(`"end"`, `9`): "ends no claim", item(`"end"`, `"h-one"`): "ends no claim", item(`"drop"`, `1`): "neither adds",
		item(`["end"]`, `1`): "not as texts",
	} {
		c, _ := client(t, newEndpoint(t, replies("["+answer+"]")), nil)
		got, err := c.Extract(t.Context(), "app", events(), holds, buckets())
		require.NoError(t, err)
		require.Empty(t, got.Claims)
		require.Contains(t, got.Dropped[0], reason)
	}
	c, _ := client(t, newEndpoint(t, replies("[]")), nil)
	_, err := c.Extract(t.Context(), "app", events(), make([]provider.Holding, 101), buckets())
	require.Equal(t, provider.BadInput, provider.KindOf(err))
}
