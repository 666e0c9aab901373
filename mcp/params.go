package mcp

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
)

// param is one parameter of a tool. The schema that clients see and the decoding of
// calls both come from it, so they cannot differ.
type param struct {
	name     string
	also     string // another accepted name, which the schema omits
	required bool
	about    string // the description
	kind
}

// kind is the type of a parameter, bound to the variable that its value is decoded into.
type kind struct {
	schema string // its keywords in the JSON schema

	// set decodes a value that is not null. Its error completes a sentence that starts with the parameter's name.
	set func(given json.RawMessage) error
}

// memoryID is the parameter for the id of a memory.
func memoryID(to *string) param {
	return param{name: "id", also: "memory_id", required: true, about: "mem_ and 8 hex digits", kind: text(to)}
}

// schema returns the JSON schema of a tool's arguments.
func schema(all []param) json.RawMessage {
	var properties, required []string
	for _, p := range all {
		property := strconv.Quote(p.name) + ":{" + p.schema
		if p.about != "" {
			about, _ := json.Marshal(p.about) // cannot fail for a string
			property += `,"description":` + string(about)
		}
		properties = append(properties, property+"}")
		if p.required {
			required = append(required, strconv.Quote(p.name))
		}
	}
	out := `{"type":"object","properties":{` + strings.Join(properties, ",") + "}"
	if len(required) > 0 {
		out += `,"required":[` + strings.Join(required, ",") + "]"
	}
	return json.RawMessage(out + "}")
}

// decode stores the arguments of a call in the variables of its parameters. A null argument counts as omitted. An
// unknown name is reported before a missing one, because it often is the missing one, misspelled.
func decode(all []param, arguments any) error {
	given, err := object(arguments)
	if err != nil {
		return err
	}
	names, missing := []string{}, ""
	for _, p := range all {
		names = append(names, p.name)
		value, ok, err := p.take(given)
		if err != nil {
			return err
		}
		if !ok && p.required && missing == "" {
			missing = p.name
		}
		if !ok {
			continue
		}
		if err := p.set(value); err != nil {
			return invalid("%s %v", p.name, err)
		}
	}
	if len(given) > 0 {
		allowed := "this tool takes none"
		if len(names) > 0 {
			allowed = "allowed: " + strings.Join(names, ", ")
		}
		unknown := slices.Min(slices.Collect(maps.Keys(given)))
		return invalid("there is no parameter %s; %s", shown(quoted(unknown)), allowed)
	}
	if missing != "" {
		return missingParam(missing)
	}
	return nil
}

// object returns the arguments by name, without nulls.
func object(arguments any) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if arguments == nil {
		return given, nil
	}
	data, ok := arguments.(json.RawMessage)
	if !ok {
		var err error
		if data, err = json.Marshal(arguments); err != nil {
			return nil, invalid("the arguments cannot be read: %v", err)
		}
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, invalid("the arguments are not an object of names and values")
	}
	maps.DeleteFunc(given, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	return given, nil
}

// take removes the parameter's value from the given arguments and returns it.
func (p param) take(given map[string]json.RawMessage) (value json.RawMessage, ok bool, err error) {
	value, ok = given[p.name]
	delete(given, p.name)
	other, also := given[p.also]
	if p.also == "" || !also {
		return value, ok, nil
	}
	delete(given, p.also)
	if ok && string(value) != string(other) {
		return nil, false, invalid("%s is %s and %s is %s; give one of them",
			p.name, shown(value), p.also, shown(other))
	}
	return other, true, nil
}

func invalid(format string, args ...any) error {
	return memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, "", format, args...)
}

func missingParam(name string) error { return invalid("the parameter %q is missing", name) }

// quoted returns a text as a quoted string on one line.
func quoted(s string) json.RawMessage { return json.RawMessage(strconv.Quote(s)) }

// shown returns a JSON value, shortened to fit a message.
func shown(raw json.RawMessage) string {
	const most = 60
	s := []rune(string(raw))
	if len(s) > most {
		return string(s[:most]) + "…"
	}
	return string(s)
}
