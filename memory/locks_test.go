package memory_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A read lock must not be taken again while it is held: if a writer waits in between, both
// wait forever.
func TestNoMethodThatHoldsItsLockCallsOneThatTakesIt(t *testing.T) {
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	checked := 0
	for _, entry := range entries {
		if entry.IsDir() {
			methods := methodsIn(t, entry.Name())
			for _, m := range methods {
				if m.locks {
					checked++
				}
			}
			assert.Empty(t, relocking(methods), entry.Name())
		}
	}
	assert.Greater(t, checked, 40)
}

func TestAMethodThatTakesItsLockTwiceIsFound(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "room.go"), []byte(`package room

func (r *Room) Count() int { r.mu.RLock(); defer r.mu.RUnlock(); return r.sum() + 1 }
func (r *Room) sum() int   { return len(r.List()) }
func (r *Room) List() []int { r.mu.RLock(); defer r.mu.RUnlock(); return r.list }
func (r *Room) Both() int  { n := r.Count(); r.mu.Lock(); defer r.mu.Unlock(); return n }
func (r *Room) Later() func() int { r.mu.RLock(); defer r.mu.RUnlock(); return r.read }
func (r *Room) read() int  { return r.n }
`), 0o600))
	assert.Equal(t, []string{"Room.Count calls sum"}, relocking(methodsIn(t, dir)))
}

// A method is what a method does with the lock of its receiver.
type method struct {
	locks bool
	// calls are the methods of the receiver that it calls, under are those that it calls
	// after it has taken the lock.
	calls, under []string
}

// methodsIn returns the methods of a package by "Type.name".
func methodsIn(t *testing.T, dir string) map[string]method {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	methods := map[string]method{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || len(f.Recv.List[0].Names) == 0 {
				continue
			}
			if name, ok := typeName(f.Recv.List[0].Type); ok {
				methods[name+"."+f.Name.Name] = methodOf(f)
			}
		}
	}
	return methods
}

func typeName(e ast.Expr) (string, bool) {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	name, ok := e.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}

// methodOf reads a method in the order of its text. A lock is held until an Unlock that is
// not deferred.
func methodOf(f *ast.FuncDecl) method {
	receiver := f.Recv.List[0].Names[0].Name
	var m method
	held, deferred := false, map[*ast.CallExpr]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			deferred[d.Call] = true
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if on, ok := selector.X.(*ast.Ident); ok && on.Name == receiver {
			m.calls = append(m.calls, selector.Sel.Name)
			if held {
				m.under = append(m.under, selector.Sel.Name)
			}
			return true
		}
		if mu, ok := selector.X.(*ast.SelectorExpr); ok && mu.Sel.Name == "mu" {
			switch selector.Sel.Name {
			case "Lock", "RLock":
				m.locks, held = true, true
			case "Unlock", "RUnlock":
				held = held && deferred[call]
			}
		}
		return true
	})
	return m
}

// relocking returns the calls under a lock of methods that take it, directly or not.
func relocking(methods map[string]method) []string {
	var takes func(name string, seen map[string]bool) bool
	takes = func(name string, seen map[string]bool) bool {
		m, known := methods[name]
		if !known || seen[name] {
			return false
		}
		seen[name] = true
		of, _, _ := strings.Cut(name, ".")
		for _, called := range m.calls {
			if takes(of+"."+called, seen) {
				return true
			}
		}
		return m.locks
	}
	var found []string
	for name, m := range methods {
		of, _, _ := strings.Cut(name, ".")
		for _, called := range m.under {
			if takes(of+"."+called, map[string]bool{}) {
				found = append(found, name+" calls "+called)
			}
		}
	}
	return found
}
