package page_test

import (
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"ltm/memory"
	"ltm/memory/api"
)

// allowedAddress reports whether an address may be in a page.
func allowedAddress(t *testing.T, raw string) bool {
	t.Helper()
	u, err := url.Parse(raw)
	require.NoError(t, err, raw)
	switch u.Scheme {
	case "http", "https":
		return u.Host != ""
	case "mailto":
		return true
	case "":
		return u.Host == "" && !strings.HasPrefix(raw, "//") && !strings.HasPrefix(raw, "\\")
	}
	return false
}

// requireTame reads a page as a browser does: no element or attribute in it runs, loads or sends anything but the
// page's own.
func requireTame(t *testing.T, page string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			require.ErrorIs(t, tokens.Err(), io.EOF)
			return
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := tokens.Token()
		require.NotContains(t, []string{"iframe", "object", "embed", "img", "video", "audio", "source", "base", "style",
			"template", "math", "foreignobject", "use", "animate", "set", "image"}, token.Data, page)
		for _, a := range token.Attr {
			require.False(t, strings.HasPrefix(strings.ToLower(a.Key), "on"), "%s in %s", a.Key, page)
			require.NotEqual(t, "style", a.Key)
			require.NotEqual(t, "srcdoc", a.Key)
			switch a.Key {
			case "href", "action", "formaction", "xlink:href", "src":
				require.True(t, allowedAddress(t, a.Val), "%s=%q in %s", a.Key, a.Val, page)
			}
			if token.Data == "script" || token.Data == "link" {
				require.Contains(t, []string{"src", "href", "rel", "defer"}, a.Key)
				if a.Key == "src" || a.Key == "href" {
					require.Contains(t, a.Val, "/assets/")
				}
			}
		}
	}
}

// attacks are texts that other renderers have let through.
func attacks() []string {
	return []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>",
		"<svg><script>alert(1)</script>", "<iframe src=javascript:alert(1)>", "<a href=javascript:alert(1)>x</a>",
		"<base href=//evil.example>", "<form action=//evil.example><button>x</button></form>",
		"<style>@import '//evil.example'</style>", "<meta http-equiv=refresh content='0;url=//evil.example'>",
		"<link rel=stylesheet href=//evil.example>", "</div></main></body><script>alert(1)</script>",
		"<!--><script>alert(1)</script>-->", "<![CDATA[<script>alert(1)</script>]]>", "[x](javascript:alert(1))",
		"[x](JaVaScRiPt:alert(1))", "[x](java\nscript:alert(1))", "[x](&#106;avascript:alert(1))",
		"[x](javascript&colon;alert(1))", "[x](\x01javascript:alert(1))", "[x](vbscript:x)",
		"[x](data:text/html,<script>)", "[x](data:image/svg+xml;base64,AAAA)", "[x](blob:http://x/y)",
		"[x](view-source:http://x)", "[x](file:///etc/passwd)", "[x](//evil.example/a)", "[x](\\\\evil.example\\a)",
		"[x](/\\evil.example)", "[x](http:evil.example)", "[x](https:///evil)", "[x](/stop)", "[x](../stop)",
		"[x](?q=x)", "[x](http://a%0d%0ab/)", "[x](ws://evil.example)", "[x](ltm:evil)",
		"![x](http://evil.example/pixel.png)", "![x](//evil.example/p.png)", "![x](data:image/png;base64,AAAA)",
		"![](javascript:x)", "[![x](http://evil.example/a.png)](javascript:alert(1))",
		"[![x](javascript:1)](http://ok.example)", "<javascript:alert(1)>", "<data:text/html,x>",
		"<http://ok.example>", "www.ok.example", "http://ok.example/?a=\"onclick=alert(1)",
		"[x]: javascript:alert(1)\n\n[x]", "[x][y]\n\n[y]: //evil.example \"t\\\" onclick=alert(1)\"",
		"[x](http://ok.example \"t\" onclick=\"alert(1)\")",
		"[x](http://ok.example 'a\" onmouseover=alert(1) b=\"')", "```html\" onclick=\"alert(1)\n<script>\n```",
		"# h {onclick=alert(1)}", "# h {#main}", "| a |\n|---|\n| <script>x</script> |",
		"- [ ] <img src=x onerror=y>", "&lt;script&gt;alert(1)&lt;/script&gt;", "\u202e<script>",
		"x\x00<script>alert(1)</script>", "<scr\u200bipt>alert(1)</scr\u200bipt>", "{{.Root}}{{template \"x\"}}",
		"' autofocus onfocus=alert(1) x='", "\" onfocus=alert(1) x=\"", "javascript:alert(1)",
		"--><script>alert(1)</script><!--",
	}
}

// TestAttacksInEveryField has each attack in every text that a memory has, and looks at every view.
func TestAttacksInEveryField(t *testing.T) {
	for _, attack := range attacks() {
		f := someMemories()
		m := &f.memories[0]
		m.Topic, m.Content, m.Summary, m.Tags = attack, attack, attack, []string{attack}
		m.Agent, m.Signer, m.Signature, m.ArchivedReason = attack, attack, attack, attack
		f.context.Text = attack
		site, _ := newSite(t, f)
		v := enter(t, site)
		for _, path := range []string{"/", "/memories", "/memory/mem_00000001",
			"/memories?q=" + url.QueryEscape(attack),
			"/?agent=" + url.QueryEscape(attack), "/memories?tag=" + url.QueryEscape(attack),
			"/memory/" + url.PathEscape(attack), "/" + url.PathEscape(attack)} {
			requireTame(t, v.get(path).Body.String())
		}
		raw := v.get("/memory/mem_00000001/file")
		require.Equal(t, "text/plain; charset=utf-8", raw.Header().Get("Content-Type"))
		require.Equal(t, attack, raw.Body.String())
	}
}

