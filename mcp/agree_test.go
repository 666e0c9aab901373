package mcp_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"

	"ltm/mcp"
	"ltm/tests/golden"
)

// property is the schema of a parameter.
type property struct {
	Type, Description string
	Enum              []string
	Items             struct{ Type string }
	Default           any
	Minimum, Maximum  *float64
}

type inputSchema struct {
	Type       string
	Properties map[string]property
	Required   []string
	names      []string // in the order of the schema
}

func parseSchema(t *testing.T, raw json.RawMessage) (s inputSchema) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields() // a keyword that nothing here compares
	require.NoError(t, d.Decode(&s), "%s", raw)
	var ordered struct{ Properties json.RawMessage }
	require.NoError(t, json.Unmarshal(raw, &ordered))
	d = json.NewDecoder(bytes.NewReader(ordered.Properties))
	_, err := d.Token()
	for require.NoError(t, err); d.More(); {
		name, err := d.Token()
		require.NoError(t, err)
		s.names = append(s.names, name.(string))
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
	}
	return s
}

// TestSchemasAndDecodersAgree checks every parameter of every tool: values that the
// schema allows reach the engine, and any other value is refused with a message that
// says what is allowed.
func TestSchemasAndDecodersAgree(t *testing.T) {
	schemas := mcp.Schemas(&fake{}, packets{})
	require.NotEmpty(t, schemas)
	for tool, raw := range schemas {
		s := parseSchema(t, raw)
		require.Equal(t, "object", s.Type)
		given := map[string]any{}
		for _, name := range s.Required {
			require.Contains(t, s.names, name)
			given[name] = "some text"
		}
		for _, name := range s.names {
			given := maps.Clone(given)
			if tool == "get_memory" && name == "archived" {
				given["id"] = "some text" // required without ids
			}
			if tool == "review_candidates" && !strings.HasPrefix(s.Properties[name].Description, "ids") {
				given["accept"] = "some text" // the others are about the one that is accepted
			}
			t.Run(tool+" "+name, func(t *testing.T) { requireAgreement(t, tool, name, s.Properties[name], given) })
		}
		t.Run(tool+" required", func(t *testing.T) { requireRequired(t, tool, s, given) })
		allowed := "this tool takes none"
		if len(s.names) > 0 {
			allowed = "allowed: " + strings.Join(s.names, ", ")
		}
		given["no_such"] = 1
		_, refusal := ask(t, tool, given)
		require.Equal(t, `there is no parameter "no_such"; `+allowed+unchanged(t, tool), refusal)
	}
}

func requireRequired(t *testing.T, tool string, s inputSchema, given map[string]any) {
	t.Helper()
	required := s.Required
	if tool == "get_memory" {
		required = []string{"id"}
	} else {
		_, refusal := ask(t, tool, given)
		require.Empty(t, refusal, "what the schema requires is enough")
	}
	for _, name := range required {
		given := maps.Clone(given)
		delete(given, name)
		_, refusal := ask(t, tool, given)
		require.Equal(t, fmt.Sprintf("the parameter %q is missing%s", name, unchanged(t, tool)), refusal)
	}
}

// requireAgreement calls a tool with values for one parameter, besides those given.
func requireAgreement(t *testing.T, tool, name string, p property, given map[string]any) {
	t.Helper()
	with := func(value any) ([]any, string) {
		given := maps.Clone(given)
		given[name] = value
		return ask(t, tool, given)
	}
	without, _ := ask(t, tool, given)
	values, others, allowed := valuesOf(t, name, p)
	reaches := false
	for _, value := range values {
		asked, refusal := with(value)
		require.Empty(t, refusal, "%v", value)
		require.Len(t, asked, 1)
		reaches = reaches || !reflect.DeepEqual(without, asked)
	}
	require.True(t, reaches, "no value makes a difference to the engine")
	for _, value := range others {
		if _, list := value.([]string); list && strings.HasPrefix(p.Description, "ids") {
			continue // a list is accepted, although the schema does not say so
		}
		asked, refusal := with(value)
		shown, err := json.Marshal(value)
		require.NoError(t, err)
		takes := allowed
		if _, text := value.(string); len(p.Enum) > 0 && !text {
			takes = "a text"
		}
		want := fmt.Sprintf("%s takes %s, and %s was given%s", name, takes, shown, unchanged(t, tool))
		require.Equal(t, want, refusal)
		require.Empty(t, asked)
	}
	if p.Default != nil {
		asked, _ := with(p.Default)
		require.Equal(t, without, asked, "the default")
	}
	if least, most, ok := rangeIn(p); ok {
		for outside, nearest := range map[int]int{least - 1: least, -7: least, most + 1: most, 1 << 40: most} {
			moved, _ := with(outside)
			asked, _ := with(nearest)
			require.Equal(t, asked, moved, "%d is moved to %d", outside, nearest)
		}
	}
}

