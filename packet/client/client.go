package client

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"time"

	"ltm/memory"
)

// Options wires a [Client].
type Options struct {
	Host  Host
	Token string // empty: none is sent

	// Insecure allows a host that is [Host.Plain].
	Insecure bool

	// Timeout bounds a whole request with its answer. 0: 30 s.
	Timeout time.Duration

	// Agent is the program's name.
	Agent string

	// Proxy returns the proxy for a request, as [http.Transport] has it. nil: none.
	Proxy func(*http.Request) (*url.URL, error)
}

const (
	usualTimeout = 30 * time.Second

	dialTimeout    = 10 * time.Second
	maxHeaderBytes = 64 << 10
)

// Client speaks with one server as one caller. It may be used by several goroutines.
type Client struct {
	o    Options
	http *http.Client
}

// New returns a client. It sends nothing.
func New(o Options) (*Client, error) {
	if o.Host.IsZero() {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindHostNone, "", "no server is known")
	}
	if o.Host.Plain() && !o.Insecure {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindHostInsecure, o.Host.String(),
			"%s is not encrypted, so others on the way could read the token and the packets", o.Host)
	}
	if o.Token != "" {
		if err := CheckToken(o.Token); err != nil {
			return nil, err
		}
	}
	o.Timeout = cmp.Or(o.Timeout, usualTimeout)
	transport := &http.Transport{
		Proxy:                  o.Proxy,
		DialContext:            (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  o.Timeout,
		IdleConnTimeout:        o.Timeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true, // what is small could become large
		ForceAttemptHTTP2:      true,
	}
	return &Client{o: o, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Host returns the server's address.
func (c *Client) Host() Host { return c.o.Host }

// HasToken reports whether requests carry a token.
func (c *Client) HasToken() bool { return c.o.Token != "" }

// Close closes connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Bounds of the length of a token.
const (
	leastTokenBytes = 8
	mostTokenBytes  = 4096
)

// CheckToken reports whether a text can be a token: visible ASCII without blanks.
func CheckToken(s string) error {
	refused := func(why string) error {
		return memory.NewError(memory.CodeInvalid, memory.KindTokenMalformed, "", "this is not a token: %s", why)
	}
	if len(s) < leastTokenBytes || len(s) > mostTokenBytes {
		return refused("tokens have 8 to 4,096 characters")
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return refused("tokens have only visible ASCII characters and no blanks")
		}
	}
	return nil
}
