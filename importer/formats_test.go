package importer

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// said are the entries of a memory, as "type: text [rationale] file:line".
func said(memory Memory) (all []string) {
	for _, e := range memory.Entries {
		text := e.Type + ": " + e.Text
		if e.Rationale != "" {
			text += " [" + e.Rationale + "]"
		}
		all = append(all, text+" "+e.File+":"+string(rune('0'+e.Line%10)))
	}
	return all
}

// noted are the notes of the sessions of a memory, as "agent:id path".
func noted(memory Memory) (all []string) {
	for _, s := range memory.Sessions {
		for _, note := range s.Notes {
			all = append(all, s.Agent+":"+s.ID+" "+note.Path)
		}
	}
	return all
}

func TestWhatEachFormatIsReadAs(t *testing.T) {
	for name, c := range map[string]struct {
		file, text  string
		from        string // the format that recognizes it
		said, noted []string
	}{
		"rules of an instruction file, not its prose": {
			file: "AGENTS.md", from: "instructions",
			text: "# Shop\n\nThe shop is written in Go and used by many people. Never log card numbers.\n\n" +
				"## Style\n\n- Tabs, not spaces\n- **Always** run `make check`\n  before a commit\n" +
				"- See [docs](docs/a.md)\n- [ ] write the tests\n\n| Use | this |\n\n" +
				"```\n- never read\n```\n<!-- - never read -->\n@docs/more.md\n",
			said: []string{
				"feedback: Never log card numbers. AGENTS.md:3", "project: Style: Tabs, not spaces AGENTS.md:7",
				"feedback: Always run `make check` before a commit AGENTS.md:8",
			},
		},
		"a rule of Cursor with the files that it is for": {
			file: ".cursor/rules/ts.mdc", from: "instructions",
			text: "---\r\ndescription: x\r\nglobs: *.ts\r\nalwaysApply: false\r\n---\r\n" +
				"- Never use the type any, use unknown\r\n",
			said: []string{"feedback: Never use the type any, use unknown [for *.ts] .cursor/rules/ts.mdc:6"},
		},
		"a rule of Cursor with a list of the files that it is for": {
			file: ".cursor/rules/ts.mdc", from: "instructions",
			text: "---\nglobs: [\"*.ts\", '[a-z]*.tsx']\n---\n- Never use the type any, use unknown\n",
			said: []string{
				"feedback: Never use the type any, use unknown [for *.ts, [a-z]*.tsx] .cursor/rules/ts.mdc:4",
			},
		},
		"a rule of Cursor for a pattern that begins with a bracket": {
			file: ".cursor/rules/ts.mdc", from: "instructions",
			text: "---\nglobs: [ab].[ch]\n---\n- Never use the type any, use unknown\n",
			said: []string{"feedback: Never use the type any, use unknown [for [ab].[ch]] .cursor/rules/ts.mdc:4"},
		},
		"what wm-lsp has written is left out": {
			file: "CLAUDE.md", from: "instructions",
			text: "<!-- wm-lsp:begin x -->\n- Never read this, it is our own text\n<!-- wm-lsp:end -->\n" +
				"- Never skip this line of the file\n",
			said: []string{"feedback: Never skip this line of the file CLAUDE.md:4"},
		},
		"items below one that ends with a colon": {
			file: "GEMINI.md", from: "instructions",
			text: "## Naming\n\n- Components:\n  - PascalCase\n  - never abbreviate\n",
			said: []string{"feedback: Components: never abbreviate GEMINI.md:5"},
		},
		"a topic of Claude Code": {
			file: "memory/feedback_tests.md", from: "claude-memory",
			text: "---\nname: tests\ndescription: how to test\ntype: feedback\n---\n\nRun one package, never all.\n\n" +
				"**Why:** they take an hour.\n\n**How to apply:** name it.\n",
			said: []string{"feedback: Run one package, never all. [they take an hour.] memory/feedback_tests.md:7"},
		},
		"an index of Claude Code": {
			file: "memory/MEMORY.md", from: "claude-memory",
			text: "# Memory\n\n- [tests](feedback_tests.md) — how to test\n" +
				"- Always build with make, never with go build\n",
			said: []string{"feedback: Always build with make, never with go build memory/MEMORY.md:4"},
		},
		"an index of Claude Code without topics": {
			file: "memory/MEMORY.md", from: "claude-memory",
			text: "# Memory\n\n- Amounts are integers in cents, because floats round\n- Ports:\n  - staging: 8081\n",
			said: []string{
				"project: Amounts are integers in cents, because floats round memory/MEMORY.md:3",
				"project: Ports: staging: 8081 memory/MEMORY.md:5",
			},
		},
		"an index of Claude Code with prose": {
			file: "MEMORY.md", from: "claude-memory",
			text:  "The staging server is slow.\n\n- Totals are rounded once, at the end\n",
			said:  []string{"project: Totals are rounded once, at the end MEMORY.md:3"},
			noted: []string{"claude-memory:documents detail/" + noteName("MEMORY") + ".md"},
		},
		"an index of Claude Code with code": {
			file: "MEMORY.md", from: "claude-memory",
			text:  "- Totals are rounded once, at the end\n\n```\nmake check\n```\n",
			said:  []string{"project: Totals are rounded once, at the end MEMORY.md:1"},
			noted: []string{"claude-memory:documents detail/" + noteName("MEMORY") + ".md"},
		},
		"a memory of Serena": {
			file: ".serena/memories/code/style.md", from: "serena",
			text: "# Style\n\nProse about style.\n\n- Use snake case for all columns\n",
			said: []string{"feedback: Use snake case for all columns .serena/memories/code/style.md:5"},
			noted: []string{
				"serena:documents detail/" + noteName("code/style") + ".md",
			},
		},
		"a file of Cline's memory bank": {
			file: "memory-bank/systemPatterns.md", from: "cline-memory-bank",
			text:  "# Patterns\n\n- Repositories never call services\n",
			said:  []string{"feedback: Repositories never call services memory-bank/systemPatterns.md:3"},
			noted: []string{"cline-memory-bank:documents detail/systemPatterns.md"},
		},
		"the state of the work in Cline's memory bank": {
			file: "memory-bank/activeContext.md", from: "cline-memory-bank",
			text:  "- Never mind, use the other branch today\n",
			noted: []string{"cline-memory-bank:documents detail/activeContext.md"},
		},
		"a note of basic-memory": {
			file: "coffee.md", from: "basic-memory",
			text: "---\ntitle: Coffee\ntype: note\npermalink: coffee\n---\n\n# Coffee\n\n" +
				"- [decision] Beans are bought weekly #shop (they get stale)\n" +
				"- [method] Coffee is brewed at 95 degrees\n" +
				"- pairs_with [[Cake]]\n",
			said: []string{
				"decision: Coffee: Beans are bought weekly [they get stale] coffee.md:9",
				"project: Coffee is brewed at 95 degrees coffee.md:0",
			},
			noted: []string{"basic-memory:documents detail/coffee.md"},
		},
		"a knowledge graph of server-memory": {
			file: "graph.json", from: "server-memory",
			text: `{"type":"entity","name":"Ann","entityType":"preference","observations":["likes tabs",""]}` +
				"\n" +
				`{"type":"relation","from":"Ann","to":"Shop","relationType":"works_at"}` + "\n",
			said: []string{"feedback: Ann: likes tabs graph.json:1", "project: Ann works at Shop graph.json:2"},
		},
		"the result of mem0": {
			file: "m.json", from: "mem0",
			text: `{"results":[{"id":"1","memory":"Likes tea","categories":["user_preferences"]},
				{"id":"2","memory":""}],"relations":[]}`,
			said: []string{"feedback: Likes tea m.json:0"},
		},
		"a list of mem0": {
			file: "m.json", from: "mem0", text: `[{"id":1,"memory":"Lives in Rome","metadata":{"type":"reference"}}]`,
			said: []string{"reference: Lives in Rome m.json:0"},
		},
		"a backup of OpenMemory": {
			file: "memories.jsonl", from: "mem0",
			text: `{"id":"1","content":"Deploys on Fridays","state":"active"}` + "\n" +
				`{"id":"2","content":"Old","state":"archived"}` + "\n",
			said: []string{"project: Deploys on Fridays memories.jsonl:0"},
		},
		"an export of claude-mem": {
			file: "export.json", from: "claude-mem",
			text: `{"observations":[
				{"type":"decision","title":"Auth","facts":"[\"Tokens live an hour\"]","narrative":"long"},
				{"type":"discovery","title":"Cache","facts":[],"narrative":"The cache is per process"}],
				"summaries":[{"learned":"Retries double"}],"prompts":[{"prompt_text":"no"}]}`,
			said: []string{
				"decision: Auth: Tokens live an hour export.json:0", "project: The cache is per process export.json:0",
				"project: Retries double export.json:0",
			},
		},
		"the notes of a session": {
			file: ".ai/sessions/--x--/s1/working-memory/overview.md", from: "session-folders", text: "# Memory\n",
			noted: []string{"ai:s1 overview.md"},
		},
		"what a session has put aside": {
			file: ".ai/sessions/--x--/s1/working-memory/detail/a b.md", from: "session-folders", text: "x",
			noted: []string{"ai:s1 detail/" + noteName("a b") + ".md"},
		},
		"an older session of OpenCode": {
			file: ".opencode/memory-working/s.json", from: "opencode-working-memory",
			text: `{"items":[{"content":"x"}]}`,
		},
		"nothing that is known": {file: "package.json", text: `{"name":"x"}`},
		"an empty file":         {file: "CLAUDE.md", from: "instructions"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			path := h.write(filepath.Join(h.root, filepath.FromSlash(c.file)), c.text)
			memory, err := ReadPath(Place{Folders: []string{h.root}}, path, "")
			require.NoError(t, err)
			if c.from == "" {
				assert.Equal(t, []Skipped{{path, errUnknown.Error()}}, memory.Skipped)
				return
			}
			assert.Empty(t, memory.Skipped)
			assert.Equal(t, c.said, said(memory))
			assert.Equal(t, c.noted, noted(memory))
			for _, e := range memory.Entries {
				assert.Equal(t, c.from, e.Program)
				assert.NotEmpty(t, e.Key)
			}
			forced, err := ReadPath(Place{Folders: []string{h.root}}, path, c.from)
			require.NoError(t, err)
			assert.Equal(t, memory, forced, "the same if the format is named")
		})
	}
}

