package mcp

import (
	"context"
	"net/url"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"ltm/api"
	"ltm/internal/advice"
	"ltm/internal/safetext"
)

const (
	// packetScheme begins the addresses of packets. What follows is the id, escaped.
	packetScheme = "packet://"

	blockType = "text/markdown"

	// maxResources bounds the packets that are listed.
	maxResources = 100

	maxResourceName = 120 // characters
)

// offerPackets makes packets resources: a list of the open ones, and each by its id. A resource is
// the text from which a session goes on, fenced as data.
func offerPackets(s *server.MCPServer, hooks *server.Hooks, p Packets, session string, t teller) {
	hooks.AddAfterListResources(func(ctx context.Context, _ any, _ *mcpgo.ListResourcesRequest,
		list *mcpgo.ListResourcesResult) {
		list.Resources = packetResources(ctx, p, t.withholds(ctx))
	})
	template := mcpgo.NewResourceTemplate(packetScheme+"{id}", "packet",
		mcpgo.WithTemplateDescription("where unfinished work stands"), mcpgo.WithTemplateMIMEType(blockType))
	s.AddResourceTemplate(template, func(ctx context.Context, r mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents,
		error) {
		id, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, packetScheme))
		if err != nil {
			return nil, t.told(ctx, invalid("the address is not that of a packet"))
		}
		found, err := p.Resume(ctx, api.ResumePacket{ID: id, Session: session})
		if err != nil {
			return nil, t.told(ctx, err)
		}
		return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: r.Params.URI, MIMEType: blockType,
			Text: found.Text}}, nil
	})
}

// packetURI returns the address of a packet. An id can have any characters.
func packetURI(id string) string {
	return packetScheme + strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
}

// packetResources lists the open packets, the newest first; none if they cannot be read. With bare, their
// words are left out: a repository may have brought them.
func packetResources(ctx context.Context, p Packets, bare bool) []mcpgo.Resource {
	all := []mcpgo.Resource{}
	list, err := p.List(ctx, api.PacketFilter{Open: true, Limit: maxResources})
	if err != nil {
		return all
	}
	for _, entry := range list.Packets {
		name, about := "packet", entry.CreatedAt.UTC().Format("2006-01-02")
		if !bare {
			name = safetext.ClipLine(entry.Goal, maxResourceName)
			about += " " + safetext.ClipLine(entry.Author, maxResourceName)
		}
		all = append(all, mcpgo.NewResource(packetURI(entry.ID), name, mcpgo.WithResourceDescription(about),
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
