package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

// effects returns the effects of a command as words; "?" follows what only the disk can
// tell.
func effects(line, output string, exit int) string {
	var words []string
	out := command.Output{Stdout: output, ExitCode: &exit, Cwd: "/r", Root: "/r"}
	for _, e := range command.Parse(line).Effects(out) {
		word := string(e.Action) + " " + e.Path
		if e.To != "" {
			word += " to " + e.To
		}
		if e.Last > 0 {
			word += fmt.Sprintf(" %d-%d", e.First, e.Last)
		}
		if e.Part {
			word += " in part"
		}
		if e.Restores {
			word += " back"
		}
		if !e.Sure {
			word += "?"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func TestWhatACommandDoesToFiles(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"cat a.go", "read a.go"},
		{"cd src && nl -ba a.go | head -50", "read src/a.go 1-50"},
		{"sed -n '1,200p' a.go", "read a.go 1-200"},
		{"sed -n 7p a.go", "read a.go 7-7"},
		{"head -n 20 a.go b.go", "read a.go 1-20, read b.go 1-20"},
		{"head -30 a.go", "read a.go 1-30"},
		{"tail -n 5 log.txt", "read log.txt in part"},
		{"less README.md", "read README.md"},
		{"grep -n 'func x' a.go", "read a.go in part"},
		{"rg -n -e x -e y src/a.go", "read src/a.go in part"},
		{"grep -nC 5 'func x' a.go", "read a.go in part"},
		{"grep -inA 3 'func x' a.go b.go", "read a.go in part, read b.go in part"},
		{"grep -nC5 'func x' a.go", "read a.go in part"},
		{"awk '{print $1}' a.csv", "read a.csv in part"},
		{"sed -i 's/a/b/' a.go b.go", "edit a.go, edit b.go"},
		{"sed -i.bak -e s/a/b/ a.go", "edit a.go"},
		{"perl -pi -e 's/a/b/' a.go", "edit a.go"},
		{"echo x > a.txt", "write a.txt"},
		{"echo x >> a.txt", "edit a.txt"},
		{"make 2>&1 | tee build.log", "write build.log"},
		{"cat <<'EOF' > src/new.go\npackage src\nEOF", "write src/new.go"},
		{"{ echo a; echo b; } > a.txt", "write a.txt"},
		{"> empty.txt", "write empty.txt"},
		{"mv a.go b.go", "rename a.go to b.go"},
		{"mv a.go b.go pkg/", "rename a.go to pkg/a.go, rename b.go to pkg/b.go"},
		{"git mv a.go lib/a.go", "rename a.go to lib/a.go"},
		{"cp a.go b.go", "write b.go"},
		{"rm -rf a.go build/*.tmp", "delete a.go, delete build/*.tmp"},
		{"git rm a.go", "delete a.go"},
		{"git rm --cached a.go", ""},
		{"git checkout -- a.go", "edit a.go back"},
		{"git checkout main", ""},
		{"git restore a.go", "edit a.go back"},
		{"git apply <<'X'\n--- a/a.go\n+++ b/a.go\nX", "edit a.go"},
		{"apply_patch <<'X'\n*** Add File: n.go\n*** Update File: a.go\nX", "write n.go, edit a.go"},
		{"gofmt -w a.go", "edit a.go"},
		{"gofmt -l a.go", ""},
		{"black a.py", "edit a.py"},
		{"black --check a.py", ""},
		{"npx prettier --write a.ts", "edit a.ts"},
		{"ruff format a.py", "edit a.py"},
		{"bash -lc 'cd web && cat a.ts'", "read web/a.ts"},
		{"cat a.go 2>/dev/null || true", "read a.go?"},
		{"docker exec web cat a.go", "read a.go?"},
		{"docker exec web mv a.go b.go", "rename a.go to b.go?"},
		{"docker exec web gofmt -w a.go", "edit a.go?"},
		{"docker exec web git rm a.go", "delete a.go?"},
		{"docker exec web git checkout -- a.go", "edit a.go back?"},
		{"docker exec web bash -c 'mv a.go b.go; cp b.go c.go'", "rename a.go to b.go?, write c.go?"},
		{"docker exec -i web git apply <<'X'\n+++ b/a.go\nX", "edit a.go?"},
		{"docker exec web cat a.go > b.go", "read a.go?, write b.go"},
		{"mv a.go b.go 2>/dev/null", "rename a.go to b.go?"},
		{"git mv a.go b.go &>/dev/null", "rename a.go to b.go?"},
		{"gofmt -w a.go 2>/dev/null; cat b.go", "edit a.go?, read b.go"},
		{"bash -c 'rm a.go' 2>/dev/null", "delete a.go?"},
		{"{ mv a.go b.go; rm c.go; } 2>/dev/null", "rename a.go to b.go?, delete c.go?"},
		{"echo x 2>/dev/null > a.txt", "write a.txt"},
		{"nl -ba a.go | sed -n '285,350p'", "read a.go 285-350"},
		{"cat a.go b.go | head -n 5", "read a.go 1-5, read b.go 1-5"},
		{"cat a.go | tail -n 5", "read a.go in part"},
		{"sed -n '/begin/,/end/p' a.go", "read a.go in part"},
		{"sed -n '10,90p' a.go | grep x", "read a.go in part"},
		{"sed 's/a/b/' a.go | less", "read a.go"},
		{"test -f a.go && cat a.go", "read a.go"},
		{"test -f a.go && cat a.go || true", "read a.go?"},
		{"test -f a.go && cat a.go; true", "read a.go?"},
		{"cat a.go || cat b.go", "read a.go, read b.go?"},
		{"cd src && cat a.go; true", "read src/a.go"},
		{"if [ -f a.go ]; then cat a.go; else cat b.go; fi", "read a.go?, read b.go?"},
		{"while read x; do cat a.go; done < list", "read a.go?"},
		{"case $x in y) rm a.go;; esac", "delete a.go?"},
		{"for x in 1 2; do cat a.go; done", "read a.go"},
		{"bash -c 'echo x' > a.txt", "write a.txt"},
		{"git -C sub log > a.txt", "write a.txt"},
		{"cd sub > a.txt", "write a.txt"},
		{"python - <<'E'\nopen('a.py', 'w').write(x)\nE", "write a.py"},
		{
			"python3 <<'E'\nfrom pathlib import Path\np = Path(\"src/a.py\")\ns = p.read_text()\np.write_text(s)\nE",
			"edit src/a.py",
		},
		{
			"cd web && python - <<'E'\nf='a.ts'\ns=open(f).read()\nwith open(f, 'w') as o: o.write(s)\nE",
			"edit web/a.ts",
		},
		{"python -c \"open('a.txt','a').write('x')\"", "write a.txt"},
		{
			"python - <<'E'\nfor f in ['a.py', 'b/c.py']:\n  s = open(f).read()\n  open(f, 'w').write(s)\nE",
			"edit a.py, edit b/c.py",
		},
		{"python - <<'E'\nprint(open('a.py').read())\nE", ""},
		{"node -e \"const fs=require('fs');fs.writeFileSync('a.json', '{}')\"", "write a.json"},
		{
			"node <<'E'\nconst f = 'src/a.ts'\nfs.writeFileSync(f, fs.readFileSync(f).replace('a', 'b'))\nE",
			"edit src/a.ts",
		},
		{
			"cat > /tmp/fix.py <<'E'\nopen('a.py', 'w').write(x)\nE\npython /tmp/fix.py && python b.py",
			"write /tmp/fix.py, write a.py",
		},
		{"ruby -e \"File.write('a.rb', 'x')\"", "write a.rb"},
		{"cat $FILE ~/x /dev/null -", ""},
		{"grep -n 'def a(self):' 'def b(self):'", ""},
		{"cd $tmp && cat a.go", ""},
		{"cat *.go", ""},
		{"go test ./... > /dev/null", ""},
	} {
		assert.Equal(t, c.want, effects(c.line, "", 0), c.line)
	}
	assert.Equal(t, "read a.go?", effects("cat a.go && false", "", 1), "a failure proves nothing")
	assert.Equal(t, "read b.go", effects("cat a.go b.go; true", "cat: a.go: No such file or directory\n", 0))
	assert.Equal(
		t,
		"read src in part, grep src/a.go?, grep src/b.go?",
		effects("grep -rn x src", "src/a.go:1:x\nsrc/a.go:2:x\nsrc/b.go:9:x\n", 0),
	)
	assert.Equal(t, "edit a.go back", effects("git checkout a.go", "Updated 1 path from the index\n", 0))
	assert.Equal(t, "edit a.go back, edit b back", effects("git checkout a.go b", "Updated 2 paths from 1a2b3c4\n", 0))
	assert.Empty(t, effects("git checkout feature/x", "Switched to branch 'feature/x'\n", 0))
	many := strings.Builder{}
	for i := range 9 {
		fmt.Fprintf(&many, "src/%d.go:1:x\n", i)
	}
	assert.Equal(t, 5, strings.Count(effects("rg x", many.String(), 0), "grep"), "a search credits five files")
	for line, want := range map[string]string{
		"rg --files -g '*.go'":          "glob src/a.go?",
		"rg --files | rg a":             "glob src/a.go?",
		"find . -name '*.go' | grep a":  "glob src/a.go?",
		"find . | xargs grep -n a":      "grep src/a.go?",
		"git ls-files | grep -v test":   "glob src/a.go?",
		"git log --oneline | grep fix":  "",
		"cat notes.txt | grep src":      "read notes.txt in part",
		"grep -rn x src | grep -v test": "read src in part, grep src/a.go?",
		"find . | head; grep -rn x .":   "read . in part, grep src/a.go?",
	} {
		assert.Equal(t, want, effects(line, "src/a.go\n", 0), line)
	}
}
