package handoff_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
)

// FuzzFiles: whatever the files of a packet hold, it is listed or named as faulty, and another
// packet is listed in any case.
func FuzzFiles(f *testing.F) {
	f.Fuzz(func(t *testing.T, data, notes []byte) {
		d := newDesk(t)
		good := d.write(draft("good"))
		const id = "01K3Q8ZJ6M4T2V9XWBDN7RHE02"
		d.file(id+".json", string(data))
		d.file("notes/"+id+".json", string(notes))
		l := d.list(api.PacketFilter{})
		require.Contains(t, goals(l), "good")
		detail, err := d.Show(t.Context(), id)
		switch {
		case len(data) == 0:
			require.Equal(t, memory.KindPacketUnknown, memory.KindOf(err))
			require.Equal(t, 1, l.Total)
		case err != nil:
			require.Equal(t, memory.KindPacketDamaged, memory.KindOf(err))
			require.NotEmpty(t, l.Faulty)
		default:
			require.Equal(t, id, detail.Packet.ID)
			require.Equal(t, 2, l.Total)
			r := d.resume(api.ResumePacket{ID: id})
			require.Equal(t, 1, strings.Count(r.Text, "</ltm-packet>"))
			require.LessOrEqual(t, strings.Count(r.Text, "</ltm-packet-since>"), 1)
		}
		_, _, err = d.Offer(t.Context(), "s")
		require.NoError(t, err)
		_, entries, err := d.Chain(t.Context(), good.ID)
		require.NoError(t, err)
		require.NotEmpty(t, entries)
	})
}

// FuzzClaims: whatever a text says about itself, a packet with it is legal, nothing but prefixes of
// it changes, and "verified" stays only where a check says so.
func FuzzClaims(f *testing.F) {
	f.Fuzz(func(t *testing.T, text, command string) {
		d := newDesk(t)
		w := draft("goal")
		w.Packet.Attempts = []packet.Attempt{{Tried: text, Outcome: packet.Succeeded, Learned: "x"}}
		first, err := d.Write(t.Context(), w)
		if err != nil {
			require.True(t, memory.Refused(err), "%v", err)
			return
		}
		tried := first.Packet.Attempts[0].Tried
		require.False(t, strings.HasPrefix(tried, "[verified:"), tried)
		if strings.TrimLeft(text, " [") == text {
			require.Equal(t, text, tried)
		}
		w.Packet.ParentID, w.Packet.Attempts[0].Tried = first.ID, tried
		w.Checks = []api.PacketCheck{{Command: command, Passed: true}}
		second, err := d.Write(t.Context(), w)
		require.NoError(t, err)
		again := second.Packet.Attempts[0].Tried
		require.True(t, strings.HasPrefix(again, "[from ") || strings.HasPrefix(again, "[pending:") ||
			len([]rune(tried)) > 980 || strings.TrimSpace(tried) == "" ||
			strings.HasSuffix(strings.TrimSpace(tried), "]"), "%q became %q", tried, again)
	})
}
