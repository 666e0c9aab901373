package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// jobTotals reads how far the side effects of events are whenever metrics are read, and what became of models' calls.
type jobTotals struct {
	memory Memory
	now    func() time.Time
}

func (jobTotals) jobs() *prometheus.Desc {
	return prometheus.NewDesc("ltm_jobs",
		"Side effects of events by kind and state. Those that failed are not tried again.",
		[]string{"kind", "state"}, nil)
}

func (jobTotals) oldest() *prometheus.Desc {
	return prometheus.NewDesc("ltm_jobs_oldest_pending_seconds",
		"How long the oldest side effect waits that is not done; 0 without one.", nil, nil)
}

func (jobTotals) calls() *prometheus.Desc {
	return prometheus.NewDesc("ltm_model_calls_total",
		"Calls of models by this server, by purpose and result: ok, or why they failed.",
		[]string{"purpose", "result"}, nil)
}

// Describe implements prometheus.Collector.
func (t jobTotals) Describe(out chan<- *prometheus.Desc) {
	out <- t.calls()
	out <- t.jobs()
	out <- t.oldest()
}

// Collect implements prometheus.Collector. If the database does not answer, what it has is left out.
func (t jobTotals) Collect(out chan<- prometheus.Metric) {
	for call, n := range t.memory.ModelCalls() {
		out <- prometheus.MustNewConstMetric(t.calls(), prometheus.CounterValue, float64(n), call.Purpose, call.Result)
	}
	ctx, cancel := context.WithTimeout(context.Background(), totalsTime)
	defer cancel()
	counts, oldest, err := t.memory.JobTotals(ctx)
	if err != nil {
		return
	}
	for state, kinds := range counts {
		for kind, n := range kinds {
			out <- prometheus.MustNewConstMetric(t.jobs(), prometheus.GaugeValue, float64(n), string(kind),
				string(state))
		}
	}
	age := 0.0
	if !oldest.IsZero() {
		age = max(t.now().Sub(oldest).Seconds(), 0)
	}
	out <- prometheus.MustNewConstMetric(t.oldest(), prometheus.GaugeValue, age)
}
