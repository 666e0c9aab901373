package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/internal/didyoumean"
	"ltm/server"
)

// defaultAddr is on loopback: other machines reach the server only if an option says so.
const defaultAddr = "127.0.0.1:5860"

// options are the values that a server runs with. Each is a flag, a variable of the environment and,
// if it is secret, a file.
type options struct {
	db              string
	erasures        string
	addr            string
	tlsCert, tlsKey string
	externalURL     string
	log             string
	trustedProxies  []string

	connections                                 int // to Postgres
	maxPackets, maxBytes                        int64
	maxTeams, maxMembers, maxInvites, maxTokens int
	perToken, perAddress, perKey, perUser       int // requests a second
	inviteLife, tokenLife, purgeAfter           time.Duration

	refuseSecrets  bool
	metrics        bool
	metricsFrom    []string
	sessionKeyFile string

	models modelOptions
}

// burst is how many seconds' worth of requests may come at once.
const burst = 10

// origin is what the environment calls an option.
type origin struct {
	variable string
	also     string // another name, which other servers of the protocol have
	secret   bool   // the value may be read from a file, and is masked
}

// optionNames lists the options by their flags, in the order in which they are registered: what everyone sets first.
func optionNames() (names []string) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	var o options
	o.registerDatabase(f)
	o.registerServer(f)
	f.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// origins lists the options that are read from the environment, by their flags.
func origins() map[string]origin {
	found := map[string]origin{}
	for _, name := range optionNames() {
		found[name] = origin{variable: "LTM_SERVER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")),
			secret: isKey(name)}
	}
	db, external := found["db"], found["external-url"]
	db.also, db.secret = "LTM_DB", true
	external.also = "LTM_EXTERNAL_URL"
	found["db"], found["external-url"] = db, external
	return found
}

func (o *options) registerDatabase(f *pflag.FlagSet) {
	f.StringVar(&o.db, "db", "", "the database: a `FILE`, or postgres://USER:PASSWORD@HOST/NAME "+
		"(default ltm.db in the directory for data)")
	f.StringVar(&o.erasures, "erasures", "", "a `FILE` outside of the database that lists the ids of what was "+
		"erased, so that an older backup does not bring it back (default FILE.erasures beside a database in a file)")
}

func (o *options) registerAddress(f *pflag.FlagSet) {
	f.StringVar(&o.addr, "addr", defaultAddr, "where to listen, `HOST:PORT`")
}

func (o *options) registerCertificate(f *pflag.FlagSet) {
	f.StringVar(&o.tlsCert, "tls-cert", "",
		"serve https with the certificate in this `FILE`; read again when it changes")
	f.StringVar(&o.tlsKey, "tls-key", "", "the `FILE` with the certificate's key")
}

func (o *options) registerServer(f *pflag.FlagSet) {
	o.registerAddress(f)
	f.StringVar(&o.externalURL, "external-url", "", "the `URL` by which others reach the server, for links of invites")
	o.registerCertificate(f)
	f.StringSliceVar(&o.trustedProxies, "trusted-proxies", nil,
		"networks, such as 10.0.0.0/8, of the proxies that may say where a request came from")
	f.StringVar(&o.log, "log", "text", "the form of the log on standard error: text or json")
	f.BoolVar(&o.metrics, "metrics", false, "serve /metrics for Prometheus, to --metrics-from")
	f.StringSliceVar(&o.metricsFrom, "metrics-from", []string{"127.0.0.0/8", "::1/128"},
		"networks that may read /metrics")
	f.BoolVar(&o.refuseSecrets, "refuse-secrets", false,
		"refuse packets with credentials or local paths in them, which clients should have refused")
	o.registerLimits(f)
	f.IntVar(&o.connections, "db-connections", 16, "how many connections to Postgres this server opens at most")
	f.StringVar(&o.sessionKeyFile, "session-key-file", "",
		"a `FILE` of 32 bytes or more, the same for all servers on one database, so that a sign-in holds on each")
	o.models.register(f)
}

