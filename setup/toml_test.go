package setup_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/clients"
	"ltm/setup"
)

const codexConfig = ".codex/config.toml"

// codexProject has a settings file of Codex.
func codexProject(t *testing.T, config string) *project {
	p := newProject(t)
	codex, _ := clients.Named("codex")
	p.o.Agents, p.o.Without = []clients.Client{codex}, true
	if config != "" {
		p.write(codexConfig, []byte(config))
	}
	return p
}

// TestServersInOtherForms: a table at the end of a file that has its servers in another form would make it invalid.
func TestServersInOtherForms(t *testing.T) {
	const form = "its mcp_servers have a form"
	const taken = `another server has the name "ltm"`
	for config, want := range map[string]string{
		"mcp_servers = { x = { command = \"x\" } }\n":                                     form,
		"[mcp_servers]\nltm = { command = \"ltm\", args = [\"mcp\"] }\n":                  form,
		"mcp_servers.x.command = \"x\"\n":                                                 form,
		"\"mcp_servers\".x.command = \"x\"\n":                                             form,
		"mcp_servers . ltm . command = \"ltm\"\n":                                         form,
		"[mcp_servers.'ltm']\ncommand = \"other\"\n":                                      taken,
		"[mcp_servers.\"ltm\"]\nurl = \"http://x\"\n[mcp_servers.a]\ncommand = \"ltm\"\n": taken,
		"[mcp_servers.ltm.env]\nA = \"b\"\n":                                              taken,
		"[mcp_servers.'ltm']\ncommand = \"ltm\"\n":                                        "it is there",
		"[ mcp_servers . ltm ] # mine\nargs = [\"mcp\"]\ncommand = '/o/ltm'\n":            "it is there",
	} {
		p := codexProject(t, config)
		plan, err := setup.Init(p.o)
		require.NoError(t, err)
		what := ""
		for _, c := range plan.Changes {
			if c.Path == codexConfig {
				require.Equal(t, setup.Kept, c.Action, config)
				what = c.What.String()
			}
		}
		require.Contains(t, what, want, config)
		if want == "it is there" {
			require.Equal(t, []string{codexConfig}, setup.Registered(p.dir, p.o.Agents[0]), config)
		}
		require.NoError(t, p.init())
		require.Equal(t, config, p.read(codexConfig))
		require.NoError(t, p.undo())
		require.Equal(t, config, p.read(codexConfig))
	}
	for _, config := range []string{"", "model = \"x\"\n", "[mcp_servers.other]\ncommand = \"ltm\"\n",
		"[mcp_servers.\"other.ltm\".env]\nA = \"b\"\n", "# mcp_servers = 1\n"} {
		p := codexProject(t, config)
		require.NoError(t, p.init())
		require.Contains(t, p.read(codexConfig), "[mcp_servers.ltm]")
	}
}

// TestLinesOfAPersonInTheServer: doctor tells the person to add one there.
func TestLinesOfAPersonInTheServer(t *testing.T) {
	p := codexProject(t, "model = \"x\"\n")
	require.NoError(t, p.init())
	const line = "[mcp_servers.ltm]\ndefault_tools_approval_mode = \"approve\"\n"
	text := strings.Replace(p.read(codexConfig), "[mcp_servers.ltm]\n", line, 1)
	p.write(codexConfig, []byte(text))
	require.NoError(t, p.init())
	require.Equal(t, text, p.read(codexConfig))
	require.NoError(t, p.undo())
	require.Equal(t, "model = \"x\"\n", p.read(codexConfig))
}
