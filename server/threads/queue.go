package threads

import "ltm/server/conversation"

// telling is the importance from which a model is asked what an event says about the user.
const telling = 5

// queue adds the jobs that new events set off.
func (w *work) queue(t Thread, all []fresh, added []Added) error {
	cause := ""
	for i, a := range added {
		if !a.New {
			continue
		}
		e := a.Event
		if all[i].suggests {
			if err := w.queueJob(JobSuggest, Ref{KindEvent, e.ID}, t.ID, e.ID); err != nil {
				return err
			}
		}
		if e.Role == conversation.User && e.Importance >= telling {
			if err := w.queueJob(JobExtract, Ref{KindEvent, e.ID}, t.ID, e.ID); err != nil {
				return err
			}
		}
		if err := w.queueVector(Ref{KindEvent, e.ID}, e.Thread, e.ID); err != nil {
			return err
		}
		if due, err := w.summaryDue(t, e); err != nil {
			return err
		} else if due {
			cause = e.ID
		}
	}
	if cause == "" {
		return nil
	}
	return w.queueJob(JobSummarize, Ref{KindThread, t.ID}, t.ID, cause)
}

// summaryDue reports whether an event may give a summary something to do: an answer ends a turn, and a window of events
// may be full without one.
func (w *work) summaryDue(t Thread, e Event) (bool, error) {
	if e.Role == conversation.Assistant {
		return true, nil
	}
	if e.Role != conversation.User {
		return false, nil
	}
	seq, err := lastLookedAt(w, t)
	return e.Seq-seq >= conversation.Window, err
}

func (w *work) queueJob(kind JobKind, of Ref, thread, cause string) error {
	return w.AddJob(Job{Subject: w.who, Kind: kind, Thread: thread, Of: of, Cause: cause, State: JobPending,
		CreatedAt: w.now, RunAt: w.now})
}

// queueVector has a row embedded, if there is a model for it. Without one, it is filled in when there is.
func (w *work) queueVector(of Ref, thread, cause string) error {
	if w.s.o.Models.Embeddings == nil {
		return nil
	}
	return w.queueJob(JobEmbed, of, thread, cause)
}

// wake tells workers that there may be something to do.
func (s *Service) wake() {
	for _, c := range []chan struct{}{s.wakeRules, s.wakeModels} {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