func TestAWorkspaceIsReadWhereProgramsKeepItsMemory(t *testing.T) {
	h := newHome(t)
	home := t.TempDir()
	for path, text := range map[string]string{
		"CLAUDE.md": "- Never push to main by hand\n", ".serena/memories/a.md": "about a",
		"memory-bank/progress.md": "b",
	} {
		h.write(filepath.Join(h.root, filepath.FromSlash(path)), text)
	}
	h.write(filepath.Join(home, ".claude", "projects", claudeFolderOf(h.root), "memory", "MEMORY.md"),
		"- Always use the staging cluster\n")
	h.write(filepath.Join(home, ".ai", "sessions", sessionFolderOf(h.root), "s1", "working-memory", "overview.md"), "c")
	h.write(filepath.Join(home, ".ai", "sessions", sessionFolderOf(h.root), "s1", "messages.jsonl"), "{}")
	at := Place{Folders: []string{h.root}, Home: home, ClaudeHome: filepath.Join(home, ".claude")}
	memory := Read(at)
	assert.Empty(t, memory.Skipped)
	assert.ElementsMatch(t, []string{
		"feedback: Never push to main by hand CLAUDE.md:1",
		"feedback: Always use the staging cluster memory/MEMORY.md:1",
	}, said(memory))
	assert.Equal(t, []string{
		"ai:s1 overview.md", "cline-memory-bank:documents detail/progress.md", "serena:documents detail/a.md",
	}, noted(memory))

	var offered []string
	for _, f := range Find(at) {
		offered = append(offered, f.Format.Name)
		assert.Equal(t, 1, f.Files, f.Format.Name)
		assert.NotEmpty(t, f.Example)
	}
	assert.Equal(t, []string{"session-folders", "claude-memory", "serena", "cline-memory-bank"}, offered,
		"not what agents read by themselves")
	assert.Len(t, Read(at, "serena").Sessions, 1)
	assert.Empty(t, Read(at, "serena").Entries)
}

