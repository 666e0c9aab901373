package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
)

// TestTeams hands a team over whose owner leaves, and removes it.
func TestTeams(t *testing.T) {
	db, _ := initialized(t)
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{MustExist: true})
	require.NoError(t, err)
	at := time.Now()
	for _, name := range []string{"mira", "jonas", "tess"} {
		require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "id-" + name, Name: name, CreatedAt: at}))
	}
	require.NoError(t, store.CreateTeam(t.Context(), server.Team{ID: "t", Name: "clocks", OwnerID: "id-mira",
		CreatedAt: at}, 1))
	invite := server.Invite{ID: "i", Hash: server.Hash("code"), CreatedBy: "id-mira", CreatedAt: at,
		ExpiresAt: at.Add(time.Hour)}
	require.NoError(t, store.CreateInvite(t.Context(), "id-mira", "clocks", invite, 1))
	_, err = store.AcceptInvite(t.Context(), invite.Hash, server.User{ID: "id-jonas"}, nil, 5, at)
	require.NoError(t, err)
	require.NoError(t, store.Close())

	for _, step := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"team", "ls"}, exitOK, "t\tclocks\tmira\t"},
		{[]string{"team", "show", "clocks"}, exitOK, "id-jonas\tjonas\tmember\t"},
		{[]string{"team", "show", "bells"}, exitNotFound, `there is no team "bells"; "ltm-server team ls" lists them`},
		{[]string{"user", "rm", "mira", "--yes"}, exitConflict, "mira owns a team"},
		{[]string{"team", "transfer", "clocks", "tess"}, exitNotFound, "tess is not a member of clocks"},
		{[]string{"team", "transfer", "clocks", "jonas"}, exitOK, "the owner of clocks is jonas"},
		{[]string{"user", "rm", "mira", "--yes"}, exitOK, "removed mira"},
		{[]string{"team", "rm", "clocks"}, exitInvalid, "removing clocks deletes its packets; --yes does it"},
		{[]string{"team", "rm", "t", "--yes"}, exitOK, "removed clocks"},
		{[]string{"team", "ls", "--json"}, exitOK, "[]"},
	} {
		status, out, said := call(t, nil, append(step.args, "--db", db)...)
		require.Equal(t, step.status, status, "%v: %s", step.args, said)
		require.Contains(t, out+said, step.want, "%v", step.args)
	}
}
