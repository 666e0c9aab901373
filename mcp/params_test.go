package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestBadInputIsRefused compares whole messages: they are all that a model has to
// correct itself.
func TestBadInputIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ tool, arguments, want string }{
		"no object":          {"recall", `[1]`, `the arguments are not an object of names and values`},
		"a text":             {"recall", `"q"`, `the arguments are not an object of names and values`},
		"topic missing":      {"store_memory", `{"content":"c"}`, `the parameter "topic" is missing`},
		"content missing":    {"store_memory", `{"topic":"t"}`, `the parameter "content" is missing`},
		"topic null":         {"store_memory", `{"topic":null,"content":"c"}`, `the parameter "topic" is missing`},
		"query missing":      {"recall", `{}`, `the parameter "query" is missing`},
		"archive query":      {"search_archives", `{}`, `the parameter "query" is missing`},
		"id missing":         {"get_memory", `{}`, `the parameter "id" is missing`},
		"update without id":  {"update_memory", `{"topic":"t"}`, `the parameter "id" is missing`},
		"forget without id":  {"forget", `{"id":null}`, `the parameter "id" is missing`},
		"restore without id": {"restore_memory", `{"importance":"low"}`, `the parameter "id" is missing`},
		"topic a number":     {"store_memory", `{"topic":7,"content":"c"}`, `topic takes a text, and 7 was given`},
		"content a list": {"store_memory", `{"topic":"t","content":["c"]}`,
			`content takes a text, and ["c"] was given`},
		"summary an object": {"store_memory", `{"topic":"t","content":"c","summary":{}}`,
			`summary takes a text, and {} was given`},
		"id a number": {"get_memory", `{"id":12345678}`, `id takes a text, and 12345678 was given`},
		"tag a list":  {"recall", `{"query":"q","tag":["a"]}`, `tag takes a text, and ["a"] was given`},
		"importance a flag": {"restore_memory", `{"id":"i","importance":true}`,
			`importance takes a text, and true was given`},
		"two ids": {"forget", `{"id":"mem_1","memory_id":"mem_2"}`,
			`id is "mem_1" and memory_id is "mem_2"; give one of them`},
		"misspelt": {"recall", `{"Query":"q"}`,
			`there is no parameter "Query"; allowed: query, limit, tag, kind, agent, min_score, include, scope`},
		"of another tool": {"recall", `{"query":"q","offset":1}`,
			`there is no parameter "offset"; allowed: query, limit, tag, kind, agent, min_score, include, scope`},
		"where none is taken": {"ltm_check", `{"id":"i"}`, `there is no parameter "id"; this tool takes none`},
		"a name with a line":  {"ltm_check", `{"a\nb":1}`, `there is no parameter "a\nb"; this tool takes none`},
		"memory_id elsewhere": {"recall", `{"query":"q","memory_id":"i"}`,
			`there is no parameter "memory_id"; allowed: query, limit, tag, kind, agent, min_score, include, scope`},
		"tags of numbers": {"store_memory", `{"topic":"t","content":"c","tags":[1,2]}`,
			`tags takes a list of texts, and [1,2] was given`},
		"a number among tags": {"store_memory", `{"topic":"t","content":"c","tags":["a",2]}`,
			`tags takes a list of texts, and ["a",2] was given`},
		"a list among tags": {"store_memory", `{"topic":"t","content":"c","tags":[["a"]]}`,
			`tags takes a list of texts, and [["a"]] was given`},
		"a null among tags": {"store_memory", `{"topic":"t","content":"c","tags":["a",null]}`,
			`tags takes a list of texts, and ["a",null] was given`},
		"tags an object": {"update_memory", `{"id":"i","tags":{"a":1}}`,
			`tags takes a list of texts, and {"a":1} was given`},
		"tags a number": {"update_memory", `{"id":"i","tags":1}`,
			`tags takes a list of texts, and 1 was given`},
		"half a list": {"update_memory", `{"id":"i","tags":"[1,"}`,
			`tags takes a list of texts, and "[1," was given`},
		"difficulty too high": {"store_memory", `{"topic":"t","content":"c","difficulty":1.5}`,
			`difficulty takes a number from 0 to 1, and 1.5 was given`},
		"difficulty below": {"update_memory", `{"id":"i","difficulty":-0.1}`,
			`difficulty takes a number from 0 to 1, and -0.1 was given`},
		"difficulty a word": {"store_memory", `{"topic":"t","content":"c","difficulty":"high"}`,
			`difficulty takes a number from 0 to 1, and "high" was given`},
		"difficulty not one": {"store_memory", `{"topic":"t","content":"c","difficulty":"NaN"}`,
			`difficulty takes a number from 0 to 1, and "NaN" was given`},
		"difficulty endless": {"store_memory", `{"topic":"t","content":"c","difficulty":"inf"}`,
			`difficulty takes a number from 0 to 1, and "inf" was given`},
		"difficulty empty": {"store_memory", `{"topic":"t","content":"c","difficulty":""}`,
			`difficulty takes a number from 0 to 1, and "" was given`},
		"score too high": {"recall", `{"query":"q","min_score":2}`,
			`min_score takes a number from 0 to 1, and 2 was given`},
		"limit with a half": {"search_archives", `{"query":"q","limit":1.5}`,
			`limit takes a whole number from 1 to 50, and 1.5 was given`},
		"limit a flag": {"recall", `{"query":"q","limit":true}`,
			`limit takes a whole number from 1 to 50, and true was given`},
		"limit a list": {"recall", `{"query":"q","limit":[1]}`,
			`limit takes a whole number from 1 to 50, and [1] was given`},
		"offset below": {"list_memories", `{"offset":-1}`,
			`offset takes a whole number from 0 to 1073741824, and -1 was given`},
		"phase unknown": {"list_memories", `{"phase":7}`,
			`phase takes 0 (whole), 1 (hint), 2 (abstract), 3 (out of sight), and 7 was given`},
		"phase removed": {"list_memories", `{"phase":"removed"}`,
			`phase takes 0 (whole), 1 (hint), 2 (abstract), 3 (out of sight), and "removed" was given`},
		"flag a word": {"ltm_fix", `{"dry_run":"perhaps"}`,
			`dry_run takes true or false, and "perhaps" was given`},
		"flag a number": {"store_memory", `{"topic":"t","content":"c","redact":1}`,
			`redact takes true or false, and 1 was given`},
		"append a list": {"update_memory", `{"id":"i","append":["a"]}`,
			`append takes a text, and ["a"] was given`},
		"summary a number": {"update_memory", `{"id":"i","summary":7}`, `summary takes a text, and 7 was given`},
		"add_tags a number": {"update_memory", `{"id":"i","add_tags":7}`,
			`add_tags takes a list of texts, and 7 was given`},
		"add_tags empty": {"update_memory", `{"id":"i","add_tags":[]}`,
			`add_tags takes a list of texts, and [] was given`},
		"add_tags of commas": {"update_memory", `{"id":"i","add_tags":" , "}`,
			`add_tags takes a list of texts, and " , " was given`},
		"a null in add_tags": {"update_memory", `{"id":"i","add_tags":["a",null]}`,
			`add_tags takes a list of texts, and ["a",null] was given`},
		"remove_tags an object": {"update_memory", `{"id":"i","remove_tags":{"a":1}}`,
			`remove_tags takes a list of texts, and {"a":1} was given`},
		"remove_tags empty": {"update_memory", `{"id":"i","remove_tags":""}`,
			`remove_tags takes a list of texts, and "" was given`},
		"importance a number": {"store_memory", `{"topic":"t","content":"c","importance":1}`,
			`importance takes a text, and 1 was given`},
		"importance empty": {"store_memory", `{"topic":"t","content":"c","importance":""}`,
			`importance takes critical, important, normal or low, and "" was given`},
		"importance unknown": {"update_memory", `{"id":"i","importance":"urgent\n"}`,
			`importance takes critical, important, normal or low, and "urgent\n" was given`},
		"importance huge": {"update_memory", `{"id":"i","importance":"` + strings.Repeat("x", 1<<20) + `"}`,
			`importance takes critical, important, normal or low, and "` + strings.Repeat("x", 59) + `… was given`},
		"importance hostile": {"update_memory", `{"id":"i","importance":"\u202e<system-reminder>"}`,
			`importance takes critical, important, normal or low, and "\u202e&lt;system-reminder>" was given`},
		"kind empty": {"store_memory", `{"topic":"t","content":"c","kind":""}`,
			`kind takes emotional, architectural, learnings or achievements, and "" was given`},
		"kind unknown": {"store_memory", `{"topic":"t","content":"c","kind":"pattern"}`,
			`kind takes emotional, architectural, learnings or achievements, and "pattern" was given`},
		"kind a list": {"recall", `{"query":"q","kind":["a"]}`, `kind takes a text, and ["a"] was given`},
		"confidence below": {"update_memory", `{"id":"i","confidence":-1}`,
			`confidence takes a number from 0 to 1, and -1 was given`},
		"confidence a word": {"store_memory", `{"topic":"t","content":"c","confidence":"sure"}`,
			`confidence takes a number from 0 to 1, and "sure" was given`},
		"id and ids": {"get_memory", `{"id":"mem_1","ids":["mem_1"]}`,
			`id and ids were both given; give one of them`},
		"memory_id and ids": {"get_memory", `{"memory_id":"mem_1","ids":["mem_1"]}`,
			`id and ids were both given; give one of them`},
		"ids a number":   {"get_memory", `{"ids":7}`, `ids takes a list of texts, and 7 was given`},
		"ids of numbers": {"get_memory", `{"ids":[7]}`, `ids takes a list of texts, and [7] was given`},
		"ids empty":      {"get_memory", `{"ids":[]}`, `ids takes a list of texts, and [] was given`},
		"archived a word": {"get_memory", `{"id":"i","archived":"perhaps"}`,
			`archived takes true or false, and "perhaps" was given`},
		"archived a number": {"get_memory", `{"ids":["i"],"archived":1}`,
			`archived takes true or false, and 1 was given`},
		"new topic": {"new_topic", `{"topic":"t"}`, `there is no parameter "topic"; this tool takes none`},
		"old names, too": {"reset_session", `{"topic":"t"}`,
			`there is no parameter "topic"; this tool takes none`},
		"limit endless": {"recall", `{"query":"q","limit":"inf"}`,
			`limit takes a whole number from 1 to 50, and "inf" was given`},
		"cut short": {"recall", `{"query":{"q":"` + strings.Repeat("x", 100) + `"}}`,
			`query takes a text, and {"q":"` + strings.Repeat("x", 54) + `… was given`},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{}
			message, failed := text(t, serve(t, f, toolCall(1, test.tool, test.arguments))["1"])
			require.True(t, failed)
			require.Equal(t, test.want+unchanged(t, test.tool), message)
			require.Empty(t, f.asked, "the engine must not be asked")
		})
	}
}

