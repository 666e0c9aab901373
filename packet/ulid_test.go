package packet_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// at returns a clock that is always at that millisecond.
func at(millis int64) func() time.Time {
	return func() time.Time { return time.UnixMilli(millis) }
}

// TestULID encodes the time of the specification's example, and the extremes.
func TestULID(t *testing.T) {
	for _, c := range []struct {
		millis int64
		random byte
		want   string
	}{
		{1469918176385, 0, "01ARYZ6S41" + "0000000000000000"},
		{1469918176385, 0xff, "01ARYZ6S41" + "ZZZZZZZZZZZZZZZZ"},
		{1, 1, "0000000001" + "040G2081040G2081"},
		{1<<48 - 1, 0xff, "7ZZZZZZZZZ" + "ZZZZZZZZZZZZZZZZ"},
	} {
		ids := packet.NewIDs(at(c.millis), bytes.NewReader(bytes.Repeat([]byte{c.random}, 10)))
		id, err := ids.New()
		require.NoError(t, err)
		require.Equal(t, c.want, id)
		back, ok := packet.ULIDTime(id)
		require.True(t, ok)
		require.Equal(t, time.UnixMilli(c.millis).UTC(), back)
	}
	for _, id := range []string{"", "01ARYZ6S41", "01aryz6s410000000000000000", "01ARYZ6S41000000000000000I",
		"81ARYZ6S410000000000000000", "01ARYZ6S4100000000000000000", "f47ac10b-58cc-4372-a567-0e02b2c3d479"} {
		_, ok := packet.ULIDTime(id)
		require.False(t, ok, id)
	}
}

// TestULIDsAreInOrder makes ids while the clock stops, goes back, and goes on.
func TestULIDsAreInOrder(t *testing.T) {
	clock := int64(1_800_000_000_000)
	ids := packet.NewIDs(func() time.Time { return time.UnixMilli(clock) }, rand.NewChaCha8([32]byte{}))
	var made []string
	for i := range 3000 {
		clock += []int64{0, 0, 1, -5, 3}[i%5]
		id, err := ids.New()
		require.NoError(t, err)
		require.Len(t, id, 26)
		made = append(made, id)
	}
	require.True(t, slices.IsSorted(made))
	require.Len(t, slices.Compact(made), 3000)
}

// TestULIDsOfOneMillisecondEnd continues in the next one: all random bits are set.
func TestULIDsOfOneMillisecondEnd(t *testing.T) {
	all := bytes.NewReader(append(bytes.Repeat([]byte{0xff}, 10), make([]byte, 40)...))
	ids := packet.NewIDs(at(1469918176385), all)
	var made []string
	for range 3 {
		id, err := ids.New()
		require.NoError(t, err)
		made = append(made, id)
	}
	require.Equal(t, []string{"01ARYZ6S41ZZZZZZZZZZZZZZZZ", "01ARYZ6S420000000000000000", "01ARYZ6S420000000000000001"},
		made)

	ids = packet.NewIDs(at(1<<48-1), bytes.NewReader(bytes.Repeat([]byte{0xff}, 20)))
	_, err := ids.New()
	require.NoError(t, err)
	_, err = ids.New()
	require.ErrorIs(t, err, packet.ErrClock)
}

// TestULIDsNeedAClockAndRandomness reports what they lack, and nothing is half made.
func TestULIDsNeedAClockAndRandomness(t *testing.T) {
	for _, millis := range []int64{-1, 1 << 48, math.MaxInt64 / 2_000_000} {
		_, err := packet.NewIDs(at(millis), rand.NewChaCha8([32]byte{})).New()
		if millis > 0 && millis < 1<<48 {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, packet.ErrClock)
	}
	broken := errors.New("broken")
	_, err := packet.NewIDs(at(1), iotest.ErrReader(broken)).New()
	require.ErrorIs(t, err, broken)
	_, err = packet.NewIDs(at(1), strings.NewReader("short")).Stamp(small())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// TestULIDsAtOnce makes ids in several goroutines.
func TestULIDsAtOnce(t *testing.T) {
	ids := packet.NewIDs(at(1_800_000_000_000), rand.NewChaCha8([32]byte{}))
	made := make([][]string, 8)
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() {
			for range 200 {
				id, err := ids.New()
				if err == nil {
					made[i] = append(made[i], id)
				}
			}
		})
	}
	all.Wait()
	together := slices.Concat(made...)
	slices.Sort(together)
	require.Len(t, slices.Compact(together), 8*200)
}

// TestStamp fills in what the writer of a packet does not have to know.
func TestStamp(t *testing.T) {
	now := time.Date(2026, 8, 28, 11, 15, 30, 987e6, time.FixedZone("", 7200))
	ids := packet.NewIDs(func() time.Time { return now }, rand.NewChaCha8([32]byte{}))
	p, err := ids.Stamp(packet.Packet{ID: "made up", Goal: "g", NextStep: "n"})
	require.NoError(t, err)
	require.Equal(t, packet.Version01, p.Version)
	require.Equal(t, "2026-08-28T09:15:30Z", p.CreatedAt)
	made, ok := packet.ULIDTime(p.ID)
	require.True(t, ok)
	require.Equal(t, now.UTC(), made)
	require.NoError(t, p.Check())

	next, err := ids.Stamp(packet.Packet{ParentID: p.ID, Goal: "g", NextStep: "n"})
	require.NoError(t, err)
	require.Equal(t, packet.Version02, next.Version)
	require.Greater(t, next.ID, p.ID)

	_, err = ids.Stamp(packet.Packet{Goal: "g"})
	require.Equal(t, []string{"too_short /next_step"}, found(err))
}
