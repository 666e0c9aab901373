package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/cmd/internal/wiring"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/advice"
	packets "ltm/packet/client"
)

// aServer is the argument that names a server.
const aServer = "the URL of a server"

func (a *app) authCommand() *cobra.Command {
	c := &cobra.Command{Use: "auth [URL]", Args: arguments(2)}
	var f remoteFlags
	insecureFlag(c, &f)
	device := c.Flags().Bool("device", false, "sign in with a code instead of a token")
	byDefault := c.Flags().Bool("default", false, "make the server the default one")
	c.RunE = func(c *cobra.Command, given []string) error {
		f.host = firstArgument(given)
		s := signIn{app: a, flags: &f, device: *device, byDefault: *byDefault}
		if len(given) == 2 {
			a.notice("a token that is an argument can be seen by others and stays in the shell's history: " +
				"give it on standard input or in LTM_TOKEN instead")
			s.token = given[1]
		}
		facts, err := s.run(c.Context())
		return a.answerHost("signed in to", facts, err)
	}
	c.AddCommand(a.authWhoamiCommand(), a.authListCommand(), a.authUseCommand(), a.authRemoveCommand())
	return c
}

// hostFacts is a server as answers show it: never the token.
type hostFacts struct {
	Host    string    `json:"host"`
	Default bool      `json:"default"`
	User    string    `json:"user_id,omitempty"`
	Display string    `json:"display,omitempty"`
	Hash    string    `json:"token_hash8"` // the first digits of the token's SHA-256
	AddedAt time.Time `json:"added_at,omitzero"`
	File    string    `json:"file,omitempty"`
	Problem string    `json:"problem,omitempty"` // why it is not used
}

type hostList struct {
	Hosts []hostFacts `json:"hosts"`
}

// tokenHash tells tokens apart without showing them.
func tokenHash(token string) string {
	if token == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:4])
}

func hostFactsOf(c packets.Credential) hostFacts {
	f := hostFacts{Host: c.Host.String(), Default: c.Default, User: c.User, Display: c.Display,
		Hash: tokenHash(c.Token), AddedAt: c.AddedAt, File: c.File}
	if c.Err != nil {
		f.Problem = c.Err.Error()
	}
	return f
}

// answerHost is [answer] for a server, and what was done.
func (a *app) answerHost(done string, f hostFacts, err error) error {
	return answer(a, f, err, func(f hostFacts) error {
		text := done + " " + f.Host
		if f.Display != "" {
			text += " as " + cell(f.Display)
		}
		if f.Default {
			text += " (default)"
		}
		return a.println(text)
	})
}

// signIn is one run of ltm auth.
type signIn struct {
	app               *app
	flags             *remoteFlags
	token             string
	device, byDefault bool
}

func (s *signIn) run(ctx context.Context) (hostFacts, error) {
	a := s.app
	if s.flags.host == "" && a.getenv("LTM_HOST") == "" {
		return hostFacts{}, invalid("ltm auth URL", "no server is named")
	}
	host, err := a.remoteHost(s.flags)
	if err != nil {
		return hostFacts{}, err
	}
	open, err := a.clientOf(remote{host: host}, s.flags)
	if err != nil {
		return hostFacts{}, err
	}
	defer open.Close()
	if _, err := open.Health(ctx); err != nil {
		return hostFacts{}, err
	}
	if s.token, err = s.findToken(ctx, open); err != nil {
		return hostFacts{}, err
	}
	kept, err := a.checked(ctx, remote{host: host, token: s.token}, s.flags)
	if err != nil {
		return hostFacts{}, err
	}
	credentials := a.credentials()
	if err := credentials.Put(kept); err != nil {
		return hostFacts{}, err
	}
	if s.byDefault {
		if err := credentials.Use(host); err != nil {
			return hostFacts{}, err
		}
	}
	kept, err = credentials.Find(host)
	return hostFactsOf(kept), err
}

// checked tries a token, and returns what to keep.
func (a *app) checked(ctx context.Context, r remote, f *remoteFlags) (packets.Credential, error) {
	c, err := a.clientOf(r, f)
	if err != nil {
		return packets.Credential{}, err
	}
	defer c.Close()
	if _, err := c.List(ctx, packets.Query{Limit: 1}); err != nil {
		return packets.Credential{}, err
	}
	kept := packets.Credential{Host: r.host, Token: r.token, AddedAt: time.Now()}
	if who, err := c.Whoami(ctx); err == nil { // not every server tells
		kept.User, kept.Display = who.User.ID, who.User.Display
	}
	return kept, nil
}

// findToken returns the token that was given in one of the ways, or that the device flow brings.
func (s *signIn) findToken(ctx context.Context, open *packets.Client) (string, error) {
	a := s.app
	if s.device {
		return a.deviceToken(ctx, open)
	}
	if s.token != "" {
		return s.token, nil
	}
	if token := a.getenv("LTM_TOKEN"); token != "" {
		its, err := packets.ParseHost(a.getenv("LTM_HOST"))
		if a.getenv("LTM_HOST") == "" || err == nil && its == open.Host() {
			return strings.TrimSpace(token), nil
		}
	}
	token, err := a.typedToken(open.Host())
	if err != nil || token != "" {
		return token, err
	}
	return a.deviceToken(ctx, open)
}

// maxTokenInput is the maximum size of a token on standard input.
const maxTokenInput = 8192

// typedToken reads a token from standard input, or from the terminal, which does not show it. "" is none.
func (a *app) typedToken(host packets.Host) (string, error) {
	if terminal.Is(a.stdin) {
		if !terminal.Is(a.stderr) {
			return "", nil
		}
		fmt.Fprintf(a.stderr, "Token for %s (it is not shown; leave it empty to sign in with a code): ", host)
		token, err := terminal.ReadSecret(a.stdin, a.ended)
		fmt.Fprintln(a.stderr)
		if err != nil {
			return "", errInterrupted
		}
		return string(bytes.TrimSpace(token)), nil
	}
	data, err := a.readInput(maxTokenInput)
	return string(bytes.TrimSpace(data)), err
}

