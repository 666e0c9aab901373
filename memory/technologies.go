package memory

import "strings"

// technologies are names that mean nothing else, as "tag" or, if it has other names, "tag=name,name".
const technologies = `
activemq airflow alembic android ansible anthropic api=apis argocd=argo-cd auth0 aws azure
auth=oauth,oauth2,oidc,jwt,authentication,saml,sso
bazel bigquery blazor cache cassandra ci circleci clang clickhouse clojure cloudflare cloudformation cloudfront cmake
cobol cocoapods concurrency conda containerd cors couchbase couchdb cpp=c++ cron=crontab csrf css cuda
databricks datadog dbt deadlock debian deno dependabot django dns drupal duckdb dynamodb
database=db,databases docker=dockerfile,docker-compose,buildkit,buildx dotnet=c#,csharp,.net,asp.net
ec2 eks elasticsearch encoding erlang esbuild eslint etcd express.js=expressjs fastapi fastify firebase=firestore
flake8 flink fluentd flyway fortran fsharp=f#
gcc gcp gdb git github gitlab gke=gcloud go=golang gpg=gnupg grafana graphql grpc gunicorn
hadoop haproxy haskell heroku homebrew html htmx http huggingface
imap influxdb ios iptables istio jenkins=jenkinsfile jmeter jquery jupyter
javascript=nodejs,node.js angular=angularjs
k3s kafka kerberos keras keycloak kibana knex kotlin kubernetes=k8s,kubectl kustomize
langchain laravel ldap liquibase linux lldb llvm logging logstash lua
macos make=makefile mariadb markdown matlab mcp memcached meson migration minikube minio mongodb=mongo mqtt mypy mysql
nats neo4j nestjs netlify nextjs=next.js nginx nix=nixos npm numpy nuxt=nuxtjs,nuxt.js
objective-c=objc ocaml okta ollama openai openapi=swagger opengl opensearch openshift openssl openvpn
opentelemetry=otel,otlp pandas parquet performance=perf,latency perl pgbouncer pgvector php pipenv pnpm podman
postgres=postgresql,psql,pg powershell=pwsh prisma prometheus=promql protobuf pulumi pydantic pylint pytorch python
quarkus quic rabbitmq rds react=reactjs,react.js redis redshift redux route53 ruff rust=rustc,rustup,clippy rxjs
s3 sass scala scikit-learn=sklearn scipy security selenium sequelize sidekiq sns solidity sonarqube splunk sql
sqlalchemy sqlite sqlserver=mssql sqs ssh=openssh,sshd ssl storybook supabase svelte=sveltekit swift=swiftui
symfony systemd=systemctl,journald spring=springboot,spring-boot spark=pyspark
tailwind=tailwindcss tauri tcp tensorflow terraform testcontainers threejs=three.js timeout timescaledb timezone
tls=mtls testing=tests,pytest,vitest,junit,rspec,mockito traefik trpc turborepo typeorm typescript
ubuntu udp unicode uvicorn valgrind valkey vcpkg vercel vite vpn vue=vuejs,vue.js
wasm=webassembly webgl webgpu webpack webrtc websocket=websockets wireguard wordpress xcode xss yaml
zeromq=zmq zig zookeeper
`

