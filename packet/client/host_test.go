package client_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/packet/client"
)

func TestParseHost(t *testing.T) {
	for given, want := range map[string]string{
		"https://ltm.example.org":           "https://ltm.example.org",
		" https://LTM.Example.org:443/ ":    "https://ltm.example.org",
		"ltm.example.org":                   "https://ltm.example.org",
		"ltm.example.org:8443/team///":      "https://ltm.example.org:8443/team",
		"http://ltm.example.org:80":         "http://ltm.example.org",
		"http://ltm.example.org:443":        "http://ltm.example.org:443",
		"localhost:8080":                    "http://localhost:8080",
		"127.0.0.1":                         "http://127.0.0.1",
		"https://127.0.0.1:1":               "https://127.0.0.1:1",
		"[::1]:8080":                        "http://[::1]:8080",
		"http://[0:0:0:0:0:0:0:1]":          "http://[::1]",
		"https://host_with-all.of.it:00443": "https://host_with-all.of.it",
	} {
		host, err := client.ParseHost(given)
		require.NoError(t, err, given)
		require.Equal(t, want, host.String(), given)
		again, err := client.ParseHost(host.String())
		require.NoError(t, err)
		require.Equal(t, host, again)
	}
	for _, given := range []string{"", "  ", "javascript:alert(1)", "javascript://x/", "ftp://x", "file:///etc/passwd",
		"https://", "https://:8080", "https://user@host", "https://user:pw@host", "https://host?x", "https://host/?",
		"https://host#x", "https://host#", "https://host:0", "https://host:65536", "https://host:99999999999999",
		"https://host:x", "https://host:", "https://ho st", "https://host/a b", "https://host/../x",
		"https://host/a//b",
		"https://host/%2e%2e/x", "https://höst", "https://.host", "https://-host", "https://[fe80::1%25eth0]",
		"https://host/\x1b[2J", "https://" + strings.Repeat("a", 2000), "https://host\\@evil", "ssh://host"} {
		_, err := client.ParseHost(given)
		require.Equal(t, memory.KindHostMalformed, memory.KindOf(err), "%q: %v", given, err)
		require.NotContains(t, err.Error(), "\x1b")
	}
}

func TestPlain(t *testing.T) {
	for given, plain := range map[string]bool{"https://a.example": false, "http://a.example": true,
		"http://127.0.0.1:1": false, "http://127.8.9.1": false, "http://localhost": false, "http://[::1]": false,
		"http://192.168.0.1": true, "http://localhost.evil.example": true, "http://127.0.0.1.evil.example": true} {
		host, err := client.ParseHost(given)
		require.NoError(t, err)
		require.Equal(t, plain, host.Plain(), given)
		_, err = client.New(client.Options{Host: host})
		require.Equal(t, plain, memory.KindOf(err) == memory.KindHostInsecure, given)
		_, err = client.New(client.Options{Host: host, Insecure: true})
		require.NoError(t, err)
	}
}

func TestParseInvite(t *testing.T) {
	code := strings.Repeat("0a", 24)
	for given, want := range map[string]string{
		code:                                                "",
		" https://a.example/v1/invites/" + code:             "https://a.example",
		"https://a.example/x/v1/invites/" + code:            "https://a.example/x",
		"a.example/v1/invites/" + code + "/":                "https://a.example",
		"http://a.example:1/v1/invites/" + code + "/accept": "http://a.example:1",
	} {
		link, err := client.ParseInvite(given)
		require.NoError(t, err, given)
		require.Equal(t, code, link.Code)
		require.Equal(t, want, link.Host.String())
	}
	for given, kind := range map[string]memory.Kind{
		"": memory.KindInviteMalformed, "short": memory.KindInviteMalformed,
		"https://a.example/v1/invites/":                 memory.KindInviteMalformed,
		"https://a.example/v1/invites/" + code + "?x=1": memory.KindInviteMalformed,
		"https://a.example/v1/invites/../" + code:       memory.KindInviteMalformed,
		"https://a.example/v1/invitations/" + code:      memory.KindInviteMalformed,
		"javascript://a.example/v1/invites/" + code:     memory.KindHostMalformed,
		"https://u:p@a.example/v1/invites/" + code:      memory.KindHostMalformed,
		"https://a.example/?x=/v1/invites/" + code:      memory.KindHostMalformed,
		code + "\x1b[2J": memory.KindInviteMalformed,
	} {
		_, err := client.ParseInvite(given)
		require.Equal(t, kind, memory.KindOf(err), "%q: %v", given, err)
	}
}

// FuzzInvite reads links and addresses. What is read is written in one form, is of this form again, and
// leads nowhere else than it shows.
func FuzzInvite(f *testing.F) {
	for _, given := range []string{"https://a.example/v1/invites/0123456789abcdef", "localhost:8080",
		"0123456789abcdef"} {
		f.Add(given)
	}
	f.Fuzz(func(t *testing.T, given string) {
		if host, err := client.ParseHost(given); err == nil {
			requireHost(t, host)
		}
		link, err := client.ParseInvite(given)
		if err != nil {
			return
		}
		require.Regexp(t, `^[0-9A-Za-z_-]{8,256}$`, link.Code)
		if link.Host.IsZero() {
			return
		}
		requireHost(t, link.Host)
		again, err := client.ParseInvite(link.String())
		require.NoError(t, err)
		require.Equal(t, link, again)
	})
}

func requireHost(t testing.TB, host client.Host) {
	t.Helper()
	require.Regexp(t, `^https?://[0-9a-z.:_\[\]-]+(/[!-~]*)?$`, host.String())
	again, err := client.ParseHost(host.String())
	require.NoError(t, err)
	require.Equal(t, host, again)
	u, err := url.Parse(host.String())
	require.NoError(t, err)
	require.Nil(t, u.User)
	require.Equal(t, host.String(), u.Scheme+"://"+u.Host+u.EscapedPath())
}

func TestCheckToken(t *testing.T) {
	require.NoError(t, client.CheckToken(strings.Repeat("aZ9", 16)))
	for _, bad := range []string{"", "short", "with blank in it", "line\nbreak-in-it", "ünïcode-token",
		"nul\x00-token", strings.Repeat("x", 4097)} {
		require.Equal(t, memory.KindTokenMalformed, memory.KindOf(client.CheckToken(bad)), bad)
		_, err := client.New(client.Options{Host: hostOf(t, "https://a.example"), Token: bad})
		require.Equal(t, bad == "", err == nil)
	}
}
