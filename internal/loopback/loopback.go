// Package loopback tells which hosts are this machine, to which secrets may go without encryption.
package loopback

import (
	"net"
	"strings"
)

// Is reports whether a host of a URL is this machine. A name other than localhost may resolve to anything.
func Is(host string) bool {
	host = strings.TrimSuffix(host, ".")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
