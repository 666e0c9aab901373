package server

import (
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
		h := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2, DisableCompression: true})
		s.router.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r) })
		s.router.allow("GET /metrics", policy{Access: scrapers})
	}
	return m
}

func (m *metrics) answered(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}