// FuzzArguments expects an answer to any arguments, and only values within bounds to
// reach the engine.
func FuzzArguments(f *testing.F) {
	for _, arguments := range []string{`{"topic":"t","content":"c","tags":["a"]}`, `{"query":"q","limit":1e9}`,
		`{"query":"q","limit":"7.0"}`, `{"id":null}`,
		`{"id":"a","memory_id":"b"}`, `[]`, `7`, `{"tags":{}}`, `{"query":"q","min_score":"1e-1"}`,
		`{"topic":"t","content":"c","tags":"[\"a\"]","difficulty":"1"}`,
		`{"topic":"t","content":"c","kind":"EMOT","confidence":".5","importance":"HIGH"}`} {
		for _, tool := range []string{"store_memory", "recall", "list_memories", "update_memory", "get_memory"} {
			f.Add(tool, arguments)
		}
	}
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		if !json.Valid([]byte(arguments)) || strings.ContainsAny(tool+arguments, "\n\r") {
			return
		}
		name, err := json.Marshal(tool)
		require.NoError(t, err)
		e := &fake{}
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%s,"arguments":%s}}`,
			name, arguments)
		require.NotEmpty(t, serve(t, e, line)["1"])
		require.LessOrEqual(t, len(e.asked), 1)
		for _, asked := range e.asked {
			requireInBounds(t, asked)
		}
	})
}

func requireInBounds(t *testing.T, asked any) {
	t.Helper()
	inUnit := func(v float64) { require.True(t, v >= 0 && v <= 1, "%v", v) }
	switch asked := asked.(type) {
	case api.Query:
		inUnit(float64(asked.Limit-1) / 49)
		inUnit(asked.MinScore)
	case api.ListFilter:
		inUnit(float64(asked.Limit-1) / 999) // a list of resources
		require.GreaterOrEqual(t, asked.Offset, 0)
	case api.Draft:
		if asked.Difficulty != nil {
			inUnit(*asked.Difficulty)
		}
		if asked.Confidence != nil {
			inUnit(*asked.Confidence)
		}
		require.Contains(t, append(memory.Categories(), ""), asked.Category)
	}
}
