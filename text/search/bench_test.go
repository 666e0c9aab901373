package search_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"ltm/text/search"
)

// corpus makes n documents of about 1 KB. The distribution of words is that of real text: a few are
// everywhere, most are rare, and new ones keep coming.
func corpus(n int) []search.Doc {
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.15, 4, uint64(4000+40*n))
	text := func(words int) string {
		var b strings.Builder
		for i := range words {
			word := spell(zipf.Uint64())
			switch {
			case i > 0 && i%12 == 0:
				b.WriteString(". " + strings.ToUpper(word[:1]) + word[1:])
			case i > 0:
				b.WriteString(" " + word)
			default:
				b.WriteString(word)
			}
		}
		return b.String()
	}
	docs := make([]search.Doc, n)
	for i := range docs {
		docs[i] = search.Doc{
			ID:      fmt.Sprintf("mem_%08x", i),
			Topic:   text(6),
			Content: text(150),
			Tags:    []string{spell(uint64(i % 50)), spell(uint64(100 + i%7))},
			Created: time.Date(2026, 1, 1+i%300, 0, 0, 0, 0, time.UTC),
		}
	}
	return docs
}

// spell returns a pronounceable word for each number.
func spell(n uint64) string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	b := []byte{}
	for n += 80; n > 0; n /= 80 {
		b = append(b, consonants[n%16], vowels[n/16%5])
	}
	return string(b)
}

func sizes(b *testing.B, run func(b *testing.B, docs []search.Doc)) {
	for _, n := range []int{100, 1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("short")
			}
			run(b, corpus(n))
		})
	}
}

func build(docs []search.Doc) *search.Index {
	x := search.New()
	for _, d := range docs {
		x.Put(d)
	}
	return x
}

func BenchmarkBuild(b *testing.B) {
	sizes(b, func(b *testing.B, docs []search.Doc) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		x := build(docs)
		runtime.GC()
		runtime.ReadMemStats(&after)
		for b.Loop() {
			build(docs)
		}
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB-in-use")
		runtime.KeepAlive(x)
	})
}

func BenchmarkSearch(b *testing.B) {
	sizes(b, func(b *testing.B, docs []search.Doc) {
		fresh := build(docs)
		frozen, err := search.Decode(fresh.Encode())
		if err != nil {
			b.Fatal(err)
		}
		for name, x := range map[string]*search.Index{"fresh": fresh, "frozen": frozen} {
			for _, q := range questions(docs) {
				b.Run(name+"/"+q.name, func(b *testing.B) {
					query := search.Parse(q.text)
					for b.Loop() {
						x.Search(query, search.Options{Limit: 10})
					}
				})
			}
		}
	})
}

type question struct{ name, text string }

// questions consist of words that many documents contain, which is the slow case.
func questions(docs []search.Doc) []question {
	middle := strings.Fields(docs[len(docs)/2].Content)
	return []question{
		{"1word", spell(40)},
		{"3words", spell(10) + " " + spell(60) + " " + spell(300)},
		{"long", "why does the " + strings.Join(middle[:30], " ") + " when it should not"},
		{"miss", "xylophonq"},
		{"prompt10KB", strings.Repeat(docs[0].Content+" ", 10)},
	}
}

func BenchmarkEncode(b *testing.B) {
	sizes(b, func(b *testing.B, docs []search.Doc) {
		x := build(docs)
		var out []byte
		for b.Loop() {
			out = x.Encode()
		}
		b.ReportMetric(float64(len(out))/1e6, "MB")
	})
}

func BenchmarkDecode(b *testing.B) {
	sizes(b, func(b *testing.B, docs []search.Doc) {
		data := build(docs).Encode()
		for b.Loop() {
			if _, err := search.Decode(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A recall in a new process: decode, apply changes, search once.
func BenchmarkCold(b *testing.B) {
	sizes(b, func(b *testing.B, docs []search.Doc) {
		data := build(docs).Encode()
		query := search.Parse(questions(docs)[1].text)
		for b.Loop() {
			x, err := search.Decode(data)
			if err != nil {
				b.Fatal(err)
			}
			x.Put(docs[0])
			x.Search(query, search.Options{Limit: 10})
		}
	})
}

func BenchmarkReplace(b *testing.B) {
	sizes(b, func(b *testing.B, docs []search.Doc) {
		x := build(docs)
		for b.Loop() {
			x.Put(docs[0])
		}
	})
}

func BenchmarkSnippet(b *testing.B) {
	docs := corpus(100)
	text, q := docs[1].Content, search.Parse(questions(docs)[2].text)
	for b.Loop() {
		search.NewSnippets(q).Of(text, 300)
	}
}

// BenchmarkAliases compares searches of documents without and with three aliases each, in one run.
func BenchmarkAliases(b *testing.B) {
	docs := corpus(1000)
	aliased := make([]search.Doc, len(docs))
	for i, d := range docs {
		words := strings.Fields(docs[(i+1)%len(docs)].Content)
		for j := range 3 {
			d.Aliases = append(d.Aliases, strings.Join(words[8*j:8*j+8], " "))
		}
		aliased[i] = d
	}
	without, with := build(docs), build(aliased)
	var plain, more time.Duration
	for b.Loop() {
		for _, q := range questions(docs) {
			query := search.Parse(q.text)
			for x, took := range map[*search.Index]*time.Duration{without: &plain, with: &more} {
				start := time.Now()
				x.Search(query, search.Options{Limit: 10})
				*took += time.Since(start)
			}
		}
	}
	n := float64(b.N * len(questions(docs)))
	b.ReportMetric(float64(more.Nanoseconds())/n/1000, "with-us")
	b.ReportMetric(float64(plain.Nanoseconds())/n/1000, "without-us")
	b.ReportMetric(float64(more)/float64(plain), "with/without")
}
