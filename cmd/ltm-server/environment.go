package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"ltm/internal/didyoumean"
)

// variablePrefix is what the names of the server's own variables begin with.
const variablePrefix = "LTM_SERVER_"

// injected matches what orchestrators set for a service called ltm-server, or ltm-server-NAME: its addresses, as
// LTM_SERVER_SERVICE_HOST and LTM_SERVER_PORT_8080_TCP.
var injected = regexp.MustCompile(`^LTM_SERVER(_[A-Z0-9_]+)?_(SERVICE_|PORT(_|$))`)

// checkEnvironment refuses a variable whose name is nearly that of an option: what it was meant to set would stay at
// its default, such as a limit or who is trusted. Others with our prefix are warned of, once each.
func (a *app) checkEnvironment() error {
	known := map[string]bool{}
	for _, from := range origins() {
		known[from.variable] = true
		if from.secret {
			known[from.variable+"_FILE"] = true
		}
	}
	var names []string // without the prefix, which would make all of them near
	for _, name := range slices.Sorted(maps.Keys(known)) {
		names = append(names, strings.TrimPrefix(name, variablePrefix))
	}
	var unknown []string
	for _, entry := range a.environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || value == "" || known[name] || injected.MatchString(name) {
			continue
		}
		if meant := didyoumean.To(strings.TrimPrefix(name, variablePrefix), names); len(meant) > 0 {
			return invalid("did you mean "+variablePrefix+meant[0]+`? "ltm-server config" lists all`, "there is no %s",
				name)
		}
		unknown = append(unknown, name)
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(unknown))) {
		a.notice(`%s is ignored: no option is read from it; "ltm-server config" lists all`, name)
	}
	return nil
}
