package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ltm/server"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
)

func (a *app) serveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:  "serve",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return a.serve(c.Context()) },
	}
	a.options.registerServer(c.Flags())
	return c
}

func (a *app) serve(ctx context.Context) (err error) {
	log := a.logger()
	store, err := a.openDatabase(ctx, sqlite.Options{MustExist: true, Server: true, Patience: purgePatience})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	users, err := store.ListUsers(ctx)
	if err != nil {
		return failed("cannot read the database", err)
	}
	if len(users) == 0 {
		return &fault{status: exitNotFound, message: a.options.shownDatabase() + " has no users",
			next: "\"ltm-server init\" adds the first one"}
	}
	noteErased, stopNoting, err := a.journalRegularly(ctx, store.Threads(), log)
	if err != nil {
		return err
	}
	defer stopNoting()
	options, err := a.serverOptions(store, log)
	if err != nil {
		return err
	}
	if shared, ok := store.(server.Limits); ok && a.options.postgres() {
		options.Limits = shared
	}
	memory, stopWorking, err := a.remember(ctx, store.Threads(), noteErased, log)
	if err != nil {
		return err
	}
	defer stopWorking()
	options.Memory = memory
	handler, err := server.New(options)
	if err != nil {
		return &fault{status: exitInvalid, message: "cannot start", cause: err}
	}
	web := server.HTTPServer(&mcpOverHTTP{handler, http.NewCrossOriginProtection()}, log)
	again, err := a.secure(web, log)
	if err != nil {
		return err
	}
	defer onHangup(again)()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", a.options.addr)
	if err != nil {
		return &fault{status: exitFailure, message: "cannot listen on " + a.options.addr, cause: err,
			next: "--addr takes another address"}
	}
	if err := a.announce(log, listener.Addr()); err != nil {
		return errors.Join(failed("cannot say where it listens", err), listener.Close())
	}
	defer a.purgeRegularly(ctx, store, log)()
	defer shareLimits(ctx, handler, log)()
	if err := server.Serve(ctx, web, listener, server.Grace); err != nil {
		return &fault{status: exitFailure, message: "the server ended", cause: err}
	}
	log.Info("stopped")
	return nil
}

// secure gives a server its certificate, if it has one. again is what SIGHUP does.
func (a *app) secure(web *http.Server, log *slog.Logger) (again func(), err error) {
	if a.options.tlsCert == "" {
		return func() { log.Info("there is no certificate to read again") }, nil
	}
	refused := func(err error) { log.Error("the new certificate cannot be used; the old one stays", "error", err) }
	cert, err := openCertificate(a.options.tlsCert, a.options.tlsKey, refused)
	if err != nil {
		return nil, &fault{status: exitInvalid, message: "cannot use --tls-cert and --tls-key", cause: err}
	}
	web.TLSConfig = cert.config()
	return func() {
		if err := cert.reload(); err != nil {
			refused(err)
			return
		}
		log.Info("read the certificate again")
	}, nil
}

// logger returns the log, which goes to standard error.
func (a *app) logger() *slog.Logger {
	if a.options.log == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, nil))
	}
	return slog.New(slog.NewTextHandler(a.stderr, nil))
}

// serverOptions translates the options of the command line. They were checked.
func (a *app) serverOptions(store server.Storage, log *slog.Logger) (server.Options, error) {
	o := a.options
	rate := func(perSecond int) server.Rate {
		return server.Rate{PerSecond: float64(perSecond), Burst: perSecond * burst}
	}
	proxies, err := networks("trusted-proxies", o.trustedProxies)
	if err != nil {
		return server.Options{}, err
	}
	scrapers, err := networks("metrics-from", o.metricsFrom)
	if err != nil {
		return server.Options{}, err
	}
	key, err := o.sessionKey()
	if err != nil {
		return server.Options{}, err
	}
	return server.Options{Storage: store, Log: log, Version: version, ExternalURL: o.externalURL,
		TrustedProxies: proxies, Quota: server.Quota{Packets: o.maxPackets, Bytes: o.maxBytes}, MaxTeams: o.maxTeams,
		MaxMembers: o.maxMembers, MaxInvites: o.maxInvites, MaxTokens: o.maxTokens, TokenRate: rate(o.perToken),
		AddressRate: rate(o.perAddress), KeyRate: rate(o.perKey), UserRate: rate(o.perUser),
		InviteLife: o.inviteLife, TokenLife: o.tokenLife,
		RefuseSecrets: o.refuseSecrets, Metrics: o.metrics, MetricsFrom: scrapers, SessionKey: key}, nil
}

// announce says where the server listens, and warns if tokens would be readable on the way.
func (a *app) announce(log *slog.Logger, at net.Addr) error {
	scheme := "http"
	if a.options.tlsCert != "" {
		scheme = "https"
	}
	log.Info("listening", "url", scheme+"://"+at.String(), "database", a.options.shownDatabase(), "version", version)
	tcp, ok := at.(*net.TCPAddr)
	if ok && !tcp.IP.IsLoopback() && scheme == "http" && len(a.options.trustedProxies) == 0 {
		log.Warn("tokens can be read on the network: use --tls-cert, or a proxy with https and --trusted-proxies")
	}
	if a.listening != nil {
		return a.listening(scheme + "://" + at.String())
	}
	return nil
}

// purgePatience is for how long a purge waits for a pause between changes to rewrite the file of SQLite, for which they
// wait otherwise: with millions of packets, that takes minutes. Removed data is gone from the file only then.
const purgePatience = time.Hour

// background runs a function until its context ends, or the function that it returns is called, which waits for it.
func background(ctx context.Context, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// purgeEvery returns how often a server removes what has been over for some time.
func purgeEvery(after time.Duration) time.Duration { return min(max(after, time.Hour), 24*time.Hour) }

// purgeRegularly removes what was deleted or over for long enough, now and at most every hour, in the [background].
func (a *app) purgeRegularly(ctx context.Context, s server.Storage, log *slog.Logger) (stop func()) {
	if a.options.purgeAfter == 0 {
		return func() {}
	}
	return background(ctx, func(ctx context.Context) {
		for {
			gone, err := s.Purge(ctx, a.now().Add(-a.options.purgeAfter))
			switch {
			case err != nil && ctx.Err() == nil:
				log.Error("cannot purge what is over", "error", err)
			case gone != server.Purged{}:
				log.Info("purged what is over", "packets", gone.Packets, "teams", gone.Teams, "users", gone.Users,
					"tokens", gone.Tokens, "invites", gone.Invites, "devices", gone.Devices, "answers", gone.Keys)
			}
			if sqlstore.Pause(ctx, purgeEvery(a.options.purgeAfter)) != nil {
				return
			}
		}
	})
}

// shareLimits has a server share its limits with others, in the [background].
func shareLimits(ctx context.Context, s *server.Server, log *slog.Logger) (stop func()) {
	return background(ctx, func(ctx context.Context) {
		failing := false
		for sqlstore.Pause(ctx, server.LimitsEvery) == nil {
			err := s.ShareLimits(ctx)
			if err != nil && !failing && ctx.Err() == nil {
				log.Error("limits hold for this server alone, which cannot tell others what it counted", "error", err)
			}
			failing = err != nil
		}
	})
}

// onHangup calls fn at each SIGHUP until the function that it returns is called.
func onHangup(fn func()) (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-signals:
				fn()
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}