func (o *options) registerLimits(f *pflag.FlagSet) {
	f.Int64Var(&o.maxPackets, "max-packets", 10_000, "how many packets a user, or a team, may keep")
	f.Int64Var(&o.maxBytes, "max-bytes", 256<<20, "how many bytes of packets a user, or a team, may keep")
	f.IntVar(&o.maxTeams, "max-teams", 50, "how many teams a user may own")
	f.IntVar(&o.maxMembers, "max-members", 500, "how many members a team may have")
	f.IntVar(&o.maxInvites, "max-invites", 100, "how many open invites a team may have")
	f.IntVar(&o.maxTokens, "max-tokens", 100, "how many tokens a user may have")
	f.IntVar(&o.perToken, "rate-token", 50, "how many requests a second a token may make")
	f.IntVar(&o.perAddress, "rate-address", 100, "how many requests a second an address may make")
	f.IntVar(&o.perKey, "rate-key", 500, "how many requests a second an application's key may make")
	f.IntVar(&o.perUser, "rate-user", 20, "how many requests a second may be about one user of an application")
	f.DurationVar(&o.inviteLife, "invite-life", 7*24*time.Hour, "how long an invite is open")
	f.DurationVar(&o.tokenLife, "token-life", 0,
		"how long tokens are valid that the server hands out for invites and devices; 0 is for good")
	f.DurationVar(&o.purgeAfter, "purge-after", 30*24*time.Hour,
		"remove for good what was deleted or over so long ago; 0 keeps it until \"ltm-server purge\"")
}

// resolve fills in the options of a command that were not given as flags from the environment, and checks all of them.
func (a *app) resolve(c *cobra.Command) error {
	if err := a.checkEnvironment(); err != nil {
		return err
	}
	known := origins()
	var wrong error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		from, ok := known[f.Name]
		if !ok || wrong != nil {
			return
		}
		if f.Changed {
			a.sources[f.Name] = "--" + f.Name
			return
		}
		value, source, err := a.environment(from)
		if err != nil || source == "" {
			wrong = err
			return
		}
		if err := f.Value.Set(value); err != nil {
			wrong = invalid(fmt.Sprintf("it takes what --%s takes", f.Name), "%s is wrong: %v", source, err)
			return
		}
		a.sources[f.Name] = source
	})
	if wrong != nil {
		return wrong
	}
	// It is not the directory of ltm, which has the person's own memories and nothing else.
	if dir := a.dataOf("ltm-server"); a.options.db == "" && dir != "" {
		a.options.db = filepath.Join(dir, "ltm.db")
	}
	return a.options.check(c.Flags())
}

// maxOptionFile is how long a file with an option's value may be, in bytes.
const maxOptionFile = 4096

// environment returns the value of an option and the variable that it is from, or "".
func (a *app) environment(from origin) (value, source string, err error) {
	value = a.getenv(from.variable)
	file := from.variable + "_FILE"
	path := ""
	if from.secret {
		path = a.getenv(file)
	}
	switch {
	case value != "" && path != "":
		return "", "", invalid("set one of them", "both %s and %s are set", from.variable, file)
	case value != "":
		return value, from.variable, nil
	case path != "":
		data, err := os.ReadFile(path)
		if err != nil {
			return "", "", &fault{status: exitInvalid, message: "cannot read what " + file + " names", cause: err}
		}
		value = strings.TrimSpace(string(data))
		if value == "" || len(data) > maxOptionFile {
			return "", "", invalid("it holds the value and nothing else", "the file that %s names has %d bytes", file,
				len(data))
		}
		return value, file, nil
	case from.also != "" && a.getenv(from.also) != "":
		return a.getenv(from.also), from.also, nil
	}
	return "", "", nil
}

// personDir returns the directory for ltm's files of the person who runs the program, as ltm finds it, or "".
func (a *app) personDir() string { return cmp.Or(a.getenv("LTM_USER_DIR"), a.dataOf("ltm")) }

// dataOf returns the directory for a program's data of a person, or "".
func (a *app) dataOf(program string) string {
	if dir := a.getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, program)
	}
	home := a.getenv("HOME")
	switch runtime.GOOS {
	case "windows":
		if dir := a.getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, program)
		}
		home = a.getenv("USERPROFILE")
	case "darwin":
		if home != "" {
			return filepath.Join(home, "Library", "Application Support", program)
		}
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "share", program)
}

// check refuses values that no server could run with.
func (o *options) check(f *pflag.FlagSet) error {
	if strings.Contains(o.db, "://") && !o.postgres() {
		scheme, _, _ := strings.Cut(o.db, "://")
		return invalid("allowed: a file, or postgres://USER:PASSWORD@HOST/NAME", "--db cannot be a URL with %q", scheme)
	}
	// A file of that name would be made and named in messages, with the password.
	if !o.postgres() && strings.Contains(o.db, "password=") {
		return invalid("allowed: a file, or postgres://USER:PASSWORD@HOST/NAME", "--db has keywords of Postgres")
	}
	if f.Lookup("embeddings-url") != nil {
		if err := o.models.check(); err != nil {
			return err
		}
	}
	if f.Lookup("addr") == nil {
		return nil
	}
	if _, _, err := net.SplitHostPort(o.addr); err != nil {
		return invalid("it takes HOST:PORT, such as "+defaultAddr, "--addr is wrong: %v", err)
	}
	if (o.tlsCert == "") != (o.tlsKey == "") {
		return invalid("give both or none", "--tls-cert and --tls-key belong together, and one is missing")
	}
	if f.Lookup("log") == nil {
		return nil
	}
	if !slices.Contains([]string{"text", "json"}, o.log) {
		return invalid("allowed: text, json", "--log cannot be %q", o.log)
	}
	if _, err := server.ExternalURL(o.externalURL); err != nil {
		return invalid("it takes http:// or https:// and a host, such as https://ltm.example.org",
			"--external-url cannot be %q", o.externalURL)
	}
	for name, given := range map[string][]string{"trusted-proxies": o.trustedProxies, "metrics-from": o.metricsFrom} {
		if _, err := networks(name, given); err != nil {
			return err
		}
	}
	return o.checkLimits()
}

