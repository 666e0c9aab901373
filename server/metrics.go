package server

import (
	"context"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts what the server does, in a registry of its own. Labels have few values: no paths,
// no users.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	failures *prometheus.CounterVec
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ltm_http_requests_total",
			Help: "Requests by route and status."}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "ltm_http_request_duration_seconds",
			Help:    "How long requests took, by route.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}}, []string{"route"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ltm_http_limited_total",
			Help: "Requests refused because there were too many, by limit."}, []string{"limit"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ltm_auth_failures_total",
			Help: "Wrong tokens and codes."}, []string{"kind"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.limited, m.failures, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if s.opts.Metrics {
		m.registry.MustRegister(totals{s.store}, pool{s.store}, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "ltm_build_info", Help: "1, with the version of the program.",
			ConstLabels: prometheus.Labels{"version": s.opts.Version, "goversion": runtime.Version()},
		}, func() float64 { return 1 }))
		if s.opts.Memory != nil {
			m.registry.MustRegister(jobTotals{s.opts.Memory, s.opts.Now})
		}
		h := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2, DisableCompression: true})
		s.router.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r) })
		s.router.allow("GET /metrics", policy{Access: scrapers})
	}
	return m
}

// totals reads what the database holds whenever metrics are read.
type totals struct{ store Storage }

// totalsTime is how long the database may take for it.
const totalsTime = 5 * time.Second

func (totals) gauge(name string) *prometheus.Desc {
	return prometheus.NewDesc("ltm_"+name, "What the database holds, without what was deleted.", nil, nil)
}

// Describe implements prometheus.Collector.
func (t totals) Describe(out chan<- *prometheus.Desc) {
	for _, name := range []string{"users", "tokens", "teams", "invites", "packets", "packet_bytes", "apps",
		"app_keys", "app_users"} {
		out <- t.gauge(name)
	}
	out <- t.backup()
}

// Collect implements prometheus.Collector. If the database does not answer, these are left out.
func (t totals) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), totalsTime)
	defer cancel()
	n, err := t.store.Totals(ctx)
	if err != nil {
		return
	}
	for name, count := range map[string]int64{"users": n.Users, "tokens": n.Tokens, "teams": n.Teams,
		"invites": n.Invites, "packets": n.Packets, "packet_bytes": n.Bytes, "apps": n.Apps,
		"app_keys": n.AppKeys, "app_users": n.Subjects} {
		out <- prometheus.MustNewConstMetric(t.gauge(name), prometheus.GaugeValue, float64(count))
	}
	out <- prometheus.MustNewConstMetric(t.backup(), prometheus.GaugeValue, seconds(n.BackedUp))
}

func (totals) backup() *prometheus.Desc {
	return prometheus.NewDesc("ltm_last_backup_timestamp_seconds",
		"When \"ltm-server backup\" last succeeded for this database; 0 before the first.", nil, nil)
}

// seconds returns a time as metrics have it, 0 for none.
func seconds(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return float64(at.UnixMicro()) / 1e6
}

// pool reads how this server gets on with its database whenever metrics are read.
type pool struct{ store Storage }

// poolMetric is one of them, from its name to its value now.
type poolMetric struct {
	name, help, label, is string // label is the name of the only label, and is its value; none if empty
	kind                  prometheus.ValueType
	value                 float64
}

func (p pool) all() []poolMetric {
	const (
		failed = "Operations that the database failed, by the kind of problem."
		open   = "Connections to the database that are open, and those of them in use."
	)
	n := p.store.Stats()
	all := []poolMetric{
		{"database_errors_total", failed, "kind", string(kindBusy), prometheus.CounterValue, float64(n.Busy)},
		{"database_errors_total", failed, "kind", string(kindFull), prometheus.CounterValue, float64(n.Full)},
		{"database_errors_total", failed, "kind", string(kindAway), prometheus.CounterValue, float64(n.Away)},
		{"database_connections", open, "state", "open", prometheus.GaugeValue, float64(n.Open)},
		{"database_connections", open, "state", "in_use", prometheus.GaugeValue, float64(n.InUse)},
		{"database_waits_total", "How often a connection to the database was waited for.", "", "",
			prometheus.CounterValue, float64(n.Waits)},
		{"database_wait_seconds_total", "How long connections to the database were waited for.", "", "",
			prometheus.CounterValue, n.Waited.Seconds()},
		{"last_purge_timestamp_seconds", "When a purge by this server last succeeded; 0 before the first.", "", "",
			prometheus.GaugeValue, seconds(n.Purged)},
	}
	if n.Free != nil {
		all = append(all, poolMetric{"database_disk_free_bytes", "Bytes that are free on the database's disk.", "", "",
			prometheus.GaugeValue, float64(*n.Free)})
	}
	return all
}

func (m poolMetric) desc() *prometheus.Desc {
	var labels prometheus.Labels
	if m.label != "" {
		labels = prometheus.Labels{m.label: m.is}
	}
	return prometheus.NewDesc("ltm_"+m.name, m.help, nil, labels)
}

// Describe implements prometheus.Collector.
func (p pool) Describe(out chan<- *prometheus.Desc) {
	for _, m := range p.all() {
		out <- m.desc()
	}
}

// Collect implements prometheus.Collector.
func (p pool) Collect(out chan<- prometheus.Metric) {
	for _, m := range p.all() {
		out <- prometheus.MustNewConstMetric(m.desc(), m.kind, m.value)
	}
}

func (m *metrics) answered(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

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
