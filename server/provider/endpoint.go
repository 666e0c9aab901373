package provider

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"ltm/internal/loopback"
)

// Limits of an endpoint's values, in bytes.
const (
	maxURL   = 2048
	maxModel = 256
	maxKey   = 4096
)

// Key is an endpoint's key. It prints and encodes as a mask.
type Key string

const keyMask = "[key]"

// Format writes a mask for every verb.
func (k Key) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(k.String())) }

// String returns a mask, or "" if there is no key.
func (k Key) String() string {
	if k == "" {
		return ""
	}
	return keyMask
}

// MarshalText returns the mask, for encoders and loggers.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Endpoint is where a model is asked.
type Endpoint struct {
	BaseURL string // such as https://api.openai.com/v1: the part before /embeddings and /chat/completions
	Model   string // as the endpoint names it
	Key     Key    // sent as a bearer token; "" sends none

	// PlainHTTP allows a key to be sent without encryption to a host other than this machine.
	PlainHTTP bool
}

// check returns the base URL, without a final slash, or a [BadInput].
func (e Endpoint) check() (*url.URL, error) {
	if len(e.BaseURL) > maxURL {
		return nil, newError(BadInput, "the base URL is longer than %d bytes", maxURL)
	}
	base, err := url.Parse(e.BaseURL)
	if err != nil || base.Hostname() == "" || base.Opaque != "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, newError(BadInput, "the base URL must be http or https with a host, such as "+
			"https://api.example.com/v1")
	}
	if base.User != nil || base.RawQuery != "" || base.ForceQuery || base.Fragment != "" {
		return nil, newError(BadInput, "the base URL must not have a user, a query or a fragment")
	}
	if e.Model == "" || len(e.Model) > maxModel || !printable(e.Model) {
		return nil, newError(BadInput, "the model must be 1 to %d printable characters", maxModel)
	}
	if len(e.Key) > maxKey || strings.ContainsFunc(string(e.Key), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, newError(BadInput, "the key must be at most %d ASCII characters without spaces", maxKey)
	}
	if e.Key != "" && base.Scheme == "http" && !e.PlainHTTP && !loopback.Is(base.Hostname()) {
		return nil, newError(BadInput, "the key would be sent without encryption: use https, or allow plain HTTP")
	}
	return base, nil
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}
