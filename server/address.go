package server

import (
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// client is where a request comes from, and which address it asked.
type client struct {
	addr    netip.Addr // of the client, behind trusted proxies
	direct  bool       // no proxy was between, as far as one can tell
	base    string     // "https://host", what links begin with; empty if the host is not one
	isHTTPS bool
}

// clientOf finds out about the client of a request. Only trusted proxies are believed.
func (s *Server) clientOf(r *http.Request) client {
	c := client{addr: addrOf(r.RemoteAddr), isHTTPS: r.TLS != nil}
	c.direct = !slices.ContainsFunc([]string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded",
		"Via", "X-Real-Ip"}, func(name string) bool { return len(r.Header.Values(name)) > 0 })
	host := r.Host
	if isIn(c.addr, s.opts.TrustedProxies) {
		c.addr = s.behind(c.addr, r.Header.Values("X-Forwarded-For"))
		switch strings.ToLower(last(r.Header.Values("X-Forwarded-Proto"))) {
		case "https":
			c.isHTTPS = true
		case "http":
			c.isHTTPS = false
		}
		if given := last(r.Header.Values("X-Forwarded-Host")); given != "" {
			host = given
		}
	}
	c.base = s.baseURL(host, c.isHTTPS)
	return c
}

// addrOf returns the address of a peer. A listener that is not on IP has none: the zero Addr.
func addrOf(remote string) netip.Addr {
	if ap, err := netip.ParseAddrPort(remote); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// behind returns the last address that no trusted proxy has: what is to the left of it, anyone may
// have written.
func (s *Server) behind(peer netip.Addr, headers []string) netip.Addr {
	hops := strings.Split(strings.Join(headers, ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		text := strings.TrimSpace(hops[i])
		addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
		if err != nil {
			if addr = addrOf(text); !addr.IsValid() {
				return peer
			}
		}
		peer = addr.Unmap().WithZone("")
		if !isIn(peer, s.opts.TrustedProxies) {
			return peer
		}
	}
	return peer
}

func isIn(a netip.Addr, prefixes []netip.Prefix) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// last returns the last of the values, which the nearest proxy wrote.
func last(values []string) string {
	all := strings.Split(strings.Join(values, ","), ",")
	return strings.TrimSpace(all[len(all)-1])
}

// hostName matches what a link may have as its host.
var hostName = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$`)

// baseURL returns what links begin with.
func (s *Server) baseURL(host string, https bool) string {
	if s.opts.ExternalURL != "" {
		return s.opts.ExternalURL
	}
	if !hostName.MatchString(host) {
		return ""
	}
	if https {
		return "https://" + host
	}
	return "http://" + host
}

// limitKey returns what an address is counted under: a client has a whole /64 of IPv6.
func limitKey(a netip.Addr) string {
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
