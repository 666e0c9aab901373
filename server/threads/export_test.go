package threads

import (
	"context"
	"time"

	"ltm/server/conversation"
	"ltm/server/provider"
)

// Tests reach parts that only jobs and queries use through these.

// AfterFailure is a job after a failed call.
func AfterFailure(j Job, err error, now time.Time) Job { return afterFailure(j, err, now) }

// Extracted is what a model's answer amounts to.
func Extracted(x provider.Extraction, shown []conversation.Event, holds []conversation.Claim, set Settings) (
	[]conversation.Act, []string) {
	return extracted(x, question{shown: shown, holds: holds}, set)
}

// ShownTo is what a model is shown.
func ShownTo(events []conversation.Event) ([]conversation.Event, []provider.Event) {
	return shownTo(events)
}

// EmbedJobs does jobs that embed.
func (s *Service) EmbedJobs(ctx context.Context, jobs []Job) error { return s.embedJobs(ctx, jobs) }

// EmbedQuery is the vector of a query.
func (s *Service) EmbedQuery(ctx context.Context, app, text string) ([]float32, string, string) {
	return s.embedQuery(ctx, app, text)
}

// Fill embeds rows without a vector until the context ends.
func (s *Service) Fill(ctx context.Context) { s.fill(ctx) }

// RetainDue is what is done once an hour for retention.
func (s *Service) RetainDue(ctx context.Context) (int64, error) { return s.retainDue(ctx) }

// Retain deletes all events that are kept no longer.
func (s *Service) Retain(ctx context.Context) (int64, error) { return s.retain(ctx, true) }

// FillVectors embeds a page of rows without a vector.
func (s *Service) FillVectors(ctx context.Context, after string) (next string, err error) {
	next, _, err = s.fillPage(ctx, after)
	return next, err
}
