package mcp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// recheck is how often changes looks for what others did.
const recheck = 10 * time.Second

// digest is a hash of what a client knows.
type digest [sha256.Size]byte

// changes tells a client that what it has listed, or subscribed to, is no longer as it knows it. It is not notified of
// changes: it compares, after each write of this server and every few seconds. A client that has neither listed nor
// subscribed costs nothing.
type changes struct {
	resources *resources
	c         *connection
	now       chan struct{}
}

// watch compares until ctx is done.
func (w *changes) watch(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.now:
		case <-ticker.C:
		}
		w.compare(ctx)
	}
}

// compare sends a notification for each difference. One that the client does not read yet makes the next ones wait.
func (w *changes) compare(ctx context.Context) {
	defer func() {
		if v := recover(); v != nil {
			w.c.faults.Printf("looking for changes: internal error: panic: %v", v)
		}
	}()
	client := w.c.session
	subscribed := client.SubscribedResources()
	lists := client.wantsLists() && client.hasListed()
	if len(w.c.out.queue) > maxOpen/2 || !lists && len(subscribed) == 0 {
		return
	}
	all := w.resources.list(ctx)
	if lists && client.learnsList(digestOf(all)) {
		w.send(ctx, mcpgo.MethodNotificationResourcesListChanged, nil)
	}
	for _, address := range subscribed {
		if client.learns(address, w.stateIn(ctx, all, address)) {
			w.send(ctx, mcpgo.MethodNotificationResourceUpdated, map[string]any{"uri": address})
		}
	}
}

func (w *changes) send(ctx context.Context, method string, params map[string]any) {
	n := mcpgo.JSONRPCNotification{JSONRPC: mcpgo.JSONRPC_VERSION, Notification: mcpgo.Notification{Method: method,
		Params: mcpgo.NotificationParams{AdditionalFields: params}}}
	select {
	case w.c.session.notifications <- n:
	case <-ctx.Done():
	}
}

// state returns the digest of a resource as it is now.
func (w *changes) state(address string) digest {
	ctx := context.Background()
	return w.stateIn(ctx, w.resources.list(ctx), address)
}

// stateIn is state with everything that is listed. An unlisted one has no state: it is gone, or the client may not know
// of it.
func (w *changes) stateIn(ctx context.Context, all []mcpgo.Resource, address string) digest {
	at := slices.IndexFunc(all, func(r mcpgo.Resource) bool { return r.URI == address })
	if at < 0 {
		return digest{}
	}
	text := all[at].Name
	if !strings.HasPrefix(address, packetScheme) {
		d, err := w.resources.engine.Peek(ctx, address[strings.LastIndexByte(address, '/')+1:])
		if err != nil {
			return digest{}
		}
		text += "\n" + memoryText(d)
	}
	return sha256.Sum256([]byte(text))
}

// digestOf returns the digest of a list: of its addresses and names, and not of the order and the
// priorities, which each access changes.
func digestOf(all []mcpgo.Resource) digest {
	lines := make([]string, len(all))
	for i, r := range all {
		lines[i] = fmt.Sprintf("%s %s", r.URI, r.Name)
	}
	slices.Sort(lines)
	return sha256.Sum256([]byte(strings.Join(lines, "\n")))
}
