package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDated(t *testing.T) {
	date := time.Unix(1700000000, 0).UTC()
	require.Equal(t, `{"metadata": {"timestamp": "2023-11-14T22:13:20Z", "x": "2026"}}`,
		string(dated([]byte(`{"metadata": {"timestamp": "2026-11-27T20:53:33Z", "x": "2026"}}`), date)))
}
