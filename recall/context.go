package recall

// inContext changes the scores of hits by those of other hits in their threads, and sorts them
// again. The score of a document without neighbours stays.
func (r *ranking) inContext(hits []Hit) {
	if r.Best == 0 && r.TwoBefore == 0 && r.OneBefore == 0 && r.OneAfter == 0 {
		return
	}
	// The frequencies are all zero by now and have room for the scores.
	in := blocks{ranking: r}
	for _, hit := range hits {
		best := &r.threads[in.row(hit.Doc).thread].own
		r.own[hit.Doc-r.base], *best = hit.Score, max(*best, hit.Score)
	}
	scoreOf := func(doc Doc) float32 {
		if doc == 0 {
			return 0
		}
		return r.own[doc-r.base]
	}
	if r.query.Explain {
		r.context = make(map[Doc]float32, len(hits))
	}
	for i, hit := range hits {
		of := in.row(hit.Doc)
		if of.isAlone() {
			continue
		}
		prev, next := in.prev(hit.Doc), in.next(hit.Doc)
		around := r.Best*r.threads[of.thread].own + r.OneBefore*scoreOf(prev) + r.OneAfter*scoreOf(next)
		if prev != 0 {
			around += r.TwoBefore * scoreOf(in.prev(prev))
		}
		hits[i].Score = (hit.Score + around) / (1 + r.Best)
		if r.query.Explain {
			r.context[hit.Doc] = hits[i].Score - hit.Score
		}
	}
	for _, hit := range hits {
		r.own[hit.Doc-r.base], r.threads[in.row(hit.Doc).thread].own = 0, 0
	}
	sortHits(hits)
}
