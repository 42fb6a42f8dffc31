package recall

// inContext changes the scores of hits by those of other hits in their threads, and sorts them
// again. The score of a document without neighbours stays.
func (r *ranking) inContext(hits []Hit) {
	if r.Best == 0 && r.TwoBefore == 0 && r.OneBefore == 0 && r.OneAfter == 0 {
		return
	}
	// The frequencies are all zero by now and have room for the scores.
	score, best := r.own, r.inThread
	for _, hit := range hits {
		first := r.feature(hit.Doc).Thread
		score[hit.Doc], best[first] = hit.Score, max(best[first], hit.Score)
	}
	if r.query.Explain {
		r.context = make(map[Doc]float32, len(hits))
	}
	for i, hit := range hits {
		f := r.feature(hit.Doc)
		if f.isAlone() {
			continue
		}
		around := r.Best*best[f.Thread] + r.OneBefore*score[f.Prev] + r.OneAfter*score[f.Next]
		if f.Prev != 0 {
			around += r.TwoBefore * score[r.feature(f.Prev).Prev]
		}
		hits[i].Score = (hit.Score + around) / (1 + r.Best)
		if r.query.Explain {
			r.context[hit.Doc] = hits[i].Score - hit.Score
		}
	}
	for _, hit := range hits {
		score[hit.Doc], best[r.feature(hit.Doc).Thread] = 0, 0
	}
	sortHits(hits)
}
