package provider

import (
	"context"
	"math"
)

// probe is a question and its answer, which have no word of content in common.
type probe struct{ question, answer string }

func probes() []probe {
	return []probe{
		{"Where does she live?", "My flat is in the old town of Lisbon."},
		{"What is his job?", "I am employed as a nurse at the hospital."},
		{"Does the family have pets?", "Our dog and two cats sleep on the sofa."},
		{"Which foods make her ill?", "I am allergic to peanuts and milk."},
		{"What sport does he play?", "Every Tuesday I go to tennis practice."},
		{"When is the wedding?", "We are getting married on the third of June."},
	}
}

// EnoughKnown is of how many probes a model that is of use finds the answer at least. One that knows nothing finds one
// of six by chance, and four in one of a hundred tries.
const EnoughKnown = 4

// Knows asks a model for embeddings for vectors of questions and answers in other words, and returns to how many of the
// questions their own answer is the nearest: a model that only compares letters finds few.
func Knows(ctx context.Context, embed func(context.Context, string, []string) ([]Vector, error), app string) (
	found, of int, err error) {
	all := probes()
	texts := make([]string, 0, 2*len(all))
	for _, p := range all {
		texts = append(texts, p.question, p.answer)
	}
	vectors, err := embed(ctx, app, texts)
	if err != nil {
		return 0, 0, err
	}
	for i := range all {
		best, nearest := math.Inf(-1), -1
		for j := range all {
			if c := Cosine(vectors[2*i].Values, vectors[2*j+1].Values); c > best {
				best, nearest = c, j
			}
		}
		if nearest == i {
			found++
		}
	}
	return found, len(all), nil
}

// Cosine returns that of the angle between two vectors, and 0 if one of them has no direction.
func Cosine(a, b []float32) float64 {
	var dot, x, y float64
	for i := range min(len(a), len(b)) {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}
