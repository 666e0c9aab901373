package mcp

import (
	"context"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/text/safe"
)

const (
	// packetScheme begins the addresses of packets, followed by the escaped id.
	packetScheme = "packet://"

	blockType = "text/markdown"

	// maxPackets and maxMemories bound what is listed, and pageSize what one answer lists. A client may
	// read only what was listed, so the bound for memories is high.
	maxPackets  = 100
	maxMemories = 1000
	pageSize    = 250

	maxResourceName = 120 // characters

	// claudeCode is the name by which Claude Code introduces itself.
	claudeCode = "claude-code"
)

// resources are what a client can list, read and complete by address: open packets and memories.
type resources struct {
	teller
	engine  Engine
	packets Packets // nil: there are none
	session string

	listing sync.Mutex  // one list at a time
	ownBusy atomic.Bool // an earlier list still waits for the person's memories
}

// offer registers everything with a server. A client that is shows templates as worse entries than
// what is listed gets none; it can read by them all the same.
func (r *resources) offer(s *server.MCPServer, hooks *server.Hooks, client *session) {
	hooks.AddAfterListResources(func(ctx context.Context, _ any, request *mcpgo.ListResourcesRequest,
		list *mcpgo.ListResourcesResult) {
		all := r.list(ctx)
		if request.Params.Cursor == "" { // the client may ask for the rest much later
			client.knowsList(digestOf(all))
		}
		list.Resources, list.NextCursor = page(all, string(request.Params.Cursor))
	})
	hooks.AddAfterListResourceTemplates(func(_ context.Context, _ any, _ *mcpgo.ListResourceTemplatesRequest,
		list *mcpgo.ListResourceTemplatesResult) {
		if client.name() == claudeCode {
			list.ResourceTemplates = []mcpgo.ResourceTemplate{}
		}
	})
	add := func(scheme, name, about string, read func(ctx context.Context, address string) (string, error)) {
		template := mcpgo.NewResourceTemplate(scheme+"{id}", name, mcpgo.WithTemplateDescription(about),
			mcpgo.WithTemplateMIMEType(blockType))
		s.AddResourceTemplate(template, func(ctx context.Context,
			q mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
			text, err := read(ctx, q.Params.URI)
			if err != nil {
				return nil, r.told(ctx, err)
			}
			return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: q.Params.URI, MIMEType: blockType,
				Text: text}}, nil
		})
	}
	add(projectScheme, "memory", "what was learned in this project", r.readMemory)
	add(userScheme, "own memory", "what holds in all of the user's projects", r.readMemory)
	if r.packets != nil {
		add(packetScheme, "packet", "where unfinished work stands", r.readPacket)
	}
}

// readPacket returns the text from which a session goes on, fenced as data.
func (r *resources) readPacket(ctx context.Context, address string) (string, error) {
	id, err := url.PathUnescape(strings.TrimPrefix(address, packetScheme))
	if err != nil {
		return "", invalid("the address is not that of a packet")
	}
	found, err := r.packets.Resume(ctx, api.ResumePacket{ID: id, Session: r.session})
	return found.Text, err
}

// list returns everything that can be listed: first the packets, then the memories by priority.
func (r *resources) list(ctx context.Context) []mcpgo.Resource {
	r.listing.Lock()
	defer r.listing.Unlock()
	return append(r.openPackets(ctx), r.memories(ctx)...)
}

// page returns the part of a list at a cursor, and the cursor of the next one, or "" at the end. A
// cursor that was never given out is at the end.
func page(all []mcpgo.Resource, cursor string) ([]mcpgo.Resource, mcpgo.Cursor) {
	from := 0
	if cursor != "" {
		raw, _ := base64.StdEncoding.DecodeString(cursor)
		at, err := strconv.Atoi(string(raw))
		if from = at; err != nil || at < 0 {
			from = len(all)
		}
	}
	from = min(from, len(all))
	to := min(from+pageSize, len(all))
	next := ""
	if to < len(all) {
		next = base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(to)))
	}
	return slices.Clip(all[from:to]), mcpgo.Cursor(next)
}

// openPackets lists the open packets, the newest first; none if they cannot be read. Where text is
// withheld, their words are left out, and those whose id can have words: a repository may have brought them.
func (r *resources) openPackets(ctx context.Context) []mcpgo.Resource {
	all := []mcpgo.Resource{}
	if r.packets == nil {
		return all
	}
	list, err := r.packets.List(ctx, api.PacketFilter{Open: true, Limit: maxPackets})
	if err != nil {
		return all
	}
	bare := r.withholds(ctx)
	for _, entry := range list.Packets {
		name, about := "packet", entry.CreatedAt.UTC().Format("2006-01-02")
		if _, plain := packet.ULIDTime(entry.ID); bare && !plain {
			continue
		}
		if !bare {
			name = safe.ClipLine(entry.Goal, maxResourceName)
			about += " " + safe.ClipLine(entry.Author, maxResourceName)
		}
		address := packetScheme + strings.ReplaceAll(url.QueryEscape(entry.ID), "+", "%20") // an id can have any
		all = append(all, mcpgo.NewResource(address, name, mcpgo.WithResourceDescription(about),
			mcpgo.WithMIMEType(blockType)))
	}
	return all
}

// teller makes errors for a client of what the core says.
type teller struct {
	withholds func(context.Context) bool
	fault     func(error)
}

// toldError is an error whose text is for a model.
type toldError string

func (e toldError) Error() string { return string(e) }

func (t teller) told(ctx context.Context, err error) error {
	if text, known := told(ctx, err, advice.Reading, t.withholds); known {
		return toldError(text)
	}
	t.fault(err)
	return toldError("internal error: the server's log has the details")
}
