package client

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ltm/internal/loopback"
	"ltm/memory"
)

// Host is the address of a server: scheme, host, port unless it is the usual one, and the path before /v1 if it has
// one, without a slash at the end: "https://ltm.example.org:8443/team". The zero value is no server.
type Host struct{ base string }

// maxHostBytes is the maximum length of an address.
const maxHostBytes = 1024

// ParseHost reads an address as people write it. Without a scheme it is https, and http for this machine.
func ParseHost(given string) (Host, error) {
	text := strings.TrimSpace(given)
	refused := func(why string) (Host, error) {
		return Host{}, memory.NewError(memory.CodeInvalid, memory.KindHostMalformed, memory.Quote(given, 80),
			"%s is not the address of a server: %s", memory.Quote(given, 80), why)
	}
	if text == "" || len(text) > maxHostBytes {
		return refused("it is empty, or longer than 1,024 bytes")
	}
	schemeless := !strings.Contains(text, "://")
	if schemeless {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return refused("it cannot be parsed")
	case u.Scheme != "http" && u.Scheme != "https":
		return refused("it does not begin with https:// or http://")
	case u.User != nil:
		return refused("it has a user name or password in it")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(text, "#"):
		return refused("it has a ? or # in it")
	case u.Hostname() == "" || !isHostname(u.Hostname()):
		return refused("it has no host, or one with characters that hosts do not have")
	case !isPort(u.Port()) || strings.HasSuffix(u.Host, ":"):
		return refused("the port is not a number from 1 to 65535")
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if !isCleanPath(path) {
		return refused("its path has empty parts, dots or escapes")
	}
	if schemeless && loopback.Is(u.Hostname()) {
		u.Scheme = "http"
	}
	return Host{u.Scheme + "://" + authority(u) + path}, nil
}

// authority returns host and port in the one form that an address has.
func authority(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if ip := net.ParseIP(host); ip != nil {
		host = ip.String()
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port = strings.TrimLeft(port, "0"); port == "" || port == usualPort(u.Scheme) {
		return host
	}
	return host + ":" + port
}

func usualPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

// isHostname reports whether a text is an IP address or consists of the characters of names.
func isHostname(s string) bool {
	if net.ParseIP(s) != nil {
		return true
	}
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789.-_"
	return len(s) <= 253 && strings.Trim(strings.ToLower(s), letters) == "" && !strings.HasPrefix(s, ".") &&
		!strings.HasPrefix(s, "-")
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return s == "" || err == nil && n > 0
}

// isCleanPath reports whether no server takes a path for another one.
func isCleanPath(path string) bool {
	isOdd := func(part string) bool {
		return part == "" || part == "." || part == ".." || strings.ContainsAny(part, `%\;`)
	}
	return path == "" || !slices.ContainsFunc(strings.Split(strings.TrimPrefix(path, "/"), "/"), isOdd)
}

// String returns the address.
func (h Host) String() string { return h.base }

// IsZero reports whether there is no address.
func (h Host) IsZero() bool { return h.base == "" }

// Plain reports whether what is sent to the server can be read on the way: it is not encrypted, and
// the server is another machine.
func (h Host) Plain() bool {
	u, err := url.Parse(h.base)
	return err != nil || u.Scheme != "https" && !loopback.Is(u.Hostname())
}

// join returns the URL of parts below /v1, each of which may have any characters.
func (h Host) join(parts ...string) string {
	address := h.base + "/v1"
	for _, part := range parts {
		address += "/" + url.PathEscape(part)
	}
	return address
}
