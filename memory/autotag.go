package memory

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxAutoTags bounds what [AutoTags] returns: more tags would not tell memories apart.
const maxAutoTags = 10

// AutoTags suggests tags for text: technologies that it names as a whole word ("google" does not
// match "go") and the languages of the files that it names. A name that is also an English word
// ("go", "react", "rust") counts only in a technical context: in code, capitalized within a
// sentence, before a version number, or next to a companion word ("go vet", "react component"). It
// returns at most ten tags, the most frequent, in alphabetical order.
func AutoTags(text string) []string {
	count := map[string]int{}
	var before tagWord
	words := tagWords(text)
	for i, word := range words {
		var after tagWord
		if i+1 < len(words) && words[i+1].sentence == word.sentence {
			after = words[i+1]
		}
		if before.sentence != word.sentence {
			before = tagWord{}
		}
		if tag := word.tag(before, after); tag != "" {
			count[tag]++
		}
		if tag := tagOfExtension(path.Ext(word.text)); tag != "" {
			count[tag]++
		}
		before = word
	}
	tags := make([]string, 0, len(count))
	for tag := range count {
		tags = append(tags, tag)
	}
	slices.SortFunc(tags, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	tags = tags[:min(len(tags), maxAutoTags)]
	slices.Sort(tags)
	return tags
}

// tagWord is a word and the context that [AutoTags] needs.
type tagWord struct {
	text     string // in lower case
	sentence int    // the same for all words of one sentence, line or code span
	first    bool   // the first word of its sentence
	capital  bool   // written with a capital
	code     bool   // within a code span or a code block
}

// tag returns the tag that the word names, given its neighbors, or "".
func (w tagWord) tag(before, after tagWord) string {
	tag, companions := ambiguousTag(w.text)
	switch {
	case tag == "":
		return tagOfWord(w.text)
	case w.code, w.capital && !w.first && !before.capital, isVersion(after.text),
		slices.Contains(companions, before.text), slices.Contains(companions, after.text):
		return tag
	}
	return ""
}

// isVersion reports whether a word is a version number, such as "1.22" or "v18".
func isVersion(word string) bool {
	digits := strings.TrimPrefix(word, "v")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' && strings.Trim(digits, "0123456789.x") == ""
}

// tagWords splits text into words. Dots, dashes, pluses and the like inside a word belong to it
// ("node.js", "c++", "docker-compose").
func tagWords(text string) []tagWord {
	var words []tagWord
	sentence, block := 0, false
	for line := range strings.Lines(text) {
		if IsFence(strings.TrimSpace(line)) {
			block = !block
			continue
		}
		span := false
		for i, part := range strings.Split(line, "`") {
			span = i%2 == 1
			sentence++
			words, sentence = appendTagWords(words, part, sentence, block || span)
		}
	}
	return words
}

// appendTagWords appends the words of part of a line, which is either all code or all prose. It
// also returns the number of the last sentence.
func appendTagWords(words []tagWord, text string, sentence int, code bool) ([]tagWord, int) {
	first := true
	for piece := range strings.FieldsFuncSeq(text, isBetweenTagWords) {
		word := strings.TrimLeft(strings.TrimRight(piece, ".-_"), "-_+#")
		if word == "" {
			continue
		}
		initial, _ := utf8.DecodeRuneInString(word)
		words = append(words, tagWord{strings.ToLower(word), sentence, first, unicode.IsUpper(initial), code})
		first = strings.HasSuffix(piece, ".")
		if first {
			sentence++
		}
	}
	return words, sentence
}

func isBetweenTagWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-+#_", r)
}

