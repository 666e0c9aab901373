package setup_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"ltm/clients"
)

// TestDocumentedShapes compares what is written for clients that no test runs with the part of their documentation
// that it has to follow, which testdata/shapes has as schemas.
func TestDocumentedShapes(t *testing.T) {
	shapes := map[string]string{".vscode/mcp.json": "vscode", ".cursor/mcp.json": "cursor-mcp",
		".cursor/hooks.json": "cursor-hooks", ".qwen/settings.json": "qwen", "kilo.json": "kilo",
		".continue/mcpServers/ltm.yaml": "continue"}
	for path, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			p := newProject(t)
			p.o.Agents, p.o.Without = clients.All(), true
			require.NoError(t, p.init())
			var written any
			require.NoError(t, yaml.Unmarshal([]byte(p.read(path)), &written)) // which JSON is, too
			var schema jsonschema.Schema
			text, err := os.ReadFile(filepath.Join("testdata", "shapes", shape+".json"))
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &schema))
			resolved, err := schema.Resolve(nil)
			require.NoError(t, err)
			require.NoError(t, resolved.Validate(written), "%s", p.read(path))
			delete(written.(map[string]any), schema.Required[0])
			require.Error(t, resolved.Validate(written), "the shape says something")
		})
	}
}
