package loopback_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/loopback"
)

func TestIs(t *testing.T) {
	for host, is := range map[string]bool{"localhost": true, "LocalHost": true, "localhost.": true, "127.0.0.1": true,
		"127.9.9.9": true, "::1": true, "": false, "example.org": false, "localhost.example.org": false,
		"127.0.0.1.nip.io": false, "10.0.0.1": false, "0.0.0.0": false, "::": false, "::2": false} {
		require.Equal(t, is, loopback.Is(host), host)
	}
}
