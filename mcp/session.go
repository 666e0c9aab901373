package mcp

import (
	"sync/atomic"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// session represents the only client of a server to mcp-go.
type session struct {
	notifications chan mcpgo.JSONRPCNotification
	initialized   atomic.Bool
	version       atomic.Value // string
}

func newSession() *session {
	return &session{notifications: make(chan mcpgo.JSONRPCNotification, 16)}
}

func (s *session) SessionID() string { return "stdio" }

func (s *session) NotificationChannel() chan<- mcpgo.JSONRPCNotification { return s.notifications }

func (s *session) Initialize() { s.initialized.Store(true) }

func (s *session) Initialized() bool { return s.initialized.Load() }

// SetProtocolVersion records the negotiated version.
func (s *session) SetProtocolVersion(version string) { s.version.Store(version) }

// ProtocolVersion returns the negotiated version, or "" before there is one.
func (s *session) ProtocolVersion() string {
	version, _ := s.version.Load().(string)
	return version
}
