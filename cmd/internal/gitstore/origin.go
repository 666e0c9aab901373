package gitstore

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// maxOrigin bounds the length of what Origin returns, in bytes.
const maxOrigin = 200

// Origin returns the address of a repository as host/owner/repo, without a user, a password, a port,
// a query and ".git". It is "" for what means nothing on another machine (a path, a loopback
// address, a directory in someone's home) and for what is not an address.
func Origin(address string) string {
	host, path := split(strings.TrimSpace(address))
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	path = strings.Trim(path, "/")
	parts := strings.Split(path, "/")
	isOdd := func(part string) bool { return part == "" || part == "." || part == ".." || part[0] == '~' }
	origin := host + "/" + path
	if !isHost(host) || path == "" || isLocal(host) || slices.Contains(homes(), parts[0]) ||
		slices.ContainsFunc(parts, isOdd) || len(origin) > maxOrigin || strings.ContainsFunc(path, unusual) {
		return ""
	}
	return origin
}

// split returns the host and the path of an address in one of git's forms (git-clone(1)), or "".
func split(address string) (host, path string) {
	if before, after, ok := strings.Cut(address, "://"); ok {
		known := strings.Fields("https http ssh git git+ssh ssh+git git+https git+http ftp ftps") // to other machines
		if !slices.Contains(known, strings.ToLower(before)) || after == "" {
			return "", ""
		}
		u, err := url.Parse(address)
		if err != nil {
			return "", ""
		}
		return u.Hostname(), u.Path
	}
	// [user@]host:path, where no slash comes before the colon. A single letter is a drive.
	before, after, ok := strings.Cut(address, ":")
	if !ok || strings.ContainsAny(before, `/\`) || strings.HasPrefix(after, ":") || strings.HasPrefix(before, "[") {
		return "", ""
	}
	host = before[strings.LastIndexByte(before, '@')+1:]
	if len(before) == 1 || strings.HasPrefix(after, `\`) {
		return "", ""
	}
	return host, after
}

// homes lists directories on a server below which paths are about its machine or its people.
func homes() []string {
	return []string{"home", "Users", "root", "tmp", "var", "private", "mnt", "media", "Volumes"}
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	at, err := netip.ParseAddr(host)
	return err == nil && (at.IsLoopback() || at.IsUnspecified())
}

// isHost reports whether s is a name or an address of a host, in lower case.
func isHost(s string) bool {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	if _, err := netip.ParseAddr(s); err == nil && !strings.Contains(s, "%") {
		return true
	}
	return s != "" && strings.Trim(s, digits+"-.") == "" && strings.Trim(s[:1]+s[len(s)-1:], digits) == ""
}

// unusual reports whether a character is not one of those that paths of repositories have.
func unusual(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/+~", r))
}
