package clients

// Setup says what sets a project up for a client. Paths are from the project's directory; empty: there is none.
type Setup struct {
	Server  Server
	Hooks   string // the file with hooks
	Form    HookForm
	Context string // the file with instructions for the model
	Skills  string // the directory of skills
	Plugin  string // the file of a plugin in JavaScript

	Program string   // the client's own, on the PATH
	Trust   Trust    // where it notes that the person trusts a project
	Then    []string // what the person does after it
	Lacks   []string // what the client does not let ltm do
	NotRun  bool     // its files follow its documentation: ltm was not seen to run in it
}

// Trust is where a client notes what the person trusts.
type Trust struct {
	File    string // below its own directory; quotes the paths of trusted directories
	Yes, No string // regular expressions of what follows the quoted path of a directory that is trusted, or is not
	Review  Review // what tells whether the person accepted the hooks
}

// Review is a program that tells which hooks of a directory the person has accepted; without arguments, there is none:
// hooks need not be accepted.
type Review struct {
	Args    []string // of the client's own program
	Request func(dir string) string

	// Answer reads a line of what the program writes. ok reports whether it lists ltm's hooks. waiting are the events
	// of those that do not run.
	Answer func(line []byte) (waiting []string, ok bool)
}

// Server is how a client starts the server.
type Server struct {
	Path  string
	Key   string // of the object with the servers; "": the file is not JSON
	Value string // JSON, or the text to add
}

// HookForm is how hooks stand in their file.
type HookForm int

// The forms of hooks.
const (
	Groups       HookForm = iota // as by Claude Code, in groups, with a time limit in seconds
	Milliseconds                 // the same, with a time limit in milliseconds
	Shells                       // a command for each of two shells
	Flat                         // the command alone
)

// plainServer is the server as most clients describe it.
const plainServer = `{"command":"ltm","args":["mcp"]}`

func (c Client) with(s Setup) Client {
	c.Setup = s
	return c
}

// Hook is a hook to register: the client's name of the event, and its value in the list of that event.
type Hook struct {
	Event   string
	Command string
	Value   any
}

// shellHook is a hook in the forms that have a command for a shell.
type shellHook struct {
	Type       string `json:"type,omitempty"`
	Command    string `json:"command,omitempty"`
	Windows    string `json:"commandWindows,omitempty"`
	Bash       string `json:"bash,omitempty"`
	Powershell string `json:"powershell,omitempty"`
	Timeout    int    `json:"timeout,omitempty"`
	TimeoutSec int    `json:"timeoutSec,omitempty"`
}

type hookGroup struct {
	Hooks []shellHook `json:"hooks"`
}

// Hooks returns the hooks to register. prefix precedes the program in a command for a POSIX shell.
func (c Client) Hooks(prefix string) []Hook {
	var all []Hook
	for _, e := range c.Events {
		plain := "ltm hook " + e.Name + " --client " + c.Name
		command := prefix + plain
		var value any
		switch c.Setup.Form {
		case Shells:
			value = shellHook{Type: "command", Bash: command, Powershell: plain, TimeoutSec: e.Seconds}
		case Flat:
			value = shellHook{Command: command, Timeout: e.Seconds}
		case Milliseconds:
			value = hookGroup{[]shellHook{{Type: "command", Command: command, Timeout: 1000 * e.Seconds}}}
		default:
			value = hookGroup{[]shellHook{{Type: "command", Command: command, Windows: plain, Timeout: e.Seconds}}}
		}
		all = append(all, Hook{e.Name, command, value})
	}
	return all
}
