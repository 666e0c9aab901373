package packet_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"ltm/packet"
	"ltm/tests/golden"
)

// TestPacketSchema compares the schema with the file in docs, and with the verdict on every vector.
func TestPacketSchema(t *testing.T) {
	text, err := packet.Schema()
	require.NoError(t, err)
	golden.Require(t, filepath.Join("..", "docs", "packet.schema.json"), string(text)+"\n")

	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(text, &schema))
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	beyond := []packet.Kind{packet.KindTime, packet.KindTooLarge, packet.KindDuplicate, packet.KindEncoding}
	refused := 0
	for _, v := range verdicts(t) {
		var value any
		if json.Unmarshal(vector(t, v.File), &value) != nil || slices.Contains(beyond, v.Kind) {
			continue
		}
		err := resolved.Validate(value)
		if v.Kind == "" {
			require.NoError(t, err, v.File)
			continue
		}
		require.Error(t, err, v.File)
		refused++
	}
	require.Greater(t, refused, 25)
}
