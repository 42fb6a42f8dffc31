package inmemory_test

import (
	"testing"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/store/inmemory"
	"github.com/wm-lsp/wm-lsp/memory/store/storetest"
)

func TestItIsAStore(t *testing.T) {
	engine := inmemory.New()
	storetest.Run(t, storetest.Subject{
		Storage:  memory.StorageOf(engine.Open, engine.SetAside),
		Remove:   func(_ *testing.T, dir string) { engine.Remove(dir) },
		Damage:   func(_ *testing.T, dir string) { engine.Damage(dir) },
		EditCopy: func(_ *testing.T, dir, doc string) { engine.EditCopy(dir, []byte(doc)) },
	})
}