func TestAFileIsReadInEachEncoding(t *testing.T) {
	const text = "- Nie „Straße“ ohne ß schreiben, must be kept\n"
	wide := func(order binary.AppendByteOrder, mark bool) []byte {
		var doc []byte
		if mark {
			doc = order.AppendUint16(doc, 0xfeff)
		}
		for _, unit := range utf16.Encode([]rune(text)) {
			doc = order.AppendUint16(doc, unit)
		}
		return doc
	}
	narrow := func() (doc []byte) {
		for _, c := range text {
			switch {
			case c == '„':
				doc = append(doc, 0x84)
			case c == '“':
				doc = append(doc, 0x93)
			default:
				doc = append(doc, byte(c))
			}
		}
		return doc
	}
	for name, doc := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\ufeff" + text),
		"UTF-16 LE": wide(binary.LittleEndian, true), "UTF-16 BE": wide(binary.BigEndian, true),
		"UTF-16 LE without a mark": wide(binary.LittleEndian, false),
		"UTF-16 BE without a mark": wide(binary.BigEndian, false),
		"UTF-16 that was cut":      append(wide(binary.LittleEndian, true), 'x'),
		"Windows-1252":             narrow(),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			path := h.write(filepath.Join(h.root, "AGENTS.md"), string(doc))
			memory, err := ReadPath(Place{Folders: []string{h.root}}, path, "")
			require.NoError(t, err)
			require.Len(t, memory.Entries, 1)
			assert.Equal(t, strings.TrimSpace(text[2:]), memory.Entries[0].Text)
		})
	}
	_, err := decode([]byte("PK\x03\x04\x00\x00\x00"))
	assert.ErrorContains(t, err, "not text")
}

