package server_test

import (
	"testing"

	"ltm/server"
	"ltm/tests/golden"
)

// TestSurface compares the routes with the checked-in list.
func TestSurface(t *testing.T) {
	p := start(t, withApps, func(o *server.Options) { o.Metrics = true })
	golden.FindSurface(t).Require(t, "routes", p.srv.Patterns())
}
