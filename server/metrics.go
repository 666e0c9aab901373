package server

import (
	"context"
	"net/http"
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
		m.registry.MustRegister(totals{s.store})
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
}

func (m *metrics) answered(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}
