package mcp

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// session represents the only client of a server to mcp-go.
type session struct {
	notifications chan mcpgo.JSONRPCNotification
	initialized   atomic.Bool
	version       atomic.Value // string
	client        atomic.Value // mcpgo.Implementation
	able          atomic.Value // mcpgo.ClientCapabilities
	filter        atomic.Value // mcpgo.SubscriptionFilter

	mu         sync.Mutex
	listed     *digest           // of the list of resources as the client knows it; nil: it has not asked
	subscribed map[string]digest // what the client wants to be told of, by address, as it knows it

	state func(address string) digest // of a resource
}

// maxSubscribed bounds the resources of which a client can ask to be told.
const maxSubscribed = 1000

func (s *session) SessionID() string { return "stdio" }

func (s *session) NotificationChannel() chan<- mcpgo.JSONRPCNotification { return s.notifications }

func (s *session) Initialize() { s.initialized.Store(true) }

func (s *session) Initialized() bool { return s.initialized.Load() }

// SetProtocolVersion records the negotiated version.
func (s *session) SetProtocolVersion(version string) { s.version.Store(version) }

// ProtocolVersion returns the negotiated version, or "" before there is one.
func (s *session) ProtocolVersion() string { return loaded[string](&s.version) }

// loaded returns a value, or the zero one if none was stored.
func loaded[T any](from *atomic.Value) T {
	v, _ := from.Load().(T)
	return v
}

// name returns the name by which the client introduced itself, or "".
func (s *session) name() string { return s.GetClientInfo().Name }

// GetClientInfo returns what the client said of itself.
func (s *session) GetClientInfo() mcpgo.Implementation {
	return loaded[mcpgo.Implementation](&s.client)
}

// SetClientInfo records what the client says of itself.
func (s *session) SetClientInfo(client mcpgo.Implementation) { s.client.Store(client) }

// GetClientCapabilities returns what the client can do.
func (s *session) GetClientCapabilities() mcpgo.ClientCapabilities {
	return loaded[mcpgo.ClientCapabilities](&s.able)
}

// SetClientCapabilities records what the client can do.
func (s *session) SetClientCapabilities(able mcpgo.ClientCapabilities) { s.able.Store(able) }

// SetSubscriptionFilter records what a client that listens wants to be told; the zero filter ends it.
func (s *session) SetSubscriptionFilter(filter mcpgo.SubscriptionFilter) { s.filter.Store(filter) }

// SubscriptionFilter returns what the client wants to be told, and whether it listens.
func (s *session) SubscriptionFilter() (mcpgo.SubscriptionFilter, bool) {
	filter := loaded[mcpgo.SubscriptionFilter](&s.filter)
	return filter, !filter.IsEmpty()
}

// wantsLists reports whether to tell the client that a list has changed. One that made the handshake
// is told; others only if they ask for it.
func (s *session) wantsLists() bool {
	filter, listens := s.SubscriptionFilter()
	if !listens {
		return s.ProtocolVersion() != "" && s.Initialized()
	}
	return filter.ResourcesListChanged
}

// SubscribeToResourceErr records that the client is to be told when a resource changes.
func (s *session) SubscribeToResourceErr(address string) error {
	now := s.state(address)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.subscribed[address]; !known && len(s.subscribed) >= maxSubscribed {
		return errors.New("too many resources are subscribed to")
	}
	s.subscribed[address] = now
	return nil
}

// SubscribeToResource is SubscribeToResourceErr without its error.
func (s *session) SubscribeToResource(address string) { _ = s.SubscribeToResourceErr(address) }

// UnsubscribeFromResource ends what SubscribeToResource began.
func (s *session) UnsubscribeFromResource(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.subscribed, address)
}

// SubscribedResources returns the addresses of which the client wants to be told, sorted.
func (s *session) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.subscribed))
}

// IsSubscribedToResource reports whether the client wants to be told of a resource.
func (s *session) IsSubscribedToResource(address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.subscribed[address]
	return known
}

// knowsList records the list that the client gets.
func (s *session) knowsList(now digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = &now
}

// hasListed reports whether the client knows a list of the resources.
func (s *session) hasListed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed != nil
}

// learnsList reports whether the list that the client knows was another one, and records this one.
func (s *session) learnsList(now digest) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := s.listed != nil && *s.listed != now
	if changed {
		s.listed = &now
	}
	return changed
}

// learns is learnsList for one resource.
func (s *session) learns(address string, now digest) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	then, known := s.subscribed[address]
	if known {
		s.subscribed[address] = now
	}
	return known && then != now
}