// deviceToken asks for a code, and waits until the person approves it elsewhere.
func (a *app) deviceToken(ctx context.Context, open *packets.Client) (string, error) {
	if err := a.credentials().Ready(); err != nil { // or an approval would be lost
		return "", err
	}
	d, err := open.Authorize(ctx)
	if memory.KindOf(err) == memory.KindRemoteUnsupported {
		return "", invalid("give a token on standard input or in LTM_TOKEN",
			"no token was given, and %s does not sign in with codes", open.Host())
	}
	if err != nil {
		return "", err
	}
	fmt.Fprintf(a.stderr, "Open %s and enter the code %s", cell(d.Page), d.UserCode)
	if d.Complete != "" {
		fmt.Fprintf(a.stderr, ", or open %s", cell(d.Complete))
	}
	minutes := int((d.Life + time.Minute - 1) / time.Minute)
	fmt.Fprintf(a.stderr, "\nWaiting up to %s; Ctrl-C ends it.\n", plural.Of(minutes, "minute", "minutes"))
	return open.Token(ctx, d, sleep)
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, wait time.Duration) error {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return errInterrupted
	}
}

func (a *app) authWhoamiCommand() *cobra.Command {
	c := &cobra.Command{Use: "whoami", Args: noArguments()}
	f := remoteFlagsOf(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		r, err := a.remote(f)
		if err != nil {
			return err
		}
		now, err := a.checked(c.Context(), r, f)
		if err != nil {
			return err
		}
		facts := hostFacts{Host: r.host.String(), User: now.User, Display: now.Display, Hash: tokenHash(r.token)}
		if kept, err := a.credentials().Find(r.host); err == nil && !r.env {
			facts.Default, facts.AddedAt, facts.File = kept.Default, kept.AddedAt, kept.File
		}
		return a.answerHost("signed in to", facts, nil)
	}
	return c
}

func (a *app) authListCommand() *cobra.Command {
	c := &cobra.Command{Use: "ls", Aliases: []string{"list"}, Args: noArguments()}
	c.RunE = func(*cobra.Command, []string) error {
		list, err := a.credentials().List()
		return answer(a, hostList{each(list, hostFactsOf)}, err, a.printHosts)
	}
	return c
}

func (a *app) printHosts(list hostList) error {
	rows := each(list.Hosts, func(f hostFacts) []string {
		status := f.Problem
		if f.Default {
			status = "default"
		}
		return []string{field(f.Host), field(f.Display), day(f.AddedAt), field(status)}
	})
	return a.tableOr(`no servers; "ltm auth URL" signs in to one`, "HOST|USER|SINCE|STATUS", rows)
}

func (a *app) authUseCommand() *cobra.Command {
	c := &cobra.Command{Use: "use URL", Args: arguments(1, aServer)}
	return a.changesHost(c, "using", func(kept packets.Credentials, host packets.Host) (packets.Credential, error) {
		if err := kept.Use(host); err != nil {
			return packets.Credential{}, err
		}
		return kept.Find(host)
	})
}

// changesHost completes a command that changes what is kept for a server, with what it did and how that is then.
func (a *app) changesHost(c *cobra.Command, did string,
	change func(packets.Credentials, packets.Host) (packets.Credential, error)) *cobra.Command {
	c.RunE = func(_ *cobra.Command, given []string) error {
		host, err := packets.ParseHost(given[0])
		if err != nil {
			return err
		}
		now, err := change(a.credentials(), host)
		return a.answerHost(did, hostFactsOf(now), err)
	}
	return c
}

func (a *app) authRemoveCommand() *cobra.Command {
	c := &cobra.Command{Use: "rm URL", Aliases: []string{"remove"}, Args: arguments(1, aServer)}
	const did = "removed the token for"
	return a.changesHost(c, did, func(kept packets.Credentials, host packets.Host) (packets.Credential, error) {
		before, err := kept.Find(host)
		switch memory.KindOf(err) {
		case memory.KindTokenNone:
			return before, advice.With(err, `"ltm auth ls" lists the servers that you are signed in to`)
		case memory.KindRemoteDamaged:
		default:
			if err != nil {
				return before, err
			}
		}
		before.Default, before.Host, before.File = false, host, ""
		return before, kept.Remove(host)
	})
}

// completeHosts offers the servers that the person is signed in to. It asks none of them.
func (a *app) completeHosts(_ []string, begun string) []string {
	list, _ := a.credentials().List()
	return fixed(each(list, func(kept packets.Credential) string { return kept.Host.String() })...)(nil, begun)
}

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

// credentials returns the person's tokens. A project must decide neither what they are nor where they go.
func (a *app) credentials() packets.Credentials {
	if none := a.env().SetByProject(remoteVariables()); none != "" {
		return packets.NoCredentials(none)
	}
	dir := a.getenv("LTM_CONFIG_DIR")
	if dir != "" && !filepath.IsAbs(dir) {
		return packets.NoCredentials("LTM_CONFIG_DIR is not an absolute path")
	}
	if dir = cmp.Or(dir, a.env().ConfigDir()); dir == "" {
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
	if given := cmp.Or(f.host, a.getenv("LTM_HOST")); given != "" {
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
	insecure := f.insecure || slices.Contains([]string{"1", "true", "yes"}, strings.ToLower(a.getenv("LTM_INSECURE")))
	return packets.New(packets.Options{Host: r.host, Token: r.token, Insecure: insecure,
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
