package memory

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// maxAutoTags bounds what [AutoTags] returns: more would describe nothing.
const maxAutoTags = 10

// AutoTags finds tags in text: technologies named by a whole word ("go" but not
// "google"; words that are also plain English only in their unmistakable
// forms) and the languages of the files that it names. The order is
// alphabetical and there are at most ten, the ones named most often.
func AutoTags(text string) []string {
	count := map[string]int{}
	for _, word := range tagWords(text) {
		if tag := tagOfWord(word); tag != "" {
			count[tag]++
		}
		if tag := tagOfExtension(path.Ext(word)); tag != "" {
			count[tag]++
		}
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

// tagWords splits text into lower-case words; dots, dashes, pluses and the like
// inside a word belong to it ("node.js", "c++", "docker-compose").
func tagWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-+#_", r)
	})
	for i, w := range words {
		words[i] = strings.TrimLeft(strings.TrimRight(w, ".-_"), "-_+#")
	}
	return words
}

// tagOfWord returns the tag of a technology's name, or "".
func tagOfWord(word string) string {
	switch word {
	case "golang", "go":
		return "go"
	case "javascript", "nodejs", "node.js":
		return "javascript"
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
	case "ci", "ci/cd":
		return "ci"
	case "auth", "oauth", "oauth2", "oidc", "jwt", "authentication":
		return "auth"
	case "test", "tests", "testing", "pytest", "jest", "vitest", "junit":
		return "testing"
	case "db", "database", "databases":
		return "database"
	case "perf", "performance", "latency":
		return "performance"
	case "api", "apis":
		return "api"
	case "python", "typescript", "rust", "ruby", "java", "kotlin", "php", "scala", "elixir", "haskell", "bash", "css", "html",
		"sql", "sqlite", "mysql", "mariadb", "mongodb", "redis", "elasticsearch", "kafka", "rabbitmq", "nats", "grpc", "graphql",
		"protobuf", "http", "tls", "ssl", "dns", "tcp", "websocket", "cors", "react", "vue", "angular", "svelte", "nextjs",
		"django", "flask", "fastapi", "rails", "laravel", "webpack", "vite", "npm", "pnpm", "yarn", "cargo", "maven", "gradle",
		"cmake", "bazel", "terraform", "ansible", "helm", "aws", "gcp", "azure", "s3", "lambda", "nginx", "linux", "macos",
		"windows", "android", "ios", "git", "github", "gitlab", "security", "concurrency", "deadlock", "migration", "cache",
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
