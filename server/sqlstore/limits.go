package sqlstore

import (
	"context"
	"time"

	"ltm/server"
)

var _ server.Limits = (*Store)(nil)

// Spend implements [server.Limits] on Postgres, by whose clock debts are counted. It is one statement, whose rows are
// in the same order for all servers.
func (s *Store) Spend(ctx context.Context, most time.Duration, all []server.Spent) (map[[32]byte]time.Duration, error) {
	names, ago, cost := make([][]byte, len(all)), make([]int64, len(all)), make([]int64, len(all))
	for i, one := range all {
		names[i], ago[i], cost[i] = one.Name[:], one.Ago.Microseconds(), one.Cost.Microseconds()
	}
	debts := map[[32]byte]time.Duration{}
	err := s.ask(ctx, func(t *tx) error {
		return t.each(`WITH clock AS (SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) AS now)
			INSERT INTO rates (name, due, cost) SELECT u.name, clock.now + LEAST(u.cost - u.ago, $4), u.cost
				FROM unnest(CAST($1 AS bytea[]), CAST($2 AS bigint[]), CAST($3 AS bigint[])) AS u(name, ago, cost), clock
				ORDER BY u.name
			ON CONFLICT (name) DO UPDATE SET cost = excluded.cost,
				due = LEAST(GREATEST(rates.due + excluded.cost, excluded.due), (SELECT now FROM clock) + $4)
			RETURNING name, due - (SELECT now FROM clock)`, []any{names, ago, cost, most.Microseconds()},
			func(scan func(...any) error) error {
				var name [32]byte
				var debt int64
				err := scan(digest(&name), &debt)
				debts[name] = time.Duration(debt) * time.Microsecond
				return err
			})
	})
	return debts, err
}

// Forget implements [server.Limits]. Rows live for a minute longer than they count: who goes on asking has one. It
// leaves those that another server is at, so none waits for it.
func (s *Store) Forget(ctx context.Context) error {
	return s.ask(ctx, func(t *tx) error {
		_, err := t.exec(`DELETE FROM rates WHERE name IN (SELECT name FROM rates
			WHERE due < (SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) - 60000000)
			LIMIT 10000 FOR UPDATE SKIP LOCKED)`)
		return err
	})
}
