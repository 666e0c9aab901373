package conveval_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

// TestFiles prints the figures of the files that are named behind -args, with VECTORS also those with the vectors of
// the MODEL at this endpoint.
func TestFiles(t *testing.T) {
	for _, name := range flag.Args() {
		require.NoError(t, evaluate(name, os.Getenv("VECTORS"), os.Getenv("MODEL"), os.Stdout), name)
	}
}

func evaluate(name, url, model string, w io.Writer) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	set, err := Parse(data)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n  evidence: %d parts name no turn, %d were mended; %d questions have none left\n",
		name, set.Malformed, set.Mended, set.Without); err != nil {
		return err
	}
	ways := []way{{"each user", Options{}}, {"each user, without the names of speakers",
		Options{Nameless: true}}, {"all in one pile", Options{Pile: true}}}
	if url != "" {
		vectors, err := embed(set, url, model)
		if err != nil {
			return err
		}
		for _, weight := range []float64{0, 0.1, 0.2, 0.3, 0.5, 1} {
			ways = append(ways, way{fmt.Sprintf("each user, vectors with a weight of %.1f", weight),
				Options{Vectors: vectors, Weight: weight}})
		}
	}
	for _, way := range ways {
		if err := Measure(set, way.Options).Print(w, way.title, set.Categories); err != nil {
			return err
		}
	}
	return nil
}

// way is one way to measure.
type way struct {
	title string
	Options
}

// atOnce is how many texts one request has.
const atOnce = 64

// embed returns the vectors of all turns and questions of a set.
func embed(set Set, url, model string) (Vectors, error) {
	client, err := provider.New(provider.Options{
		Endpoint: provider.Endpoint{BaseURL: url, Model: cmp.Or(model, "model")},
		Env: provider.Env{Now: time.Now, Random: func() float64 { return 0 },
			Sleep: func(_ context.Context, d time.Duration) error { time.Sleep(d); return nil }},
		Meter: provider.NewMeter(func(string) int64 { return provider.Unlimited }, nil, time.Now()), Batch: atOnce})
	if err != nil {
		return nil, err
	}
	all := Vectors{}
	for texts := range slices.Chunk(set.Texts(), atOnce) {
		vectors, err := client.Embed(context.Background(), "conveval", texts)
		if err != nil {
			return nil, err
		}
		for i, text := range texts {
			all[text] = vectors[i].Values
		}
	}
	return all, nil
}

func TestEvaluate(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, evaluate(filepath.Join("..", "..", "testdata", "conversation", "own.json"), "", "", &out))
	for _, part := range []string{"evidence: 0 parts name no turn", "each user: 3 memories, 220 turns",
		"all in one pile: 1 memories, 220 turns", "1 multi-hop", "5 unanswerable", "2000: recall"} {
		require.Contains(t, out.String(), part)
	}
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		var data []string
		for i, text := range asked.Input {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[1,%d]}`, i, len(text)))
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	defer endpoint.Close()
	hard := filepath.Join("..", "..", "testdata", "conversation", "hard.json")
	require.NoError(t, evaluate(hard, endpoint.URL, "", &out))
	for _, part := range []string{"each user, vectors with a weight of 0.0", "weight of 0.3", "weight of 1.0"} {
		require.Contains(t, out.String(), part)
	}
	require.ErrorIs(t, evaluate("no-such-file.json", "", "", &out), os.ErrNotExist)
}
