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
		m.registry.MustRegister(reading(s.readMetrics))
		h := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2, DisableCompression: true})
		s.router.page("GET /metrics", policy{Access: scrapers},
			func(w http.ResponseWriter, r *http.Request, _ *call) { h.ServeHTTP(w, r) })
	}
	return m
}

// reading is metrics that are read whenever someone asks for them.
type reading func(send func(name, help string, kind prometheus.ValueType, value float64, labels prometheus.Labels))

// Describe implements prometheus.Collector. Nothing is known of them before they are read.
func (reading) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (r reading) Collect(out chan<- prometheus.Metric) {
	r(func(name, help string, kind prometheus.ValueType, value float64, labels prometheus.Labels) {
		out <- prometheus.MustNewConstMetric(prometheus.NewDesc("ltm_"+name, help, nil, labels), kind, value)
	})
}

// totalsTime is how long the database may take for the metrics.
const totalsTime = 5 * time.Second

// readMetrics reads what the database holds, how this server gets on with it, how far the side effects of events are,
// and what became of models' calls. If the database does not answer, what it has is left out.
func (s *Server) readMetrics(send func(string, string, prometheus.ValueType, float64, prometheus.Labels)) {
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	send("build_info", "1, with the version of the program.", gauge, 1,
		prometheus.Labels{"version": s.opts.Version, "goversion": runtime.Version()})
	n := s.store.Stats()
	for kind, failed := range map[kind]int64{kindBusy: n.Busy, kindFull: n.Full, kindAway: n.Away} {
		send("database_errors_total", "Operations that the database failed, by the kind of problem.", counter,
			float64(failed), prometheus.Labels{"kind": string(kind)})
	}
	for state, connections := range map[string]int{"open": n.Open, "in_use": n.InUse} {
		send("database_connections", "Connections to the database that are open, and those of them in use.", gauge,
			float64(connections), prometheus.Labels{"state": state})
	}
	send("database_waits_total", "How often a connection to the database was waited for.", counter,
		float64(n.Waits), nil)
	send("database_wait_seconds_total", "How long connections to the database were waited for.", counter,
		n.Waited.Seconds(), nil)
	send("last_purge_timestamp_seconds", "When a purge by this server last succeeded; 0 before the first.", gauge,
		seconds(n.Purged), nil)
	if n.Free != nil {
		send("database_disk_free_bytes", "Bytes that are free on the database's disk.", gauge, float64(*n.Free), nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), totalsTime)
	defer cancel()
	if n, err := s.store.Totals(ctx); err == nil {
		for name, count := range map[string]int64{"users": n.Users, "tokens": n.Tokens, "teams": n.Teams,
			"invites": n.Invites, "packets": n.Packets, "packet_bytes": n.Bytes, "apps": n.Apps,
			"app_keys": n.AppKeys, "app_users": n.Subjects} {
			send(name, "What the database holds, without what was deleted.", gauge, float64(count), nil)
		}
		send("last_backup_timestamp_seconds",
			"When \"ltm-server backup\" last succeeded for this database; 0 before the first.", gauge,
			seconds(n.BackedUp), nil)
	}
	if s.opts.Memory == nil {
		return
	}
	for call, n := range s.opts.Memory.ModelCalls() {
		send("model_calls_total", "Calls of models by this server, by purpose and result: ok, or why they failed.",
			counter, float64(n), prometheus.Labels{"purpose": call.Purpose, "result": call.Result})
	}
	counts, oldest, err := s.opts.Memory.JobTotals(ctx)
	if err != nil {
		return
	}
	for state, kinds := range counts {
		for kind, n := range kinds {
			send("jobs", "Side effects of events by kind and state. Those that failed are not tried again.", gauge,
				float64(n), prometheus.Labels{"kind": string(kind), "state": string(state)})
		}
	}
	age := 0.0
	if !oldest.IsZero() {
		age = max(s.opts.Now().Sub(oldest).Seconds(), 0)
	}
	send("jobs_oldest_pending_seconds", "How long the oldest side effect waits that is not done; 0 without one.", gauge,
		age, nil)
}

// seconds returns a time as metrics have it, 0 for none.
func seconds(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return float64(at.UnixMicro()) / 1e6
}

func (m *metrics) answered(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}
