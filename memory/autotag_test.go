package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestAutoTagsMatchWholeWords(t *testing.T) {
	require.Equal(t, []string{"go", "postgres"}, memory.AutoTags("Google's pgx needs Postgres; see store.go"))
	require.Empty(t, memory.AutoTags("google mango cargo-cult testament"))
	require.Equal(t, []string{"cpp", "javascript", "typescript"}, memory.AutoTags("C++ and Node.js, `src/app.tsx`."))
	require.Len(t, memory.AutoTags("python kotlin php scala haskell css html sql redis kafka nats grpc"), 10)
}

// TestAutoTagsAreTechnicalInContext covers technologies whose names are English words.
func TestAutoTagsAreTechnicalInContext(t *testing.T) {
	for _, prose := range []string{
		"Let us go and react to the helm of the ship",
		"Go home. React quickly. Test it twice, in jest.",
		"Rust on the rails of a cargo train; the yarn got angular.",
		"A swift ruby, an elixir in a flask: they bash on.",
		"The lambda of the half-life, the maven of taste, a cup of java.",
		"Open the windows\n- Go on\n- Rust never sleeps",
		"# Go Back And React",
		"The celery wilts, flags flutter, a playwright hibernates; an express train in spring 2026.",
		"The oracle spoke of cypress and mocha. A sentry guards the vault, a consul sent an envoy.",
		"Vagrant electrons spark on alpine snow",
	} {
		require.Empty(t, memory.AutoTags(prose), prose)
	}
	for text, want := range map[string][]string{
		"Let us go and react to the helm of the cache":       {"cache"},
		"We rewrote it in Go and React":                      {"go", "react"},
		"go vet fails, and so does cargo clippy":             {"cargo", "go", "rust"},
		"run `go` twice":                                     {"go"},
		"```\nhelm upgrade\n```\nand then we go on":          {"helm"},
		"go 1.22 breaks it, react v18 too":                   {"go", "react"},
		"a flaky test on windows":                            {"testing", "windows"},
		"the react component is rendered by rails server":    {"rails", "react"},
		"an aws lambda in java":                              {"aws", "lambda"},
		"Fix React rendering":                                {"react"},
		"# Use Rust for the parser\n\nIt is safe.":           {"rust"},
		"Prefer Yarn":                                        {"yarn"},
		"Swift Ruby":                                         {"ruby"},
		"Celery workers lose tasks":                          {"celery"},
		"Build the Flutter app":                              {"flutter"},
		"Flutter widgets rebuild twice":                      {"flutter"},
		"Playwright traces grow, and so does a cypress spec": {"cypress", "playwright"},
		"run make targets":                                   {"make"},
		"asp.net on .net":                                    {"dotnet"},
		"spring boot 3, hibernate entities and oracle jdbc":  {"hibernate", "oracle", "spring"},
		"the vault secret for sentry alerts":                 {"sentry", "vault"},
		"alpine image with a poetry lock":                    {"alpine", "python"},
		"the bash script passes; the helm chart is missing":  {"bash", "helm"},
	} {
		require.Equal(t, want, memory.AutoTags(text), text)
	}
}

// TestAutoTagsOfNames covers technologies with several names, and files by extension.
func TestAutoTagsOfNames(t *testing.T) {
	for want, texts := range map[string][]string{
		"postgres":    {"psql", "pg", "PostgreSQL"},
		"kubernetes":  {"k8s", "kubectl"},
		"docker":      {"Dockerfile", "docker-compose"},
		"dotnet":      {"C#", ".NET", "App.csproj"},
		"auth":        {"OAuth2", "jwt"},
		"performance": {"latency", "perf"},
		"python":      {"setup.py", "types.pyi", "notebook.ipynb"},
		"javascript":  {"index.mjs", "NodeJS"},
		"rust":        {"lib.rs", "rustup"},
		"ruby":        {"Rakefile.rb"},
		"java":        {"Main.java"},
		"kotlin":      {"build.gradle.kts"},
		"bash":        {"install.sh", "rc.zsh"},
		"terraform":   {"main.tf"},
		"yaml":        {"values.yml", "values.yaml"},
		"elixir":      {"mix.exs"},
		"swift":       {"App.swift"},
		"css":         {"style.scss"},
		"cpp":         {"a.cc", "b.hpp"},
		"react":       {"ReactJS"},
		"powershell":  {"PowerShell", "pwsh", "setup.ps1"},
		"prometheus":  {"Prometheus", "PromQL"},
		"openssl":     {"OpenSSL"},
		"jenkins":     {"Jenkins", "Jenkinsfile"},
		"spring":      {"Spring-Boot", "SpringBoot"},
		"nextjs":      {"Next.js"},
		"vue":         {"Vue.js", "App.vue"},
		"mongodb":     {"mongo"},
		"websocket":   {"WebSockets"},
		"systemd":     {"systemctl"},
		"dart":        {"main.dart"},
		"protobuf":    {"user.proto"},
		"make":        {"Makefile"},
	} {
		for _, text := range texts {
			require.Equal(t, []string{want}, memory.AutoTags(text), text)
		}
	}
	require.Empty(t, memory.AutoTags("notes.txt .gitignore a.b.c 1.2.3 example.net make = : ?"))
}

func TestAutoTagsKeepTheMostFrequent(t *testing.T) {
	text := "css css html html sql sql redis redis kafka kafka nats nats grpc grpc http http tls tls dns dns tcp"
	require.NotContains(t, memory.AutoTags(text), "tcp", "the eleventh, named once")
	require.Len(t, memory.AutoTags(text), 10)
}

// TestAutoTagsKnowTheirKind names technologies each of which is a tag of its own, without a context.
func TestAutoTagsKnowTheirKind(t *testing.T) {
	for _, name := range []string{"Ansible", "ArgoCD", "BigQuery", "Cassandra", "ClickHouse", "CircleCI", "Cloudflare",
		"CloudFormation", "Datadog", "Debian", "Deno", "DynamoDB", "ESLint", "esbuild", "etcd", "Firebase", "Grafana",
		"Heroku", "HTMX", "Istio", "jQuery", "Jupyter", "Keycloak", "Kibana", "LangChain", "LDAP", "Lua", "Memcached",
		"MQTT", "mypy", "Neo4j", "NestJS", "NumPy", "Nuxt", "OpenAPI", "OpenSearch", "OpenShift", "OpenTelemetry",
		"pandas", "Perl", "Podman", "Prisma", "Pulumi", "PyTorch", "Redux", "Selenium", "Sidekiq", "Solidity",
		"SQLAlchemy", "Storybook", "Supabase", "Symfony", "systemd", "Tailwind", "TensorFlow", "Tauri", "Traefik",
		"TypeORM", "Ubuntu", "Valgrind", "Vercel", "WebGL", "WebRTC", "WireGuard", "WordPress", "Xcode", "YAML",
		"Zig"} {
		tags := memory.AutoTags(name + " is new here.")
		require.Len(t, tags, 1, name)
		tag, err := memory.NormalizeTag(tags[0])
		require.NoError(t, err)
		require.Equal(t, tags[0], tag)
	}
}
