package clients

import (
	"slices"
	"strings"
)

// Client is one agent.
type Client struct {
	Name  string // as --client takes it
	Title string // for people

	// Events are those that ltm handles, in the order of a session. An event that is not among them is not registered.
	Events []Event

	// Fields are the client's names of the fields of a payload that are not named as by Claude Code.
	Fields map[string][]string

	// Sources are the client's words for how a session began, where Claude Code has another.
	Sources map[string]string

	// Keys are fields that the payloads of this client alone have.
	Keys []string

	// DirVariable names its own directory, which is Dir below the person's home if that is not set.
	DirVariable, Dir string

	// Records is the directory with its records of sessions, below its own. Record is the form of their paths, as in
	// [path.Match], from their end. Noted is the path of one, with * for the session, where payloads do not say it.
	Records, Record, Noted string

	// Memories is what it remembers by itself, of all projects.
	Memories Memories

	// Variable is set in the environment of its hooks, and inherited by other clients that it starts.
	Variable string

	// Failure is the field of a response that only a failed call has, or "".
	Failure string

	// Answer is the form of a hook's answer.
	Answer Answer

	// Summary reports that it adds what a hook prints before a compaction to the instructions for the summary.
	Summary bool

	// MaxContext is the length of a context that reaches the model whole, in bytes; 0: more than ltm ever writes.
	MaxContext int

	// Wrapper is the element in which it puts contexts. A prompt may begin with one.
	Wrapper string

	Setup Setup
}

// Memories is what a client remembers by itself. Paths are below its own directory.
type Memories struct {
	Form string // the form of ltm's imports that it has
	Path string // what ltm can import
	File string // is there if there is anything
	Mark string // that the file then has; "": any text
}

// Event is an event of a client.
type Event struct {
	Name    string // the client's
	As      string // Claude Code's, by which ltm knows it
	Seconds int    // that the client waits for the hook
}

// Answer is the form in which a client reads what a hook adds to the model's context.
type Answer int

// The forms of answers.
const (
	Specific Answer = iota // hookSpecificOutput.additionalContext, and no field beside it
	Top                    // additionalContext
	Snake                  // additional_context
)

// All returns the clients, Claude Code last: what says nothing else is its own.
func All() []Client {
	return []Client{codex(), vscode(), copilot(), gemini(), qwen(), opencode(), kilo(), cursor(), proceed(), Claude()}
}

// Names returns the names of all clients.
func Names() []string {
	var names []string
	for _, c := range All() {
		names = append(names, c.Name)
	}
	return names
}

// Named returns the client of a name.
func Named(name string) (Client, bool) {
	all := All()
	i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return Client{}, false
	}
	return all[i], true
}

// Introduced returns the client that calls itself so where it talks to servers, as "codex-mcp-client", or "".
func Introduced(as string) string {
	all := Names()
	if i := slices.IndexFunc(all, func(name string) bool { return strings.HasPrefix(as, name) }); i >= 0 {
		return all[i]
	}
	return ""
}

// EventOf returns Claude Code's name of an event, which may be given by any client's, in any case and with hyphens.
func EventOf(name string) (string, bool) {
	folded := fold(name)
	for _, c := range slices.Backward(All()) {
		for _, e := range c.Events {
			if fold(e.Name) == folded {
				return e.As, true
			}
		}
	}
	return "", false
}

func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "")) }

// event returns the client's name of an event.
func (c Client) event(as string) string {
	i := slices.IndexFunc(c.Events, func(e Event) bool { return e.As == as })
	if i < 0 {
		return as
	}
	return c.Events[i].Name
}

// events returns events that are named as by Claude Code.
func events(seconds int, names ...string) []Event {
	var all []Event
	for _, name := range names {
		all = append(all, Event{name, name, seconds})
	}
	return all
}
