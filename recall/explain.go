package recall

import "slices"

// explain sets the parts of the hits. The parts of the query are gone through once more, because
// a search that explains nothing keeps only their sums.
func (r *ranking) explain(hits []Hit) {
	threads, in := make([]float32, len(hits)), blocks{ranking: r}
	for i, hit := range hits {
		threads[i] = r.Thread * r.threads[in.row(hit.Doc).thread].score / r.total
	}
	for k := range r.parts {
		p := &r.parts[k]
		r.frequencies(p)
		for i, hit := range hits {
			if x := r.own[hit.Doc-r.base]; x != 0 {
				part := Part{Reason: InNearby, Word: p.word, Score: p.weight * saturated(x, r.K1) / r.total}
				if p.word == "" {
					part.Reason = OnDate
				} else if slices.ContainsFunc(p.lists, func(list List) bool { return list.has(hit.Doc) }) {
					part.Reason = InText
				}
				hits[i].Parts = append(hits[i].Parts, part)
			}
		}
		r.clearPart()
	}
	r.markSaid()
	defer r.unmarkSaid()
	days := r.days()
	for i, hit := range hits {
		of := in.row(hit.Doc)
		a := r.added(hit.Doc, of, &days)
		parts := append(hits[i].Parts, Part{Reason: InThread, Score: threads[i]},
			Part{Reason: Said, Score: a.said}, Part{Reason: OnDate, Score: a.date},
			Part{Reason: Asked, Score: a.asked}, Part{Reason: Prior, Score: a.prior})
		var sum float32
		for _, part := range parts {
			sum += part.Score
		}
		if sum != 0 {
			level := r.levelled(of, sum) / sum
			for k := range parts {
				parts[k].Score *= level
			}
		}
		parts = append(parts, Part{Reason: InMeaning, Score: r.meaning[hit.Doc]},
			Part{Reason: InContext, Score: r.context[hit.Doc]})
		hits[i].Parts = slices.DeleteFunc(parts, func(part Part) bool { return part.Score == 0 })
	}
}

func (l List) has(doc Doc) bool {
	_, is := slices.BinarySearch(l.Docs, doc)
	return is
}