// ambiguous are names that are also English words, as "name: companions" or "name=tag: companions".
// A companion beside the name shows that the technology is meant.
const ambiguous = `
alpine: apk container docker image linux musl
angular: cli component components directive module service
apache: airflow config flink httpd kafka module spark vhost
bash: array arrays completion completions script scripts shell
babel: config loader plugin plugins preset presets
bun: install lockfile runtime
cargo: add bench build check clippy crate install lock run test workspace
celery: app beat broker queue queues task tasks worker workers
consul: agent cluster kv nomad service vault
cypress: config e2e spec specs test tests
dart: analyzer flutter package pub sdk
electron: app builder main preload renderer window
elixir: beam mix otp phoenix
envoy: cluster filter istio listener proxy sidecar xds
express: app handler middleware node route router routes server
flask: app blueprint blueprints route routes server
flutter: app apps build dart doctor pub run sdk widget widgets
go: bench build env fmt generate get install list mod module modules package packages program routine routines run
go: runtime test tests tool toolchain vet work
gradle: build dependencies dependency plugin plugins repository task tasks wrapper
groovy: closure gradle jenkins pipeline script
helm: chart charts install kubernetes release releases template upgrade values
hibernate: entities entity jpa orm query session
java: class classes heap jar jdk jvm spring stack thread threads
jest=testing: config mock mocks snapshot snapshots test tests vitest
lambda: aws function functions handler layer layers
loki: grafana label labels logs query
make: makefile target targets
maven: build dependencies dependency plugin plugins repository task tasks wrapper
mocha=testing: chai spec specs test tests
oracle: database instance jdbc plsql schema sql
phoenix: channel channels controller ecto elixir liveview
playwright: browser browsers config e2e test tests trace traces
poetry=python: add install lock pyproject run
prettier: config eslint format ignore plugin
puppeteer: browser chrome headless page
rails: app console controller generate migration migrations model ruby server
react: app component components dom hook hooks native props query render rendering router state
ruby: bundler gem gems rails
rust: analyzer borrow code compiler crate crates toolchain
sentry: alert alerts dsn error errors issue issues sdk
snowflake: query role schema sql warehouse
spark: cluster dataframe driver executor executors job jobs shuffle sql streaming
spring: bean beans boot cloud data framework java mvc security
swift: compiler package ui xcode
test=testing: cargo case cases coverage e2e end-to-end failed failing fails fixture fixtures flaky fuzz go integration
test=testing: npm passes regression runner suite suites unit
unity: asset assets editor prefab prefabs scene shader
vagrant: box provision ssh up vm
vault: hashicorp policy secret secrets token tokens
windows: linux macos on path paths powershell registry service
yarn: add build install lock npm pnpm run workspace workspaces
`

// extensions are those of files, as "tag=extension,extension".
const extensions = `
bash=sh,bash,zsh clojure=clj,cljs cpp=cpp,cc,cxx,hpp css=css,scss dart=dart dotnet=cs,csproj elixir=ex,exs erlang=erl
go=go graphql=graphql,gql groovy=groovy haskell=hs html=html java=java javascript=js,jsx,mjs,cjs kotlin=kt,kts lua=lua
nix=nix php=php powershell=ps1,psm1 protobuf=proto python=py,pyi,ipynb ruby=rb rust=rs scala=scala solidity=sol sql=sql
svelte=svelte swift=swift terraform=tf,tfvars typescript=ts,tsx,mts vue=vue yaml=yaml,yml zig=zig
`

// vocabulary is what the tables say.
type vocabulary struct {
	names      map[string]technology
	extensions map[string]string // with the dot, to their tags
}

// technology is what a name means.
type technology struct {
	tag    string
	beside []string // words of which one must be beside the name; nil: none
}

// newVocabulary reads the tables, which is faster than to keep it in every process.
func newVocabulary() vocabulary {
	v := vocabulary{make(map[string]technology, 512), map[string]string{}}
	for entry := range strings.FieldsSeq(technologies) {
		tag, others, _ := strings.Cut(entry, "=")
		v.names[tag] = technology{tag: tag}
		for name := range strings.SplitSeq(others, ",") {
			v.names[name] = technology{tag: tag}
		}
	}
	for line := range strings.Lines(strings.TrimSpace(ambiguous)) {
		entry, beside, _ := strings.Cut(line, ":")
		name, tag, other := strings.Cut(entry, "=")
		if !other {
			tag = name
		}
		v.names[name] = technology{tag, append(v.names[name].beside, strings.Fields(beside)...)}
	}
	for entry := range strings.FieldsSeq(extensions) {
		tag, others, _ := strings.Cut(entry, "=")
		for name := range strings.SplitSeq(others, ",") {
			v.extensions["."+name] = tag
		}
	}
	return v
}
