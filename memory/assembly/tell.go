package assembly

import (
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
)

// maxNews is how many tokens the news between two prompts have.
const maxNews = 1500

// Tell returns what a session has to be told that was told something before, nil if nothing
// is known of that: the whole context if start is true or the session does not know it any
// more, otherwise the news. It returns a report of what the session then knows, nil if nothing
// changes. News for which there is no room are not in the report and stay news.
func (c *Composition) Tell(former *briefing.State, start bool) (Answer, *briefing.Report) {
	packed := c.pack()
	session, _ := c.from.sessions.Get(c.request.Session)
	answer := Answer{Revision: revision(packed, session.Compactions)}
	report := &briefing.Report{Turn: session.Turn, Compactions: session.Compactions}
	if start || !former.Holds(session.Turn, session.Compactions) {
		answer.Context = c.measured(packed)
		report.Whole, report.Start, report.Items = true, start, recorded(itemsOf(packed))
		return answer, report
	}
	news := c.fitting(newsOf(knownItems(former.Items), packed))
	for _, n := range news {
		if n.item == nil {
			report.Gone = append(report.Gone, n.key)
		} else {
			report.Items = append(report.Items, briefing.ItemOf(n.key.Section, *n.item))
		}
	}
	if len(news) > 0 {
		answer.Delta = deltaOf(news)
		return answer, report
	}
	answer.Unchanged = true
	if former.Compactions != session.Compactions {
		return answer, report
	}
	return answer, nil
}

// maxNewsLine is how many characters one of the news has. The agent can read the rest.
const maxNewsLine = 900

// fitting returns the first news that fit together, each cut to maxNewsLine.
func (c *Composition) fitting(news []newsItem) []newsItem {
	budget := c.assembler.budgets(Budget{Tokens: maxNews})[0]
	used := 0
	for i := range news {
		news[i].line = shorten.Chars(news[i].line, maxNewsLine)
		if used += budget.Measure(news[i].line + "\n"); used > budget.Max {
			return news[:i]
		}
	}
	return news
}

// Written returns a report by which a session that was told something knows items that it has
// written itself, nil if there are none: is reports whether it has written an item of a section.
func (c *Composition) Written(former *briefing.State, is func(section, id string) bool) *briefing.Report {
	if former == nil {
		return nil
	}
	report := &briefing.Report{Start: former.Start, Turn: former.Turn, Compactions: former.Compactions}
	for _, n := range newsOf(knownItems(former.Items), c.pack()) {
		switch {
		case !is(n.key.Section, n.key.ID):
		case n.item == nil:
			report.Gone = append(report.Gone, n.key)
		default:
			report.Items = append(report.Items, briefing.ItemOf(n.key.Section, *n.item))
		}
	}
	if len(report.Items)+len(report.Gone) == 0 {
		return nil
	}
	return report
}
