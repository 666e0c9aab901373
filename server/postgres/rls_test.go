package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/threads"
)

// fourSubjects has rows of two users of each of two applications.
func fourSubjects(t *testing.T, s threads.Storage) {
	t.Helper()
	ctx, at := t.Context(), time.Unix(1, 0)
	for app := range 2 {
		id := fmt.Sprint("app-", app)
		require.NoError(t, s.CreateApp(ctx, threads.App{ID: id, Name: id, CreatedAt: at}))
		for user := range 2 {
			n := fmt.Sprintf("%d%d", app, user)
			who := threads.Subject{App: id, User: n}
			require.NoError(t, s.Change(ctx, who, func(tx threads.Tx) error {
				require.NoError(t, tx.PutThread(threads.Thread{ID: "thread" + n, CreatedAt: at, UpdatedAt: at}))
				_, err := tx.AddEvent(threads.Event{Event: conversation.Event{ID: "event" + n, Thread: "thread" + n}})
				require.NoError(t, err)
				require.NoError(t, tx.PutReaction(threads.Reaction{Event: "event" + n, CreatedAt: at, UpdatedAt: at}))
				require.NoError(t, tx.PutSummary(threads.Summary{ID: "sum" + n, Thread: "thread" + n}))
				require.NoError(t, tx.AddAct(threads.Act{Act: conversation.Act{ID: "act" + n}}))
				require.NoError(t, tx.PutClaims([]threads.Claim{{ID: "claim" + n}}))
				require.NoError(t, tx.PutVector(threads.Vector{Ref: threads.Ref{ID: "event" + n}, Model: "m"}))
				return tx.AddJob(threads.Job{Kind: threads.JobEmbed})
			}))
			require.NoError(t, s.Change(ctx, who, func(tx threads.Tx) error {
				return tx.DeleteActs([]string{"act" + n}, at)
			}))
			require.NoError(t, s.Change(ctx, who, func(tx threads.Tx) error {
				return tx.AddAct(threads.Act{Act: conversation.Act{ID: "act" + n}})
			}))
		}
	}
}

// TestRowLevelSecurity asks and writes without the condition on the subject that each query of ours has.
func TestRowLevelSecurity(t *testing.T) {
	url := pgtest.Plain(t, pgtest.New(t))
	store, err := postgres.Open(t.Context(), url, postgres.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	fourSubjects(t, store.Threads())
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	var app, subject int64
	inside := func(run func(tx pgx.Tx)) {
		t.Helper()
		tx, err := conn.Begin(ctx)
		require.NoError(t, err)
		run(tx)
		require.NoError(t, tx.Rollback(ctx))
	}
	set := func(tx pgx.Tx, app, user int64) {
		_, err := tx.Exec(ctx, "SELECT set_config('ltm.app', $1::bigint::text, true), "+
			"set_config('ltm.user', $2::bigint::text, true)", app, user)
		require.NoError(t, err)
	}
	inside(func(tx pgx.Tx) {
		set(tx, -1, -1)
		require.NoError(t, tx.QueryRow(ctx, "SELECT app, seq FROM subjects WHERE name = '01'").Scan(&app, &subject))
	})
	tables := []string{"subjects", "threads", "events", "summaries", "acts", "claims", "reactions", "vectors", "jobs",
		"changes", "erased"}
	for _, table := range tables {
		count := func(tx pgx.Tx) (n int) {
			require.NoError(t, tx.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&n))
			return n
		}
		of := "subject"
		if table == "subjects" {
			of = "seq"
		}
		inside(func(tx pgx.Tx) { require.Zero(t, count(tx), "%s without a setting", table) })
		inside(func(tx pgx.Tx) {
			set(tx, -1, -1)
			all := count(tx)
			require.Positive(t, all)
			set(tx, app, -1)
			require.Equal(t, all/2, count(tx), "%s of an application", table)
			set(tx, app, subject)
			require.Equal(t, all/4, count(tx), "%s of a subject", table)
			set(tx, app+1, subject)
			require.Zero(t, count(tx), "%s of a subject of another application", table)
			set(tx, app, subject)
			done, err := tx.Exec(ctx, "UPDATE "+table+" SET app = app")
			require.NoError(t, err)
			require.EqualValues(t, all/4, done.RowsAffected())
			done, err = tx.Exec(ctx, "DELETE FROM "+table)
			require.NoError(t, err)
			require.EqualValues(t, all/4, done.RowsAffected())
			set(tx, -1, -1)
			require.Equal(t, all-all/4, count(tx))
		})
		inside(func(tx pgx.Tx) { // nor may a row be given to another
			set(tx, app, subject)
			_, err := tx.Exec(ctx, "UPDATE "+table+" SET "+of+" = "+of+" + 1000")
			var denied *pgconn.PgError
			require.ErrorAs(t, err, &denied, table)
			require.Equal(t, "42501", denied.Code, table)
		})
	}
}
