package recall

// inContext changes the scores of hits by those of other hits in their threads, and sorts them
// again. The score of a document without neighbours stays.
func (r *ranking) inContext(hits []Hit) {
	if r.Best == 0 && r.TwoBefore == 0 && r.OneBefore == 0 && r.OneAfter == 0 {
		return
	}
	// The frequencies are all zero by now and have room for the scores.
	score, in := r.own, blocks{ranking: r}
	for _, hit := range hits {
		best := &r.threads[in.row(hit.Doc).thread].own
		score[hit.Doc], *best = hit.Score, max(*best, hit.Score)
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
		around := r.Best*r.threads[of.thread].own + r.OneBefore*score[prev] + r.OneAfter*score[next]
		if prev != 0 {
			around += r.TwoBefore * score[in.prev(prev)]
		}
		hits[i].Score = (hit.Score + around) / (1 + r.Best)
		if r.query.Explain {
			r.context[hit.Doc] = hits[i].Score - hit.Score
		}
	}
	for _, hit := range hits {
		score[hit.Doc], r.threads[in.row(hit.Doc).thread].own = 0, 0
	}
	sortHits(hits)
}