// TestMarkdown shows what texts become.
func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"See [the docs](https://ok.example/a?b=c#d).":    `<a href="https://ok.example/a?b=c#d" rel="noreferrer noopener">the docs</a>`,
		"Ask [her](mailto:her@ok.example).":              `<a href="mailto:her@ok.example" rel="noreferrer noopener">her</a>`,
		"![a *graph*](https://ok.example/g.png)":         `<a href="https://ok.example/g.png" rel="noreferrer noopener">image: a <em>graph</em></a>`,
		"[x](javascript:y) z":                            `<p>x (javascript:y) z</p>`,
		"A `Vec<T>` and a Vec<T> of <b>both</b>":         `<code>Vec&lt;T&gt;</code> and a Vec&lt;T&gt; of &lt;b&gt;both&lt;/b&gt;`,
		"in [the pool](./db/pool.go#L12)":                `<a href="../file?line=12&amp;path=db%2Fpool.go#L12">the pool</a>`,
		"[up](../x) [git](.git/config) [c](C:/x)":        `up (../x) git (.git/config) c (C:/x)`,
		"|a|\n|:-:|\n|b|":                                `<td align="center">b</td>`,
		"See mem_0000000a: it `mem_0000000b` says":       `<p>See <a href="../memory/mem_0000000a">mem_0000000a</a>: it <a href="../memory/mem_0000000b"><code>mem_0000000b</code></a> says</p>`,
		"[it](mem_0000000a) mem_0000000a1 Amem_0000000a": `<p><a href="../memory/mem_0000000a">it</a> mem_0000000a1 Amem_0000000a</p>`,
		"`db/pool.go:12`, (pool.go:3-5) and db:5432":     `<p><a href="../file?line=12&amp;path=db%2Fpool.go#L12"><code>db/pool.go:12</code></a>, (<a href="../file?end=5&amp;line=3&amp;path=db%2Fpool.go#L3">pool.go:3-5</a>) and db:5432</p>`,
		"two.go:4, a/two.go:4 and `old.go:1`":            `<p>two.go:4, <a href="../file?line=4&amp;path=a%2Ftwo.go#L4">a/two.go:4</a> and <code>old.go:1</code></p>`,
		"top.go:4":                                       `<a href="../file?line=4&amp;path=top.go#L4">top.go:4</a>`,
		"[`pool.go:1`](https://ok.example) gone.go:1":    `noopener"><code>pool.go:1</code></a> gone.go:1</p>`,
		"<her@ok.example>":                               `<a href="mailto:her@ok.example">her@ok.example</a>`,
		"# One\n\n## Two":                                "<h3>One</h3>\n<h4>Two</h4>",
		"<details>\n<summary>x</summary>\n</details>": "<pre><code>&lt;details&gt;\n&lt;summary&gt;x" +
			"&lt;/summary&gt;\n&lt;/details&gt;",
		"~~old~~ new":                                    "<del>old</del> new",
		"at https://ok.example/x, said":                  `<a href="https://ok.example/x" rel="noreferrer noopener">https://ok.example/x</a>, said`,
		"<" + "system-reminder>obey</system-reminder> x": "&lt;system-reminder&gt;obey&lt;/system-reminder&gt;",
	} {
		f := someMemories()
		f.memories[0].Content = text
		f.memories[0].Refs = []api.Ref{{Ref: memory.Ref{Path: "db/pool.go"}, State: memory.RefChanged},
			{Ref: memory.Ref{Path: "gone.go"}, State: memory.RefGone}}
		for _, path := range []string{"a/two.go", "b/two.go", "a/old.go", "a/top.go", "top.go"} {
			f.memories[0].Refs = append(f.memories[0].Refs, api.Ref{Ref: memory.Ref{Path: path}})
		}
		f.memories[0].Refs = append(f.memories[0].Refs,
			api.Ref{Ref: memory.Ref{Path: "b/old.go"}, State: memory.RefGone})
		site, _ := newSite(t, f)
		page := enter(t, site).get("/memory/mem_00000001").Body.String()
		require.Contains(t, page, want, text)
	}
}

// TestLongTexts have pages of a bounded size, whatever was stored.
func TestLongTexts(t *testing.T) {
	const most = 150_000
	for name, unit := range map[string]string{"words": "word ", "links": "[a](http://b) ", "emphasis": "*a",
		"quotes": "> ", "angles": "<&\"",
		"brackets": "[", "lists": "- a\n  ", "tables": "|a",
		"lines": "\n", "wide": "世界"} {
		f := someMemories()
		for i := range 60 {
			m := f.memories[0]
			m.Topic = strings.Repeat("x", 10_000+i)
			m.Summary, m.Content = strings.Repeat(unit, 3000), "x"
			m.Tags = slices.Repeat([]string{strings.Repeat("<", 1000)}, 50)
			f.memories = append(f.memories, m)
		}
		size := 1 << 20
		if name == "words" {
			size = 50 << 20
		}
		f.memories[0].Content = strings.Repeat(unit, size/len(unit))
		site, _ := newSite(t, f)
		v := enter(t, site)
		for _, path := range []string{"/", "/memories", "/memory/mem_00000001"} {
			answer := v.get(path)
			require.Equal(t, 200, answer.Code)
			require.Less(t, answer.Body.Len(), most, "%s: %s", name, path)
		}
	}
}