// ambiguousTag returns the tag of a technology whose name is also an English word,
// and the words beside it that show the technology is meant.
func ambiguousTag(word string) (tag string, companions []string) {
	switch word {
	case "go":
		return "go", []string{"bench", "build", "env", "fmt", "generate", "get", "install", "list", "mod", "module",
			"modules", "package",
			"packages", "program", "routine", "routines", "run", "runtime", "test", "tests", "tool", "toolchain", "vet",
			"work"}
	case "react":
		return "react", []string{"component", "components", "hook", "hooks", "native", "router", "dom", "state"}
	case "rust":
		return "rust", []string{"analyzer", "borrow", "compiler", "crate", "crates", "toolchain", "code"}
	case "ruby":
		return "ruby", []string{"gem", "gems", "rails", "bundler"}
	case "rails":
		return "rails", []string{"ruby", "console", "migration", "migrations", "server", "app", "generate",
			"controller", "model"}
	case "swift":
		return "swift", []string{"package", "compiler", "xcode", "ui"}
	case "flask":
		return "flask", []string{"app", "route", "routes", "server", "blueprint", "blueprints"}
	case "helm":
		return "helm", []string{"chart", "charts", "release", "releases", "install", "upgrade", "template", "values",
			"kubernetes"}
	case "yarn":
		return "yarn", []string{"add", "build", "install", "lock", "run", "workspace", "workspaces", "npm", "pnpm"}
	case "cargo":
		return "cargo", []string{"add", "bench", "build", "check", "clippy", "crate", "install", "lock", "run", "test",
			"workspace"}
	case "lambda":
		return "lambda", []string{"aws", "function", "functions", "handler", "layer", "layers"}
	case "angular":
		return "angular", []string{"component", "components", "directive", "module", "service", "cli"}
	case "bash":
		return "bash", []string{"script", "scripts", "shell", "completion", "completions", "array", "arrays"}
	case "elixir":
		return "elixir", []string{"phoenix", "mix", "beam", "otp"}
	case "java":
		return "java", []string{"class", "classes", "jvm", "jdk", "jar", "thread", "threads", "heap", "stack"}
	case "windows":
		return "windows", []string{"linux", "macos", "powershell", "path", "paths", "registry", "service", "on"}
	case "gradle", "maven":
		return word, []string{"build", "plugin", "plugins", "task", "tasks", "repository", "wrapper", "dependency",
			"dependencies"}
	case "test":
		return "testing", []string{"unit", "integration", "flaky", "failing", "regression", "end-to-end", "e2e", "fuzz",
			"go", "cargo", "npm",
			"suite", "suites", "case", "cases", "fixture", "fixtures", "fails", "failed", "passes", "runner",
			"coverage"}
	case "jest":
		return "testing", []string{"test", "tests", "mock", "mocks", "snapshot", "snapshots", "config", "vitest"}
	}
	return "", nil
}

// tagOfWord returns the tag of a technology's name, or "".
func tagOfWord(word string) string {
	switch word {
	case "golang":
		return "go"
	case "javascript", "nodejs", "node.js":
		return "javascript"
	case "reactjs", "react.js":
		return "react"
	case "rustc", "rustup", "clippy":
		return "rust"
	case "postgres", "postgresql", "psql", "pg":
		return "postgres"
	case "kubernetes", "k8s", "kubectl":
		return "kubernetes"
	case "docker", "dockerfile", "docker-compose":
		return "docker"
	case "c++", "cpp":
		return "cpp"
	case "c#", "csharp", "dotnet", ".net":
		return "dotnet"
	case "ci":
		return "ci"
	case "auth", "oauth", "oauth2", "oidc", "jwt", "authentication":
		return "auth"
	case "tests", "testing", "pytest", "vitest", "junit":
		return "testing"
	case "db", "database", "databases":
		return "database"
	case "perf", "performance", "latency":
		return "performance"
	case "api", "apis":
		return "api"
	case "python", "typescript", "kotlin", "php", "scala", "haskell", "css", "html",
		"sql", "sqlite", "mysql", "mariadb", "mongodb", "redis", "elasticsearch", "kafka", "rabbitmq", "nats", "grpc",
		"graphql",
		"protobuf", "http", "tls", "ssl", "dns", "tcp", "websocket", "cors", "vue", "svelte", "nextjs",
		"django", "fastapi", "laravel", "webpack", "vite", "npm", "pnpm",
		"cmake", "bazel", "terraform", "ansible", "aws", "gcp", "azure", "s3", "nginx", "linux", "macos",
		"android", "ios", "git", "github", "gitlab", "security", "concurrency", "deadlock", "migration", "cache",
		"logging", "timeout", "encoding", "unicode", "timezone", "wasm", "llvm", "cuda", "pytorch", "mcp":
		return word
	}
	return ""
}

// tagOfExtension returns the tag of a file extension such as ".go", or "".
func tagOfExtension(ext string) string {
	switch ext {
	case ".go":
		return "go"
	case ".py", ".pyi", ".ipynb":
		return "python"
	case ".ts", ".tsx", ".mts":
		return "typescript"
	case ".js", ".jsx", ".mjs", ".cjs":
		return "javascript"
	case ".rs":
		return "rust"
	case ".rb":
		return "ruby"
	case ".java":
		return "java"
	case ".kt", ".kts":
		return "kotlin"
	case ".cs", ".csproj":
		return "dotnet"
	case ".cpp", ".cc", ".cxx", ".hpp":
		return "cpp"
	case ".sql":
		return "sql"
	case ".sh", ".bash", ".zsh":
		return "bash"
	case ".css", ".scss":
		return "css"
	case ".html":
		return "html"
	case ".php", ".swift", ".proto":
		return ext[1:]
	case ".tf":
		return "terraform"
	case ".vue", ".svelte":
		return ext[1:]
	case ".yaml", ".yml":
		return "yaml"
	case ".ex", ".exs":
		return "elixir"
	}
	return ""
}