func TestABrokenFileIsReadAsFarAsItGoes(t *testing.T) {
	h := newHome(t)
	at := Place{Folders: []string{h.root}}
	for name, c := range map[string]struct {
		text   string
		said   int
		reason string
	}{
		"half.json": {`{"type":"entity","name":"A","entityType":"x","observations":["one"]}` + "\n" +
			`{"type":"entity","name":"B","entityType":"x","observ`, 1, "line 2: "},
		"newer.json": {
			`{"type":"entity","name":"A","entityType":"x","observations":["one",{"text":"two"}],"v":3}` + "\n" +
				`{"type":"event","name":"B"}`, 1, `the unknown type "event"`,
		},
		"mem0.json":  {`{"results":[{"memory":"one"},{"memory":3},null,"x"]}`, 1, "entry 2: "},
		"cut.json":   {`{"results":[{"memory":"one"},{"mem`, 0, "damaged"},
		"cmem.json":  {`{"observations":[{"title":"one"},{"title":2}],"summaries":[]}`, 1, "entry 2: "},
		"wrong.json": {`{"observations":3,"summaries":[]}`, 0, "damaged"},
		"long.json": {
			`{"results":[` + strings.Repeat(`{"memory":3},`, 5000) + `{"memory":"x"}]}`, 0,
			"more than 20 entries cannot be read",
		},
		"lines.json": {
			`{"entityType":1}` + "\n" + strings.Repeat("no\n", 5000), 0, "more than 20 lines cannot be read",
		},
	} {
		t.Run(name, func(t *testing.T) {
			memory, err := ReadPath(at, h.write(filepath.Join(h.root, name), c.text), "")
			require.NoError(t, err)
			assert.Len(t, memory.Entries, c.said)
			var all []string
			for _, s := range memory.Skipped {
				all = append(all, s.Reason)
			}
			assert.Contains(t, strings.Join(all, "\n"), c.reason)
			assert.LessOrEqual(t, len(all), maxBroken+3)
		})
	}
}

func TestAFolderThatIsNamedIsReadUpToALimit(t *testing.T) {
	h := newHome(t)
	at := Place{Folders: []string{h.root}}
	dir := filepath.Join(h.data, "vault")
	for i := range maxFiles + 1 {
		h.write(filepath.Join(dir, "deep", noteName(strings.Repeat("x", i+1))+".md"),
			"---\ntitle: T\npermalink: p\n---\n- [rule] Rule "+strings.Repeat("i", i+1)+" holds\n")
	}
	h.write(filepath.Join(dir, ".git", "a.md"), "---\npermalink: p\n---\n- [rule] never\n")
	h.write(filepath.Join(dir, "image.png"), "no text")
	memory, err := ReadPath(at, dir, "")
	require.NoError(t, err)
	assert.Len(t, memory.Entries, maxFiles)
	require.Len(t, memory.Skipped, 1)
	assert.Contains(t, memory.Skipped[0].Reason, "only the newest 200 of its 201 files are read")

	none := filepath.Join(h.data, "none")
	require.NoError(t, os.MkdirAll(none, 0o700))
	_, err = ReadPath(at, none, "")
	assert.ErrorContains(t, err, "has no file of a program")
}

