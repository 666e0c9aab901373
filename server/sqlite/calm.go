package sqlite

import (
	"context"
	"sync"
	"time"

	"ltm/server/sqlstore"
)

// calm finds pauses between the changes of this process, for what they would have to wait for.
type calm struct {
	mu      sync.Mutex
	changes int                // transactions so far
	last    time.Time          // of the last one, at first when the file was opened
	stop    context.CancelFunc // stops what gives way; nil if nothing is under way
}

// change is called before each transaction of changes. Work that yields to it ends soon.
func (c *calm) change() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes, c.last = c.changes+1, time.Now()
	if c.stop != nil {
		c.stop()
	}
}

// giveWay does something when there was no change for some time, with a context that the next change ends. It tries
// again after that, each time after twice as long a pause, because what was begun in vain costs time as well. When its
// patience is at an end, changes wait for it.
func (c *calm) giveWay(ctx context.Context, patience, quiet time.Duration, do func(context.Context) error) error {
	for until := time.Now().Add(patience); time.Now().Before(until); quiet *= 2 {
		seen, err := c.pause(ctx, quiet, until)
		if err != nil {
			return err
		}
		if disturbed, err := c.try(ctx, seen, do); !disturbed {
			return err
		}
	}
	return do(ctx)
}

// pause waits until there was no change for some time, or until a time, and returns how many changes there were.
func (c *calm) pause(ctx context.Context, quiet time.Duration, until time.Time) (changes int, err error) {
	for {
		c.mu.Lock()
		changes = c.changes
		left := time.Until(c.last.Add(quiet))
		c.mu.Unlock()
		if left = min(left, time.Until(until)); left <= 0 {
			return changes, nil
		}
		if err := sqlstore.Pause(ctx, left); err != nil {
			return changes, err
		}
	}
}

// try does something unless there was a change since the number of them was seen, and reports whether one came.
func (c *calm) try(ctx context.Context, seen int, do func(context.Context) error) (disturbed bool, err error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	c.mu.Lock()
	disturbed = c.changes != seen
	if !disturbed {
		c.stop = cancel
	}
	c.mu.Unlock()
	if disturbed {
		return true, nil
	}
	err = do(inner)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop = nil
	return err != nil && inner.Err() != nil && ctx.Err() == nil, err
}
