package skills

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// The kinds of changes of practice. They are hot, and folding them does not depend on their order.
const (
	// begun means that a prompt began an episode of the session that is the subject. The payload is
	// a beginning.
	begun change.Kind = "practice.begun"
	// practised means that the session did something. The payload is a practice.
	practised change.Kind = "practice.recorded"
	// mined means that skills were looked for. The payload is the number of steps until then.
	mined change.Kind = "practice.mined"
)

const sessionDeleted = sessions.Deleted

// A beginning is the beginning of an episode.
type beginning struct {
	Turn    int    `json:"turn"`
	Purpose string `json:"purpose"`
}

// A practice is what a session did with one tool.
type practice struct {
	Turn  int           `json:"turn"`
	Steps []mining.Step `json:"steps,omitempty"`
	// Wrote are files that it wrote and that were not there before, as far as is known.
	Wrote []string `json:"wrote,omitempty"`
}

// doing is what a session does now.
type doing struct {
	Turn int `json:"turn,omitempty"`
	// Wrote are the files that the session wrote, sorted, at most maxWrote.
	Wrote []string `json:"wrote,omitempty"`
}

const (
	maxWrote = 200
	// maxPurpose is how much of a prompt is kept, in bytes.
	maxPurpose = 2000
)

// add adds files. It reports whether there was a new one.
func (d *doing) add(files []string) bool {
	before := len(d.Wrote)
	files = slices.Concat(d.Wrote, files)
	slices.Sort(files)
	files = slices.Compact(files)
	d.Wrote = files[:min(len(files), maxWrote)]
	return len(d.Wrote) > before
}

// observeMessage returns the change that begins an episode with a prompt.
func (r *Room) observeMessage(ev event.Event, body event.MessageReceived) []change.Change {
	if body.Role != "user" || strings.TrimSpace(body.Text) == "" {
		return nil
	}
	text := firstLines(body.Text)
	return []change.Change{change.New(begun, ev.Session, beginning{r.turn(ev.Session) + 1, text}).AsHot()}
}

// firstLines returns the whole lines with which a string begins, as far as they are kept. No line is cut,
// so that what is erased is found in it.
func firstLines(text string) string {
	end := 0
	for line := range strings.Lines(text) {
		if end+len(line) > maxPurpose {
			break
		}
		end += len(line)
	}
	return strings.TrimSpace(text[:end])
}

func (r *Room) turn(session string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.doing[session].Turn
}

// observeTool returns the change that records what a tool did, if that may be a part of a procedure.
func (r *Room) observeTool(ev event.Event, body event.ToolRan) []change.Change {
	did := practice{Turn: r.turn(ev.Session)}
	changed := func(file, cwd string) (string, bool) {
		rel, tracked := r.env.Tracked(ev.Worktree, cwd, file)
		step := mining.Step{File: rel}
		if tracked && !slices.ContainsFunc(did.Steps, func(s mining.Step) bool { return s.File == rel }) {
			did.Steps = append(did.Steps, step)
		}
		return rel, tracked
	}
	switch kind := tool.KindOf(r.env.Settings().Tools, body.Tool); kind {
	case tool.Edit, tool.Write:
		if body.Failed {
			return nil
		}
		for _, file := range tool.Files(body.Input) {
			if rel, tracked := changed(file, body.Cwd); tracked && kind == tool.Write {
				did.Wrote = append(did.Wrote, rel)
			}
		}
	case tool.Shell:
		run := body.Run(ev.Worktree, r.env.Settings().Errors)
		for _, e := range run.Command.Effects(run.Output) {
			if e.Action != command.Edits && e.Action != command.Writes ||
				!e.Sure && !r.env.Exists(ev.Worktree, e.Path) {
				continue
			}
			if rel, tracked := changed(e.Path, run.Output.Cwd); tracked && e.Action == command.Writes {
				did.Wrote = append(did.Wrote, rel)
			}
		}
		did.Steps = append(did.Steps, mining.StepsOf(run, func(file string) bool {
			return slices.Contains(did.Wrote, file) || r.wrote(ev.Session, file)
		})...)
	}
	if len(did.Steps) == 0 {
		return nil
	}
	return []change.Change{change.New(practised, ev.Session, did).AsHot()}
}

// episodesIn returns the episodes in rows of the table. A row that cannot be read is left out.
func episodesIn(rows *sql.Rows) ([]mining.Episode, error) {
	type place struct {
		session string
		turn    int
	}
	var episodes []mining.Episode
	at := map[place]int{}
	for rows.Next() {
		var of place
		var millis int64
		var purpose, doc string
		var steps []mining.Step
		if rows.Scan(&of.session, &of.turn, &millis, &purpose, &doc) != nil ||
			(change.Row{Key: "steps", Value: json.RawMessage(doc)}).Decode(&steps) != nil {
			continue
		}
		i, known := at[of]
		if !known {
			i = len(episodes)
			at[of] = i
			episodes = append(episodes, mining.Episode{
				Session: of.session, Turn: of.turn, At: time.UnixMilli(millis).UTC(),
			})
		}
		if purpose != "" {
			episodes[i].Purpose = purpose
		}
		episodes[i].Steps = append(episodes[i].Steps, steps...)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the practice: %w", err)
	}
	return episodes, nil
}

func encode(steps []mining.Step) string {
	doc, err := json.Marshal(steps)
	if err != nil { // strings can be encoded
		panic(err)
	}
	return string(doc)
}

// Looked returns the change that records that skills were looked for in a number of new steps.
func (r *Room) Looked(fresh int) change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return change.New(mined, "", r.counts[minedKey]+fresh).AsHot()
}
