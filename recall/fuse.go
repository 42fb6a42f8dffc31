package recall

// InVector is why a document was found if a model for embeddings says that it is near the query in
// meaning.
const InVector Reason = "vector"

// A Near is a document with the cosine between its vector and that of the query.
type Near struct {
	Doc    Doc
	Cosine float32
}

// fusePool is how many of the nearest documents say what cosine means nothing.
const fusePool = 100

// Fuse adds vectors of a model to what words have found: the nearest document gets weight, and one
// that is as far as the hundredth nearest gets nothing, because cosines of one model are all high
// and of another all low. Near must be sorted, the nearest first; documents that words did not find
// join the hits. explain asks for the parts of scores.
func Fuse(hits []Hit, near []Near, weight float32, explain bool) []Hit {
	if len(near) == 0 || weight <= 0 {
		return hits
	}
	top, least := near[0].Cosine, near[min(len(near), fusePool)-1].Cosine
	known := make(map[Doc]int, len(hits))
	for i, hit := range hits {
		known[hit.Doc] = i
	}
	for _, one := range near {
		share := float32(1)
		if top > least {
			share = (one.Cosine - least) / (top - least)
		}
		if share <= 0 {
			continue
		}
		at, is := known[one.Doc]
		if !is {
			at = len(hits)
			hits = append(hits, Hit{Doc: one.Doc})
		}
		hits[at].Score += weight * share
		if explain {
			hits[at].Parts = append(hits[at].Parts, Part{Reason: InVector, Score: weight * share})
		}
	}
	sortHits(hits)
	return hits
}
