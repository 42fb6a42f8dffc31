package main

import (
	"math"
	"math/rand/v2"
	"sort"
	"sync"
)

// A dense matrix, row after row.
type dense struct {
	rows, width int
	values      []float32
}

func newDense(rows, width int) dense {
	return dense{rows, width, make([]float32, rows*width)}
}

func (m dense) row(i int) []float32 { return m.values[i*m.width:][:m.width] }

// parallel calls do for every number below n, on two cores. What do writes for one number must
// not depend on another, so the result is the same in any order.
func parallel(n int, do func(i int)) {
	const workers = 2
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	group.Wait()
}

// times returns m·right. Each row is summed in the order of its columns.
func (m sparse) times(right dense) dense {
	result := newDense(m.rows, right.width)
	parallel(m.rows, func(i int) {
		sum := result.row(i)
		for k := m.starts[i]; k < m.starts[i+1]; k++ {
			addScaled(sum, right.row(int(m.columns[k])), m.values[k])
		}
	})
	return result
}

// addScaled adds scale·of to sum. The conversion forbids the compiler to fuse the operations,
// which would give other digits on some processors.
func addScaled(sum, of []float32, scale float32) {
	of = of[:len(sum)]
	for i := range sum {
		sum[i] += float32(scale * of[i])
	}
}

// gram returns the products of all pairs of columns, symmetric, width × width.
func (m dense) gram() [][]float64 {
	result := make([][]float64, m.width)
	for i := range result {
		result[i] = make([]float64, m.width)
	}
	const band = 16
	parallel((m.width+band-1)/band, func(b int) {
		last := min((b+1)*band, m.width)
		for row := range m.rows {
			values := m.row(row)
			for i := b * band; i < last; i++ {
				left, to := float64(values[i]), result[i]
				for j := i; j < m.width; j++ {
					to[j] += float64(left * float64(values[j]))
				}
			}
		}
	})
	for i := range result {
		for j := range i {
			result[i][j] = result[j][i]
		}
	}
	return result
}

// timesSquare returns m·right for a matrix of width rows.
func (m dense) timesSquare(right [][]float64) dense {
	width := len(right[0])
	result := newDense(m.rows, width)
	parallel(m.rows, func(i int) {
		sum := make([]float64, width)
		for k, left := range m.row(i) {
			for j, value := range right[k] {
				sum[j] += float64(float64(left) * value)
			}
		}
		for j, value := range sum {
			result.row(i)[j] = float32(value)
		}
	})
	return result
}

// orthonormal returns columns that span the same space and are orthogonal, of length 1, by the
// factor of Cholesky, twice because of rounding. Columns that depend on others become zero.
func (m dense) orthonormal() dense {
	for range 2 {
		m = m.timesSquare(invertedFactor(m.gram()))
	}
	return m
}

// invertedFactor returns the inverse of the upper triangular r with rᵀ·r = a.
func invertedFactor(a [][]float64) [][]float64 {
	n := len(a)
	r, inverse := make([][]float64, n), make([][]float64, n)
	for i := range n {
		r[i], inverse[i] = make([]float64, n), make([]float64, n)
	}
	for i := range n {
		for j := i; j < n; j++ {
			rest := a[i][j]
			for k := range i {
				rest -= float64(r[k][i] * r[k][j])
			}
			switch {
			case j > i && r[i][i] > 0:
				r[i][j] = rest / r[i][i]
			case j == i && rest > 1e-9*a[i][i]:
				r[i][i] = math.Sqrt(rest)
			}
		}
	}
	for j := range n {
		if r[j][j] == 0 {
			continue
		}
		inverse[j][j] = 1 / r[j][j]
		for i := j - 1; i >= 0; i-- {
			if r[i][i] == 0 {
				continue
			}
			var sum float64
			for k := i + 1; k <= j; k++ {
				sum += float64(r[i][k] * inverse[k][j])
			}
			inverse[i][j] = -sum / r[i][i]
		}
	}
	return inverse
}

// eigen returns the eigenvalues of a symmetric matrix, descending, and the eigenvectors as
// columns, by the method of Jacobi. The matrix is overwritten.
func eigen(a [][]float64) (values []float64, vectors [][]float64) {
	n := len(a)
	v := make([][]float64, n) // eigenvectors as rows
	for i := range v {
		v[i] = make([]float64, n)
		v[i][i] = 1
	}
	for range 60 {
		var outside, inside float64
		for i := range n {
			inside += a[i][i] * a[i][i]
			for j := range i {
				outside += a[i][j] * a[i][j]
			}
		}
		if outside <= 1e-24*inside {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, v, p, q)
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return a[order[i]][order[i]] > a[order[j]][order[j]] })
	values, vectors = make([]float64, n), make([][]float64, n)
	for i := range vectors {
		vectors[i] = make([]float64, n)
	}
	for to, from := range order {
		values[to] = a[from][from]
		sign := 1.0
		if largest(v[from]) < 0 {
			sign = -1
		}
		for i := range n {
			vectors[i][to] = sign * v[from][i]
		}
	}
	return values, vectors
}

// largest returns the value that is the farthest from zero.
func largest(values []float64) float64 {
	var found float64
	for _, value := range values {
		if math.Abs(value) > math.Abs(found) {
			found = value
		}
	}
	return found
}

// rotate makes a[p][q] zero.
func rotate(a, v [][]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := t * c
	for k := range a {
		x, y := a[k][p], a[k][q]
		a[k][p], a[k][q] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	rotateRows(a[p], a[q], c, s)
	rotateRows(v[p], v[q], c, s)
}

func rotateRows(p, q []float64, c, s float64) {
	for k := range p {
		x, y := p[k], q[k]
		p[k], q[k] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
}

// A factoring configures how a matrix becomes vectors.
type factoring struct {
	dimensions, extra, rounds int
	power                     float64 // exponent of the singular values
	seed                      uint64
}

// factor returns for each row of the matrix its coordinates by the largest singular values,
// each to a power: a randomised singular value decomposition.
func factor(m sparse, how factoring) dense {
	width := min(how.dimensions+how.extra, m.rows, m.width)
	other := m.transposed()
	random := rand.New(rand.NewPCG(how.seed, 0))
	start := newDense(m.width, width)
	for i := range start.values {
		start.values[i] = float32(1 - 2*int(random.Uint64()>>63))
	}
	q := m.times(start).orthonormal()
	for range how.rounds {
		q = m.times(other.times(q).orthonormal()).orthonormal()
	}
	// m ≈ q·bᵀ with b = mᵀ·q; the eigenvectors of bᵀ·b turn q into the left singular vectors.
	values, turn := eigen(other.times(q).gram())
	dimensions := min(how.dimensions, width)
	for i := range turn {
		turn[i] = turn[i][:dimensions]
		for j := range turn[i] {
			turn[i][j] *= math.Pow(max(values[j], 0), how.power/2)
		}
	}
	return q.timesSquare(turn)
}
