package search_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
	"ltm/tools/searcheval/eval"
)

// Each language has 40 notes and a question about each. The floors are a little below what is reached, so that a
// change which loses two questions is seen.
func TestLanguages(t *testing.T) {
	for _, c := range []struct {
		name         string
		recall5, mrr float64
	}{{"de", 0.875, 0.78}, {"es", 0.95, 0.91}, {"ja", 0.975, 0.95}, {"zh", 0.975, 0.97}} {
		t.Run(c.name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "search", c.name+".json"))
			require.NoError(t, err)
			task, err := eval.Parse(data)
			require.NoError(t, err)
			require.Len(t, task.Questions, 40)
			r := eval.Measure(task, eval.MinScore)
			require.GreaterOrEqual(t, r.All.R5/40, c.recall5, "recall@5; missed: %s", r.Misses)
			require.GreaterOrEqual(t, r.All.MRR/40, c.mrr, "missed: %s", r.Misses)
		})
	}
}

// In a script without spaces, pairs of characters are words: what has the characters in other words comes behind.
func TestScriptsWithoutSpaces(t *testing.T) {
	for name, c := range map[string]struct{ right, other, question string }{
		"Chinese":         {"我在上海学习音乐", "海上的音学会乐", "上海音乐"},
		"Chinese, longer": {"我在上海学习音乐已经三年了每天都很忙", "海乐上音", "上海音乐"},
		"Japanese":        {"東京都の図書館で働く", "京都東の書図館", "東京の図書館"},
		"Korean":          {"서울에서 음악을 공부한다", "음서울악공에서", "서울에서 음악"},
		"Thai":            {"ฉันเรียนดนตรีที่กรุงเทพ", "ดนฉันที่ตรีเทพกรุง", "ดนตรีกรุงเทพ"},
		"Lao":             {"ຂ້ອຍຮຽນດົນຕີ", "ຕີດົນຮຽນຂ້ອຍ", "ຮຽນດົນຕີ"},
		"Burmese":         {"ကျွန်တော်ဂီတသင်တယ်", "တယ်သင်ဂီတော်ကျွန်", "ဂီတသင်"},
		"Khmer":           {"ខ្ញុំរៀនតន្ត្រី", "តន្ត្រីរៀនខ្ញុំ", "រៀនតន្ត្រី"},
	} {
		t.Run(name, func(t *testing.T) {
			x := search.New()
			x.Put(search.Doc{ID: "right", Content: c.right})
			x.Put(search.Doc{ID: "other", Content: c.other})
			x.Put(search.Doc{ID: "none", Content: "something else"})
			hits, _ := x.Search(search.Words(c.question), search.Options{})
			require.NotEmpty(t, hits)
			require.Equal(t, "right", hits[0].ID)
			if len(hits) > 1 {
				require.Greater(t, hits[0].Score, hits[1].Score)
			}
		})
	}
}