// documentsOfFormats are a file of each format, with the text of an entry or note of it.
var documentsOfFormats = map[string]struct{ file, text, said string }{
	"opencode-working-memory": {
		".opencode/memory-core/s.json", `{"sessionID":"s","blocks":{"goal":{"content":"Never ship ä at night"}}}`, "",
	},
	"session-folders": {".ai/sessions/--x--/s1/working-memory/overview.md", "# Never ship ä at night\n", ""},
	"claude-memory":   {"memory/MEMORY.md", "- Never ship ä at night\n", "Never ship ä at night"},
	"serena":          {".serena/memories/a.md", "- Never ship ä at night\n", "Never ship ä at night"},
	"cline-memory-bank": {
		"memory-bank/systemPatterns.md", "- Never ship ä at night\n", "Never ship ä at night",
	},
	"instructions": {"AGENTS.md", "- Never ship ä at night\n", "Never ship ä at night"},
	"claude-mem": {
		"export.json", `{"observations":[{"title":"ä","facts":["Never ship ä at night"]}],"summaries":[]}`,
		"Never ship ä at night",
	},
	"server-memory": {
		"graph.json", `{"type":"entity","name":"Shop","entityType":"x","observations":["Never ship ä at night"]}`,
		"Shop: Never ship ä at night",
	},
	"mem0": {"m.json", `{"results":[{"memory":"Never ship ä at night"}]}`, "Never ship ä at night"},
	"basic-memory": {
		"a.md", "---\ntitle: A\npermalink: a\n---\n- [rule] Never ship ä at night\n", "Never ship ä at night",
	},
}

func TestABadFileOfAnyFormatIsReadAsFarAsItGoesAndStaysAsItIs(t *testing.T) {
	mark := []byte{0xff, 0xfe}
	utf16LE := func(text string) (doc []byte) {
		for _, unit := range utf16.Encode([]rune(text)) {
			doc = binary.LittleEndian.AppendUint16(doc, unit)
		}
		return append(mark, doc...)
	}
	for _, format := range Formats() {
		c, there := documentsOfFormats[format.Name]
		require.True(t, there, format.Name)
		latin1 := []byte(strings.ReplaceAll(c.text, "ä", "\xe4"))
		isJSON := strings.HasSuffix(c.file, ".json")
		for name, bad := range map[string]struct {
			doc []byte
			// whole is true if all of it is read, reason why none or only a part is.
			whole  bool
			reason string
		}{
			"as it should be": {doc: []byte(c.text), whole: true},
			"in UTF-16":       {doc: utf16LE(c.text), whole: true},
			"in Latin-1":      {doc: latin1, whole: true},
			"with a mark":     {doc: []byte("\ufeff" + c.text), whole: true},
			"half-written":    {doc: []byte(c.text[:len(c.text)-3])},
			"not text":        {doc: []byte("\x7fELF\x02\x00\x01" + c.text), reason: "not text"},
			"huge": {
				doc: []byte(c.text + strings.Repeat(" ", maxFileBytes)), reason: "must have at most",
			},
			"of a newer version": {
				doc: []byte(strings.Replace(c.text, "{", `{"version":99,"more":[{}],`, 1)), whole: true,
			},
		} {
			t.Run(format.Name+" "+name, func(t *testing.T) {
				h := newHome(t)
				path := h.write(filepath.Join(h.root, filepath.FromSlash(c.file)), string(bad.doc))
				memory, err := ReadPath(Place{Folders: []string{h.root}}, path, format.Name)
				require.NoError(t, err)
				after, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.Equal(t, bad.doc, after, "it is not touched")
				var texts, reasons []string
				for _, e := range memory.Entries {
					texts = append(texts, e.Text)
				}
				for _, s := range memory.Skipped {
					reasons = append(reasons, s.Reason)
				}
				switch {
				case bad.whole && c.said != "":
					assert.Contains(t, texts, c.said)
				case bad.whole:
					require.NotEmpty(t, memory.Sessions)
					said := fmt.Sprint(memory.Sessions[0].Core, memory.Sessions[0].Notes)
					assert.Contains(t, said, "Never ship ä at night")
				case bad.reason != "":
					assert.Empty(t, texts)
					assert.Contains(t, strings.Join(reasons, "\n"), bad.reason)
				case isJSON:
					assert.NotContains(t, texts, c.said)
					assert.NotEmpty(t, reasons, "it says that it is damaged")
				}
			})
		}
	}
}

// gzipped returns a file of gzip.
func gzipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return out.String()
}

// zipped returns a zip with files.
func zipped(files map[string]string) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		member, _ := w.Create(name)
		_, _ = member.Write([]byte(text))
	}
	_ = w.Close()
	return out.String()
}

