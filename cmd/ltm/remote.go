package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/wiring"
	"ltm/memory"
	packets "ltm/packet/client"
)

// remoteVariables are the variables that decide where a person's packets and tokens go, and who can
// read them on the way.
func remoteVariables() []string {
	return append(wiring.PersonVariables(), "LTM_CONFIG_DIR", "LTM_HOST", "LTM_TOKEN", "LTM_INSECURE", "HTTP_PROXY",
		"HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "GODEBUG", "HOSTALIASES",
		"RES_OPTIONS", "LOCALDOMAIN")
}

// remoteFlags are the flags of commands that ask a server of packets.
type remoteFlags struct {
	host     string
	insecure bool
}

// remoteFlagsOf adds them to a command.
func remoteFlagsOf(c *cobra.Command) *remoteFlags {
	f := &remoteFlags{}
	c.Flags().StringVar(&f.host, "host", "", "the server's `URL`, instead of LTM_HOST or the default")
	insecureFlag(c, f)
	return f
}

func insecureFlag(c *cobra.Command, f *remoteFlags) {
	c.Flags().BoolVar(&f.insecure, "insecure", false,
		"allow http to another machine: others on the way can read it all")
}

// allowsPlain reports whether the person allows http to another machine.
func (a *app) allowsPlain(f *remoteFlags) bool {
	return f.insecure || slices.Contains([]string{"1", "true", "yes"}, strings.ToLower(a.getenv("LTM_INSECURE")))
}

// credentials returns the person's tokens. A project must decide neither what they are nor where
// they go.
func (a *app) credentials() packets.Credentials {
	if none := a.env().SetByProject(remoteVariables()); none != "" {
		return packets.NoCredentials(none)
	}
	dir := a.getenv("LTM_CONFIG_DIR")
	if dir != "" && !filepath.IsAbs(dir) {
		return packets.NoCredentials("LTM_CONFIG_DIR is not an absolute path")
	}
	if dir == "" {
		dir = a.env().ConfigDir()
	}
	if dir == "" {
		return packets.NoCredentials("the environment names no directory for them")
	}
	return packets.NewCredentials(dir)
}

// remote is a server, and what the person has for it.
type remote struct {
	host  packets.Host
	token string
	user  string // what others see of the person; "" if unknown
	env   bool   // the token is from the environment
}

// remoteHost returns the server that a command is about.
func (a *app) remoteHost(f *remoteFlags) (packets.Host, error) {
	kept := a.credentials()
	if _, err := kept.List(); err != nil { // even if a project interferes
		return packets.Host{}, err
	}
	given := f.host
	if given == "" {
		given = a.getenv("LTM_HOST")
	}
	if given != "" {
		return packets.ParseHost(given)
	}
	return kept.Default()
}

// remote returns the server that a command is about, and the token for it. The one in LTM_TOKEN
// belongs to the server in LTM_HOST alone.
func (a *app) remote(f *remoteFlags) (remote, error) {
	host, err := a.remoteHost(f)
	if err != nil {
		return remote{}, err
	}
	return a.remoteAt(host)
}

func (a *app) remoteAt(host packets.Host) (remote, error) {
	if token := a.environmentToken(host); token != "" {
		return remote{host: host, token: token, env: true}, nil
	}
	kept, err := a.credentials().Find(host)
	if err != nil {
		return remote{host: host}, err
	}
	if kept.Exposed {
		a.notice("others could read " + kept.File + " until now: make a new token if the machine is not yours alone")
	}
	return remote{host: host, token: kept.Token, user: kept.Display}, nil
}

// environmentToken returns LTM_TOKEN if LTM_HOST says that it is for this server.
func (a *app) environmentToken(host packets.Host) string {
	token := strings.TrimSpace(a.getenv("LTM_TOKEN"))
	if token == "" {
		return ""
	}
	if a.getenv("LTM_HOST") == "" {
		a.notice("LTM_TOKEN is not used, because LTM_HOST does not say whose it is")
		return ""
	}
	if its, err := packets.ParseHost(a.getenv("LTM_HOST")); err != nil || its != host {
		return ""
	}
	return token
}

// clientOf returns a client for a server.
func (a *app) clientOf(r remote, f *remoteFlags) (*packets.Client, error) {
	if none := a.env().SetByProject(remoteVariables()); none != "" {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindRemotePlace, "", "no server is asked here: %s", none)
	}
	return packets.New(packets.Options{Host: r.host, Token: r.token, Insecure: a.allowsPlain(f),
		Agent: "ltm/" + version, Proxy: http.ProxyFromEnvironment})
}

// dial returns a client with the token of the server that a command is about.
func (a *app) dial(f *remoteFlags) (*packets.Client, remote, error) {
	r, err := a.remote(f)
	if err != nil {
		return nil, r, err
	}
	c, err := a.clientOf(r, f)
	return c, r, err
}

// asking calls a function with the client of a command, and the server that it asks.
func (a *app) asking(f *remoteFlags, do func(*packets.Client, remote) error) error {
	c, r, err := a.dial(f)
	if err != nil {
		return err
	}
	defer c.Close()
	return do(c, r)
}
