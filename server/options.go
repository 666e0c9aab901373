package server

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Options configure a [Server]. Only Storage is needed; see [Options.defaults] for the rest.
type Options struct {
	Storage Storage
	Memory  Memory           // default: none, and the routes of applications are absent
	Log     *slog.Logger     // default: nowhere
	Now     func() time.Time // default: the clock
	Random  io.Reader        // default: that of crypto/rand
	Version string           // of the program, for whoever reads the API's description

	// ExternalURL is the beginning of links, such as https://ltm.example.org. Default: the host that the request names.
	ExternalURL string

	// TrustedProxies may say who the client is and which host it asked for, by X-Forwarded-For,
	// X-Forwarded-Proto and X-Forwarded-Host. No other peer may. Default: none.
	TrustedProxies []netip.Prefix

	Quota      Quota // of a user's own packets, and of each team. Default: 10,000 and 256 MiB
	MaxTeams   int   // that a user owns. Default: 50
	MaxMembers int   // of a team. Default: 500
	MaxInvites int   // open ones of a team. Default: 100
	MaxTokens  int   // of a user. Default: 100

	TokenRate   Rate   // requests of a token. Default: 50 a second, 500 at once
	AddressRate Rate   // requests from an address. Default: 100 a second, 1,000 at once
	KeyRate     Rate   // requests with a key of an application. Default: 500 a second, 5,000 at once
	UserRate    Rate   // requests about a user of an application. Default: 20 a second, 200 at once
	Limits      Limits // of several servers together. Default: each server counts by itself
	FailureRate Rate   // wrong tokens from an address, and wrong invites. Default: 1 in 5 s, 20 at once

	InviteLife time.Duration // default: 7 days
	TokenLife  time.Duration // of tokens made by invites and the device flow. Default: no end

	BodyTime time.Duration // for a request's body to arrive. Default: 10 seconds

	// RefuseSecrets makes the server look for credentials and local paths in packets and refuse those
	// that have any. Clients do this before they send; on the server it protects a team against
	// clients that do not. It is off by default, as in the reference implementation: what is refused
	// here has been on the network already, and a false alarm could not be overridden.
	RefuseSecrets bool

	// Metrics serves /metrics to clients in MetricsFrom. Default: not at all, and this machine.
	Metrics     bool
	MetricsFrom []netip.Prefix

	// SessionKey signs the sessions of the page /device, and hides whom limits are about, for several servers on one
	// database. Default: a random key, so that a session belongs to one server, and none for Limits.
	SessionKey []byte
}

// Rate bounds how often something may happen.
type Rate struct {
	PerSecond float64
	Burst     int
}

const (
	defaultPackets = 10_000
	defaultBytes   = 256 << 20
	minSessionKey  = 32
)

// defaults returns the options with what was left out.
func (o Options) defaults() (Options, error) {
	if o.Storage == nil {
		return o, errors.New("server: no storage")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.Random = cmp.Or(o.Random, rand.Reader)
	o.Version = cmp.Or(o.Version, "devel")
	orCount(&o.Quota.Packets, defaultPackets)
	orCount(&o.Quota.Bytes, defaultBytes)
	orCount(&o.MaxTeams, 50)
	orCount(&o.MaxMembers, 500)
	orCount(&o.MaxInvites, 100)
	orCount(&o.MaxTokens, 100)
	orCount(&o.InviteLife, 7*24*time.Hour)
	orCount(&o.BodyTime, bodyTime)
	orRate(&o.TokenRate, Rate{50, 500})
	orRate(&o.AddressRate, Rate{100, 1000})
	orRate(&o.FailureRate, Rate{0.2, 20})
	orRate(&o.KeyRate, Rate{500, 5000})
	orRate(&o.UserRate, Rate{20, 200})
	if o.MetricsFrom == nil {
		o.MetricsFrom = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	}
	if len(o.SessionKey) == 0 {
		o.SessionKey = make([]byte, minSessionKey)
		if _, err := io.ReadFull(o.Random, o.SessionKey); err != nil {
			return o, fmt.Errorf("server: make a key: %w", err)
		}
	}
	if len(o.SessionKey) < minSessionKey {
		return o, fmt.Errorf("server: the session key has %d bytes, at least %d are needed", len(o.SessionKey),
			minSessionKey)
	}
	var err error
	o.ExternalURL, err = ExternalURL(o.ExternalURL)
	return o, err
}

func orCount[N int | int64 | time.Duration](n *N, otherwise N) {
	if *n <= 0 {
		*n = otherwise
	}
}

func orRate(r *Rate, otherwise Rate) {
	if r.PerSecond <= 0 || r.Burst <= 0 {
		*r = otherwise
	}
}

// ExternalURL checks the address that links begin with, and cuts slashes off its end.
func ExternalURL(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	u, err := url.Parse(given)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return "", fmt.Errorf("server: the external URL %q is not http(s)://HOST[/PATH]", given)
	}
	return strings.TrimRight(given, "/"), nil
}