// valuesOf returns values that a schema allows, values that it does not, and what their
// refusal says is allowed. The order of the cases matters.
func valuesOf(t *testing.T, name string, p property) (values, others []any, allowed string) {
	t.Helper()
	least, most, ranged := rangeIn(p)
	switch {
	case len(p.Enum) > 0:
		for _, word := range p.Enum {
			values = append(values, word, strings.ToUpper(word))
		}
		last := len(p.Enum) - 1
		return values, []any{"no such", 7, true}, strings.Join(p.Enum[:last], ", ") + " or " + p.Enum[last]
	case p.Type == "string":
		return []any{"other text"}, []any{7, true, []string{"a"}, map[string]any{}}, "a text"
	case p.Type == "boolean":
		return []any{true, false, "true"}, []any{"perhaps", 1, []bool{true}}, "true or false"
	case p.Type == "array" && p.Items.Type == "object":
		item := map[string]any{}
		for field := range strings.SplitSeq(fieldsOf(p), ", ") {
			name, value, _ := strings.Cut(field, ": ")
			value = cmp.Or(strings.FieldsFunc(value+" ", func(r rune) bool { return r == '|' || r == ' ' })...)
			if item[name] = cmp.Or(value, "some text"); value == "true" {
				item[name] = true
			}
			if optional, ok := strings.CutSuffix(name, "?"); ok {
				item[optional] = item[name]
				delete(item, name)
			}
		}
		list, err := json.Marshal([]any{item})
		require.NoError(t, err)
		return []any{[]any{item}, string(list)}, []any{7, true, "x", map[string]any{}}, "a list of objects"
	case p.Type == "array":
		require.Equal(t, "string", p.Items.Type)
		return []any{[]string{"a", "b"}, "a"}, []any{7, true, []int{7}, []any{"a", nil}}, "a list of texts"
	case p.Type == "number":
		return []any{*p.Minimum, *p.Maximum, 0.5, "0.5"}, []any{*p.Minimum - 0.1, *p.Maximum + 0.1, "x", true},
			fmt.Sprintf("a number from %v to %v", *p.Minimum, *p.Maximum)
	case p.Type == "integer" && ranged:
		return []any{least, most, strconv.Itoa(most)}, []any{1.5, "x", true},
			fmt.Sprintf("a whole number from %d to %d", least, most)
	case p.Type == "integer" && p.Minimum != nil:
		require.Equal(t, "offset", name, "a bound that only the message names")
		return []any{*p.Minimum, 7, 1 << 30}, []any{*p.Minimum - 1, 1.5, 1<<30 + 1, "x"},
			fmt.Sprintf("a whole number from %v to %d", *p.Minimum, 1<<30)
	case p.Type == "integer":
		phases := regexp.MustCompile(`(\d) ([a-z ]+)`).FindAllStringSubmatch(p.Description, -1)
		require.NotEmpty(t, phases, "the values of %s", name)
		for _, phase := range phases {
			number, err := strconv.Atoi(phase[1])
			require.NoError(t, err)
			values = append(values, number, phase[2])
		}
		return values, []any{len(phases), -1, 0.5, "x", true}, memory.PhaseNames
	}
	t.Fatalf("%s has the type %q", name, p.Type)
	return nil, nil, ""
}

// fieldsOf returns what a description says of the objects in a list.
func fieldsOf(p property) string {
	_, fields, _ := strings.Cut(p.Description, "{")
	fields, _, _ = strings.Cut(fields, "}")
	return fields
}

// rangeIn returns the range that the description of an integer gives.
func rangeIn(p property) (least, most int, ok bool) {
	m := regexp.MustCompile(`(\d+) to (\d+)`).FindStringSubmatch(p.Description)
	if p.Type != "integer" || m == nil {
		return 0, math.MaxInt, false
	}
	least, _ = strconv.Atoi(m[1])
	most, _ = strconv.Atoi(m[2])
	return least, most, true
}

// ask calls a tool and returns what reaches the engine, or the refusal.
func ask(t *testing.T, tool string, given map[string]any) (asked []any, refusal string) {
	t.Helper()
	arguments, err := json.Marshal(given)
	require.NoError(t, err)
	e := &fake{}
	message, failed := text(t, serve(t, e, toolCall(1, tool, string(arguments)))["1"])
	if failed {
		refusal = message
	}
	return e.asked, refusal
}

// unchanged ends the refusals of the tools that write.
func unchanged(t *testing.T, tool string) string {
	reading := golden.FindSurface(t).ToolNames(t, " (reads)")
	if slices.Contains(append(reading, "get_memory", "search_archives"), tool) {
		return ""
	}
	return "; nothing was changed"
}