func (o *options) checkLimits() error {
	for name, value := range map[string]int64{"max-packets": o.maxPackets, "max-bytes": o.maxBytes,
		"max-teams": int64(o.maxTeams), "max-members": int64(o.maxMembers), "max-invites": int64(o.maxInvites),
		"max-tokens": int64(o.maxTokens), "rate-token": int64(o.perToken), "rate-address": int64(o.perAddress),
		"rate-key": int64(o.perKey), "rate-user": int64(o.perUser)} {
		if value < 1 {
			return invalid("it takes 1 or more", "--%s cannot be %d", name, value)
		}
	}
	if o.connections < 4 || o.connections > 1000 {
		return invalid("it takes 4 to 1000", "--db-connections cannot be %d", o.connections)
	}
	if o.inviteLife < time.Minute || o.inviteLife > 365*24*time.Hour {
		return invalid("it takes 1m to 8760h", "--invite-life cannot be %s", o.inviteLife)
	}
	if o.purgeAfter < 0 {
		return invalid("it takes 0 or more, such as 720h", "--purge-after cannot be %s", o.purgeAfter)
	}
	if o.tokenLife < 0 || o.tokenLife > 0 && o.tokenLife < time.Minute {
		return invalid("it takes 1m or more, or 0 for no end", "--token-life cannot be %s", o.tokenLife)
	}
	return nil
}

// networks reads the value of an option that takes networks.
func networks(name string, given []string) ([]netip.Prefix, error) {
	var found []netip.Prefix
	for _, text := range given {
		text = strings.TrimSpace(text)
		network, err := netip.ParsePrefix(text)
		if addr, alone := netip.ParseAddr(text); alone == nil {
			network, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, invalid("it takes networks such as 10.0.0.0/8,::1/128", "--%s cannot have %q", name, text)
		}
		found = append(found, network.Masked())
	}
	return found, nil
}

// sessionKey returns the key that all servers on one database share, or nil.
func (o *options) sessionKey() ([]byte, error) {
	if o.sessionKeyFile == "" {
		return nil, nil
	}
	data, err := os.ReadFile(o.sessionKeyFile)
	if err != nil {
		return nil, &fault{status: exitInvalid, message: "cannot read what --session-key-file names", cause: err}
	}
	if data = bytes.TrimSpace(data); len(data) < minSessionKey || len(data) > maxOptionFile {
		return nil, invalid("\"openssl rand -hex 32\" makes one",
			"the file that --session-key-file names has %d bytes; %d to %d are allowed", len(data), minSessionKey,
			maxOptionFile)
	}
	return data, nil
}

// minSessionKey is how long a session key has to be, in bytes.
const minSessionKey = 32

// postgres reports whether the database is one of Postgres rather than a file.
func (o *options) postgres() bool {
	return strings.HasPrefix(o.db, "postgres://") || strings.HasPrefix(o.db, "postgresql://")
}

// shownDatabase returns the database without its password.
func (o *options) shownDatabase() string {
	if !o.postgres() {
		return o.db
	}
	scheme, _, _ := strings.Cut(o.db, "://")
	u, err := url.Parse(o.db)
	if err != nil {
		return scheme + "://***"
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(strings.ToLower(name), "pass") {
			query.Set(name, "***")
		}
	}
	u.RawQuery = strings.ReplaceAll(query.Encode(), "%2A", "*")
	if _, has := u.User.Password(); has {
		name := u.User.Username()
		u.User = nil
		return strings.Replace(u.String(), "://", "://"+url.User(name).String()+":***@", 1)
	}
	return u.String()
}

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
	names := each(slices.Sorted(maps.Keys(known)), // without the prefix, which would make all of them near
		func(name string) string { return strings.TrimPrefix(name, variablePrefix) })
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
