package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ltm/clients"
	"ltm/setup"
)

// otherClients checks the clients beside Claude Code that are installed, or set up in the project. None of this fails:
// a team's other members may use them.
func (d *doctor) otherClients(ctx context.Context) []finding {
	var all []finding
	for _, c := range clients.All() {
		if c.Name == clients.Claude().Name {
			continue
		}
		files, program := setup.Registered(d.project, c), onPath(c.Setup.Program)
		if len(files) == 0 && program == "" {
			continue
		}
		f := d.otherClient(ctx, c, files, program)
		f.Check = c.Name
		all = append(all, f)
	}
	return all
}

// othersAlone is what is found of Claude Code where other clients are set up, and it is not.
const othersAlone = "not registered for Claude Code; other clients are set up here"

// hasOthers reports whether clients beside Claude Code are set up in the project.
func (d *doctor) hasOthers() bool {
	return slices.ContainsFunc(clients.All(), func(c clients.Client) bool {
		return c.Name != clients.Claude().Name && len(setup.Registered(d.project, c)) > 0
	})
}

func (d *doctor) otherClient(ctx context.Context, c clients.Client, files []string, program string) finding {
	again := "ltm init --" + clientFlag + " " + c.Name
	if len(files) == 0 {
		return finding{State: stateOK, Found: c.Title + " is installed, and not set up here", Do: again}
	}
	text := c.Title + " is set up in " + strings.Join(files, ", ")
	if c.Setup.NotRun {
		text += "; ltm was not tried with it, and follows its documentation"
	}
	for _, lacks := range c.Setup.Lacks {
		text += "; " + lacks
	}
	for _, file := range []string{c.Setup.Server.Path, c.Setup.Hooks, c.Setup.Plugin} {
		if file != "" && !slices.Contains(files, file) {
			return warn(text+"; "+file+" has nothing of ltm", again)
		}
	}
	then := strings.Join(c.Setup.Then, "; ")
	trusts := d.trusts(c)
	switch {
	case onPath("ltm") == "":
		return warn(text+"; it starts ltm, which is not on the PATH", "put ltm on the PATH")
	case program == "":
		return fine(text + "; it is not installed on this machine")
	case trusts == trustUnknown:
		return warn(text+"; whether it trusts the project is not known", then)
	case trusts == trustNone:
		return warn(text+"; it does not trust the project yet", then)
	}
	switch waiting, known := d.waiting(ctx, c.Setup.Trust.Review, program); {
	case !known:
		return warn(text+"; whether its hooks are accepted is not known", then)
	case len(waiting) > 0:
		return warn(text+"; hooks that do not run, because they are not accepted: "+strings.Join(waiting, ", "), then)
	}
	return fine(text)
}

// waiting returns the events of ltm's hooks that do not run until the person accepts them, as far as the client tells.
func (d *doctor) waiting(ctx context.Context, r clients.Review, program string) (events []string, known bool) {
	if r.Args == nil {
		return nil, true
	}
	_, _ = d.converse(ctx, r.Request(d.project), func(line []byte) (bool, error) {
		events, known = r.Answer(line)
		return known, nil
	}, program, r.Args...)
	return events, known
}

// clientTrust is whether a client trusts a project.
type clientTrust int

const (
	trustUnknown clientTrust = iota // what is noted cannot be told
	trustNone
	trustGiven
)

// trusts returns whether a client notes that the person trusts the project.
func (d *doctor) trusts(c clients.Client) clientTrust {
	t := c.Setup.Trust
	if t.File == "" {
		return trustGiven
	}
	data, err := os.ReadFile(filepath.Join(d.a.env().ClientDir(c), t.File))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return trustUnknown
	}
	for at, last := d.project, ""; at != last; at, last = filepath.Dir(at), at {
		if after, noted := behind(string(data), at); noted {
			return judged(t, after) // the nearest directory that is noted decides
		}
	}
	return trustNone
}

// judged reads what follows a path.
func judged(t clients.Trust, after string) clientTrust {
	says := func(pattern string) bool { return pattern != "" && regexp.MustCompile(pattern).MatchString(after) }
	switch {
	case says(t.Yes):
		return trustGiven
	case says(t.No):
		return trustNone
	}
	return trustUnknown
}

// behind returns what follows a quoted path in a text, and whether it is there.
func behind(text, path string) (string, bool) {
	quoted, _ := json.Marshal(path) // cannot fail for a text
	for _, quoted := range []string{string(quoted), "'" + path + "'"} {
		if _, after, ok := strings.Cut(text, quoted); ok {
			return after, true
		}
	}
	return "", false
}