func TestABackupOfOpenMemoryIsReadWhileItIsPacked(t *testing.T) {
	const (
		all = `{"user":{"id":"1"},"memories":[{"id":"1","content":"Deploys on Fridays","state":"active"},` +
			`{"id":"2","content":"Old","state":"deleted"}],"categories":[]}`
		lines = `{"id":"1","content":"Deploys on Fridays","state":"active"}` + "\n"
	)
	backup := zipped(map[string]string{"memories.json": all, "memories.jsonl.gz": gzipped(lines)})
	for name, c := range map[string]struct {
		file, doc, reason string
	}{
		"the backup":            {file: "memories_export.zip", doc: backup},
		"what is in it":         {file: "memories.jsonl.gz", doc: gzipped(lines)},
		"a backup that was cut": {file: "a.zip", doc: backup[:len(backup)/2], reason: "damaged"},
		"gzip that was cut":     {file: "a.gz", doc: gzipped(lines)[:20], reason: "damaged"},
		"an archive of something": {
			file: "a.zip", doc: zipped(map[string]string{"a.txt": "a"}), reason: "without memories.json",
		},
		"an empty archive": {file: "a.zip", doc: zipped(nil), reason: "without memories.json"},
		"what is large unpacked": {
			file: "a.zip", doc: zipped(map[string]string{packedName: strings.Repeat(" ", maxFileBytes+1)}),
			reason: "larger than 4 MB",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			memory, err := ReadPath(Place{Folders: []string{h.root}}, h.write(filepath.Join(h.root, c.file), c.doc), "")
			require.NoError(t, err)
			if c.reason != "" {
				require.Len(t, memory.Skipped, 1)
				assert.Contains(t, memory.Skipped[0].Reason, c.reason)
				return
			}
			require.Len(t, memory.Entries, 1)
			assert.Equal(t, "Deploys on Fridays", memory.Entries[0].Text)
			assert.Equal(t, "mem0", memory.Entries[0].Program)
		})
	}
}

// FuzzEveryFormat reads any document as each format, from a file with each of the names that formats look at.
// Nothing panics, the file stays as it is, and the time is bounded.
func FuzzEveryFormat(f *testing.F) {
	names := []string{
		"CLAUDE.md", ".cursor/rules/a.mdc", "memory/MEMORY.md", "memory/a.md", ".serena/memories/a.md",
		"memory-bank/a.md", "a.md", "a.json", "s/working-memory/overview.md", "memory-core/a.json",
		"memory-working/a.json", "workspace-memory.json", "a.zip",
	}
	for _, doc := range []string{
		"---\ntitle: a\n---\n# x\n- [a] b #c (d)\n- [ ] e\n1. must\n```\nx", "- a:\n  - never b\n<!-- x\n--> y",
		`{"type":"entity","entityType":"a","observations":["b"]}`, `{"results":[{"memory":"a"}]}`, "\xff\xfea\x00",
		`{"observations":[{"facts":"[\"a\"]"}],"summaries":[]}`, "\xe4\xf6 never \x80", "<!-- wm-lsp:begin\n- never",
		zipped(map[string]string{packedName: `[{"memory":"a"}]`}), gzipped(`{"memories":[]}`),
	} {
		for i := range names {
			f.Add(i, i, []byte(doc))
		}
	}
	f.Fuzz(func(t *testing.T, i, j int, doc []byte) {
		name := names[uint(i)%uint(len(names))]
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, doc, 0o600))
		lines := bytes.Count(doc, []byte("\n")) + 1
		for _, as := range []string{"", Names()[uint(j)%uint(len(Names()))]} {
			result, err := ReadPath(Place{Folders: []string{dir}}, path, as)
			require.NoError(t, err)
			for _, e := range result.Entries {
				assert.True(t, utf8.ValidString(e.Text), "%q", e.Text)
				assert.NotEmpty(t, strings.TrimSpace(e.Text))
				assert.NotEmpty(t, e.Key)
				assert.Contains(t, Names(), e.Program)
				if !bytes.HasPrefix(doc, []byte("PK")) && !bytes.HasPrefix(doc, []byte("\x1f\x8b")) {
					assert.LessOrEqual(t, e.Line, lines)
				}
			}
			for _, s := range result.Sessions {
				for _, note := range s.Notes {
					assert.True(t, filepath.IsLocal(note.Path), note.Path)
				}
			}
			for _, s := range result.Skipped {
				assert.NotEmpty(t, s.Reason)
			}
		}
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(doc, after), "the file is not touched")
	})
}
