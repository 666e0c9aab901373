package handoff

import (
	"context"
	"errors"

	"ltm/api"
)

var errLater = errors.New("not yet")

// Resume returns the text from which a session continues a packet.
func (d *Desk) Resume(ctx context.Context, r api.ResumePacket) (api.Resumption, error) {
	return api.Resumption{}, errLater
}

// Offer returns the newest open packet that a session should be told of, if there is one: not the
// session's own. It is fast enough for a hook.
func (d *Desk) Offer(ctx context.Context, session string) (entry api.PacketEntry, found bool, err error) {
	return api.PacketEntry{}, false, errLater
}
