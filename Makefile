# ltm: what can be done with this repository. "make help" lists it.

GO         ?= go
# All targets compile alike, so that each package is compiled once for all of them.
export CGO_ENABLED ?= 0
export GOFLAGS     ?= -trimpath
BUILD      := .build
BIN        := $(BUILD)/ltm
SERVERBIN  := $(BUILD)/ltm-server
PREFIX     ?= $(HOME)/.local
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
# How long each target is fuzzed: a number of runs ("2000x") or a time ("30s").
FUZZTIME   ?= 20000x
# What a night has time for: each fuzz target, and how often the tests run, in another order each time.
NIGHTLY_FUZZTIME ?= 3m
NIGHTLY_COUNT    ?= 3
NIGHTLY_TIMEOUT  ?= 120m
# What runs under an emulator: "all" for the tests that take long there, too.
EMULATED ?=
GOSRC      := $(shell find . -name '*.go' -not -path './$(BUILD)/*')

# What both programs embed.
EMBEDDED   := $(shell find . \( -name '*.txt' -o -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.sql' \) -not -path '*/testdata/*' -not -path '*/node_modules/*' -not -path './sdk/*' -not -path './.build/*')

.DEFAULT_GOAL := build
.PHONY: sdk sdk-test help build image demo demo-full demo-server eval-conversation announce test update pgvector race torture windows arm64 lint fuzz nightly bench vuln e2e e2e-clients screenshots install uninstall clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

build: $(BIN) $(SERVERBIN) ## build both programs into .build

# The launcher passes over a binary that is older than the manifest.
$(BIN): $(GOSRC) go.mod go.sum .claude-plugin/plugin.json .mcp.json hooks/hooks.json $(EMBEDDED) $(wildcard commands/*.md)
	$(GO) build -trimpath -ldflags '-s -w' -o $@ ./cmd/ltm

# It has no part in the demo, and takes far longer to build.
$(SERVERBIN): $(GOSRC) go.mod go.sum $(EMBEDDED)
	$(GO) build -trimpath -ldflags '-s -w' -o $@ ./cmd/ltm-server

image: ## build images of ltm-server for containers into dist/, without a daemon
	$(GO) run ./tools/release -images -out dist

demo: announce $(BIN) ## play two sessions in a scratch project and show the memory coming back
	@$(GO) run ./tools/demo $(BIN)

demo-full: announce $(BIN) ## play a week: memories fade, are found and come back
	@$(GO) run ./tools/demo -full $(BIN)

demo-server: announce build ## play two people who hand work over by a server, from one clone to another
	@$(GO) run ./tools/demo -server $(BIN)

eval-conversation: ## measure how much known evidence a conversation memory finds: FILE=locomo10.json, VECTORS=URL MODEL=NAME
	@test -n "$(FILE)" || { echo 'name a file of LoCoMo or LongMemEval, such as FILE=testdata/conversation/own.json'; exit 1; }
	@VECTORS="$(VECTORS)" MODEL="$(MODEL)" \
		$(GO) test -count=1 -timeout 0 -v -run '^TestFiles$$' ./tests/conveval -args $(abspath $(FILE))

announce:
	@test -x $(BIN) || echo 'building ltm first; without a build cache this takes about a minute'

test: ## run the tests, in another order each time
	$(GO) test -shuffle=on -timeout 20m ./...

# The tests that compare with files of the repository, and their packages. A test in tests/imports
# names what is missing here.
GOLDEN := Surface|DescriptionForSDKs|EveryAnswerIsDocumented|FirstFiveMinutes|PacketSchema|EveryDamageIsNamedAndRepaired|PromptPrecision|Samples|Transcripts|ForeignDumps|Rank|Examples|HintsOfRealMemories|Versions
GOLDENPKGS := ./cmd/ltm ./cmd/ltm-server ./engine ./engine/transfer/forms ./mcp ./packet ./server ./server/storagetest ./server/threads ./text/abridge ./text/search ./text/secrets
update: ## write every file that tests compare with anew: testdata/surface, golden files, what docs show of programs
	LTM_UPDATE=1 $(GO) test -count=1 -run '^Test($(GOLDEN))$$' $(GOLDENPKGS)
	@git status --short

pgvector: ## install the Postgres with pgvector that tests use (PGlite; needs npm)
	LTM_REQUIRE_PGVECTOR=1 $(GO) test -count=1 -run VectorDatabases ./server/postgres/pgtest

sdk: ## make the clients for Python and TypeScript anew from sdk/openapi.json (needs python3 and npm)
	sdk/run generate

sdk-test: $(SERVERBIN) ## test these clients, their packages and the examples (needs python3 and npm)
	LTM_SERVER="$(abspath $(SERVERBIN))" sdk/run test

# Only these packages start goroutines, or are used by several; "make nightly" has
# the others, too. The race detector waits for a second at the end of every
# process, and the tests start hundreds.
RACY := ./engine ./engine/handoff ./engine/person ./engine/transcript ./engine/worktree ./store/... ./mcp ./text/search \
	./setup ./internal/git/gitcmd ./cmd/internal/terminal ./server/conversation/mcp ./server ./server/page \
	./server/postgres ./server/provider ./server/shelf ./server/sqlite ./server/threads
# The longest of them, which start no goroutines of their own, or go through the code that another one does. SQLite is
# twenty times slower under the detector.
SLOWRACE := ^(TestCriticalMemoriesAreNeverLeftOutForOthers|TestTheContextFitsTheClient|TestADamagedSearchCacheIsIgnored|TestPromptRecall|TestTrails|TestWrongLessonsDoLittle|FuzzContext|TestALineThatIsTooLong|TestNoSettingStartsAProgram|TestLongTexts|TestHistories|TestHistoriesOnPostgres|TestFailingProvider|TestNoMessageIsLeftOutOfBatches|TestForeignRowsAreMadeToFit|TestIndexesFollow|TestBatch|TestRetentionAfterAnImportBeside|TestWallBetweenUsers|TestWeakness4ListsEndAt500|TestWeakness11LinksFromStrangersHeaders|TestExchange|TestPagesEscapeTexts|TestPagesOfManyRows|TestASmallUserIsNotLostAmongMany|TestVectorsAreCompared|TestAPurgeAfterRemovals|TestPostgres)$$
# The tests of storage in which clients race. The others are on one connection after another.
RACES := ^(TestContract|TestThreads)$$/./(race|no_lost|together|while_others|late_change|closed|canceled)|^TestManyOpenAtOnce$$
# The detector needs cgo.
race: export CGO_ENABLED = 1
race: ## run the tests of packages with goroutines with the race detector
	GORACE=atexit_sleep_ms=0 $(GO) test -race -shuffle=on -timeout 20m -skip '$(SLOWRACE)' $(RACY)
	GORACE=atexit_sleep_ms=0 $(GO) test -race -shuffle=on -timeout 20m -run '$(RACES)' ./server/storagetest
	GORACE=atexit_sleep_ms=0 $(GO) test -race -timeout 20m -run 'Process|Server|Progress' ./cmd/ltm
	GORACE=atexit_sleep_ms=0 $(GO) test -race -run Stamp ./cmd/ltm-server

torture: ## kill ltm at every call that changes a file, and 1,000 times at random (LTM_TORTURE_ROUNDS)
	LTM_TORTURE_ROUNDS=$${LTM_TORTURE_ROUNDS:-1000} $(GO) test -count=1 -timeout 60m ./tests/torture

# Both name the Debian packages that they need and do not find.
windows: ## run the tests and play the program on Windows, under Wine
	$(GO) run ./tools/emulate $(if $(EMULATED),-all) windows

arm64: ## run the tests on Linux on ARM64, under QEMU
	$(GO) run ./tools/emulate $(if $(EMULATED),-all) arm64

# Packages with files for some systems only. The others are the same on every system: the build for it checks
# what they call.
PORTED := {{if .IgnoredGoFiles}}{{.ImportPath}}{{end}}
lint: ## gofmt, go vet, staticcheck, import directions, go.mod, large files, cross-compilation
	@test -z "$$(gofmt -l $(GOSRC))" || { gofmt -l $(GOSRC); echo 'run gofmt -w on these files'; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags e2e ./tests/e2e ./tests/browser ./tests/agents
	$(GO) vet -tags sdk ./tests/described
	$(GO) build -tags manual ./cmd/ltm ./cmd/ltm-server
	$(GO) run $(STATICCHECK) ./...
	$(GO) test -count=1 ./tests/imports
	$(GO) mod tidy -diff
	@big=$$(git ls-tree -r -l HEAD | awk '$$4 > 262144'); test -z "$$big" || { echo "$$big"; echo 'larger than 256 KiB: a product of a build?'; exit 1; }
	for os in linux darwin windows; do \
	  echo "build for $$os" && GOOS=$$os $(GO) build -o /dev/null ./cmd/ltm ./cmd/ltm-server && \
	  GOOS=$$os $(GO) vet $$( (GOOS=$$os $(GO) list -f '$(PORTED)' ./...; $(GO) list -f '$(PORTED)' ./...) | sort -u) || exit 1; \
	done

# Without the database it says so and succeeds: it is the only part that needs that address.
vuln: ## look for known vulnerabilities in what both programs call, if the database (vuln.go.dev) can be reached
	@out=$$($(GO) run $(GOVULNCHECK) ./cmd/ltm ./cmd/ltm-server 2>&1) || status=$$?; \
	case "$$out" in \
	  *'govulncheck: fetching vulnerabilities'*) echo 'nothing was checked: the database of vulnerabilities, vuln.go.dev, cannot be reached';; \
	  *) printf '%s\n' "$$out"; exit $${status:-0};; \
	esac

# All targets run, whatever one of them finds, and each package is built once. When a time is up in the middle
# of a run, the tests take that for a failure, which it is not.
fuzz: ## fuzz every target for FUZZTIME, a number of runs or a time
	@tmp=$$(mktemp -d); failed=; trap 'rm -rf "$$tmp"' EXIT; cache=$$($(GO) env GOCACHE)/fuzz; \
	$(GO) list -f '{{.ImportPath}} {{.Dir}}' ./... >"$$tmp/packages"; \
	while read -r pkg dir; do \
	  grep -qs '^func Fuzz' "$$dir"/*_test.go || continue; \
	  $(GO) test -c -fuzz . -o "$$tmp/fuzz.test" "$$pkg" || { failed="$$failed $$pkg"; continue; }; \
	  for target in $$(cd "$$dir" && "$$tmp/fuzz.test" -test.list '^Fuzz' </dev/null | grep '^Fuzz'); do \
	    if (cd "$$dir" && "$$tmp/fuzz.test" -test.run '^$$' -test.fuzz "^$$target$$" -test.fuzzcachedir "$$cache/$$pkg" \
	      -test.fuzztime $(FUZZTIME) -test.fuzzminimizetime 1x </dev/null >"$$tmp/log" 2>&1) || \
	      { grep -q 'context deadline exceeded' "$$tmp/log" && ! grep -q 'Failing input' "$$tmp/log"; }; then \
	      echo "$$pkg $$target: $$(sed -n 's/.*\(execs: [0-9]*\).*/\1/p' "$$tmp/log" | tail -n 1)"; \
	    else \
	      cat "$$tmp/log"; failed="$$failed $$pkg:$$target"; \
	    fi; \
	  done; \
	done <"$$tmp/packages"; \
	test -z "$$failed" || { echo "found something:$$failed; the inputs are in testdata/fuzz: repair the cause, and keep them there under a name"; exit 1; }

nightly: ## all that takes hours: race detector in several orders, torture, git matrix and emulated systems in full, every fuzz target, e2e
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 $(GO) test -race -shuffle=on -count=$(NIGHTLY_COUNT) -timeout $(NIGHTLY_TIMEOUT) ./...
	LTM_GITMATRIX=all $(GO) test -count=1 -timeout $(NIGHTLY_TIMEOUT) ./tests/gitmatrix
	$(MAKE) torture
	rm -rf $(BUILD)/release && $(GO) run ./tools/release -out $(BUILD)/release
	LTM_DIST=$(BUILD)/release $(GO) test -count=1 -run TestRelease ./tools/release
	LTM_KILL_ROUNDS=500 LTM_REQUIRE_POSTGRES=1 $(GO) test -count=1 -timeout $(NIGHTLY_TIMEOUT) -run Kills ./cmd/ltm-server
	$(MAKE) windows EMULATED=all
	$(MAKE) arm64 EMULATED=all
	$(MAKE) fuzz FUZZTIME=$(NIGHTLY_FUZZTIME)
	$(MAKE) e2e e2e-clients

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

e2e: $(BIN) $(SERVERBIN) ## drive the real Claude Code and a real browser (needs npm and Chromium)
	$(GO) test -tags e2e -count=1 -timeout 20m -v ./tests/e2e
	LTM_E2E_BIN=$(CURDIR)/$(BUILD) $(GO) test -tags e2e -count=1 -timeout 20m -v ./tests/browser

e2e-clients: ## drive the real Codex, Copilot, Gemini CLI and opencode, offline (needs npm; downloads a gigabyte once)
	$(GO) test -tags e2e -count=1 -timeout 30m -v ./tests/agents

screenshots: build ## make the pictures of the local page in docs/images anew (needs npm and Chromium)
	LTM_SCREENSHOTS=$(CURDIR)/docs/images LTM_E2E_BIN=$(CURDIR)/$(BUILD) $(GO) test -tags e2e -count=1 -run TestScreenshots ./tests/browser

# Where shells look for what they complete, and man for its pages. PowerShell has no
# such place: "ltm help completion powershell" says what to do there.
SHARE    := $(DESTDIR)$(PREFIX)/share
BASHCOMP := $(SHARE)/bash-completion/completions
ZSHCOMP  := $(SHARE)/zsh/site-functions
FISHCOMP := $(SHARE)/fish/vendor_completions.d
MANPAGES := $(SHARE)/man/man1

install: build ## install both programs, completions and manual pages below $(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(BASHCOMP) $(ZSHCOMP) $(FISHCOMP) $(MANPAGES)
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/ltm
	install -m 755 $(SERVERBIN) $(DESTDIR)$(PREFIX)/bin/ltm-server
	for name in ltm ltm-server; do \
	  $(BUILD)/$$name completion bash > $(BASHCOMP)/$$name && \
	  $(BUILD)/$$name completion zsh > $(ZSHCOMP)/_$$name && \
	  $(BUILD)/$$name completion fish > $(FISHCOMP)/$$name.fish && \
	  $(GO) run -tags manual ./cmd/$$name $(MANPAGES) || exit 1; \
	done
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'add $(PREFIX)/bin to your PATH';; esac

uninstall: ## remove what install put there
	for name in ltm ltm-server; do \
	  rm -f $(DESTDIR)$(PREFIX)/bin/$$name $(BASHCOMP)/$$name $(ZSHCOMP)/_$$name $(FISHCOMP)/$$name.fish; \
	done
	rm -f $(MANPAGES)/ltm.1 $(MANPAGES)/ltm-*.1

clean: ## remove what was built
	rm -rf $(BUILD) dist

# Where a release will be published, and its name in the MCP registry, such as
# "-url https://github.com/OWNER/REPOSITORY/releases/download/v1 -name io.github.OWNER/ltm".
RELEASE ?=
.PHONY: release-snapshot
release-snapshot: ## build archives and MCP bundles for every system, lists of what is in them, and the installer, into dist/
	$(GO) run ./tools/release -out dist $(RELEASE)
