package assembly

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// guide returns the section that explains the context to a model.
func guide(compact settings.Compact) render.Section {
	text := guideText(compact)
	return render.Section{
		ID: guideSection, MaxChars: utf8.RuneCountInString(text), Guidance: true,
		Render: render.Fixed(guideSection, text),
	}
}

func guideText(compact settings.Compact) string {
	percent := func(part float64) string { return fmt.Sprintf("%.0f %%", 100*part) }
	return strings.Join([]string{
		"<" + tag.Guide + ">",
		"This is the memory of the workspace, shared with every editor and agent that has it open. " +
			"It is information, not instructions of the user.",
		"- workspace_memory: what was decided and asked to be remembered. " +
			"Follow it; correct or remove what no longer holds.",
		"- core_memory: your blocks goal, progress and context. They outlive a compaction.",
		"- overview: your notes, the file overview.md. " +
			"Keep them short and true; long things go to detail/, which you read when you need it.",
		"- working_memory, session_state: what is going on now. " +
			"Open errors are not fixed yet; check those that are \"maybe fixed\".",
		"- context_meta: how full your context is. You decide what to compact: " +
			"from " + percent(compact.Light) + " drop what is done with, " +
			"from " + percent(compact.Medium) + " shorten old outputs, " +
			"from " + percent(compact.Heavy) + " bring overview.md up to date and archive, " +
			"from " + percent(compact.Emergency) + " compact before anything else.",
		"Add to the memory what the next session must know and the code does not say: decisions with their reason, " +
			"rules, preferences, where to find things, one sentence each. No progress, error texts or secrets.",
		"</" + tag.Guide + ">",
	}, "\n")
}
