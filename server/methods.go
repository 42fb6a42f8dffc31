package server

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// methods are all that the server answers, by name.
func (s *Server) methods() map[string]handler {
	diagnostics := happening(s.diagnosticsChanged)
	diagnostics.decode = supersedesWaiting(diagnostics.decode)
	diagnostics.decodeNotice = onReadLoop(s.diagnosticsNotified)
	return map[string]handler{
		protocol.MethodInitialize:  standard(s.initialize),
		protocol.MethodInitialized: notice(s.initializedNotice),
		protocol.MethodShutdown:    standard(s.shutdown),
		protocol.MethodExit:        notice(s.exitNotice),
		protocol.MethodSetTrace:    notice(s.setTrace),

		protocol.MethodTextDocumentDidOpen:   notice(s.didOpen),
		protocol.MethodTextDocumentDidChange: notice(s.didChange),
		protocol.MethodTextDocumentDidSave:   notice(s.didSave),
		protocol.MethodTextDocumentDidClose:  notice(s.didClose),

		protocol.MethodTextDocumentCodeAction: s.codeActions(),
		protocol.MethodTextDocumentHover:      s.hover(),

		protocol.MethodWorkspaceDidChangeConfiguration:    notice(s.didChangeConfiguration),
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: notice(s.didChangeWorkspaceFolders),
		protocol.MethodWorkspaceDidRenameFiles:            notice(s.didRenameFiles),
		protocol.MethodWorkspaceDidDeleteFiles:            notice(s.didDeleteFiles),
		protocol.MethodWorkspaceDidChangeWatchedFiles:     notice(s.didChangeWatchedFiles),
		protocol.MethodWorkspaceExecuteCommand:            s.executeCommand(),

		"wm/session/start":       mutation(s.sessionStart),
		"wm/session/end":         mutation(s.sessionEnd),
		"wm/session/delete":      mutation(s.sessionDelete),
		"wm/session/list":        query(s.sessionList),
		"wm/diagnostics/changed": diagnostics,
		"wm/tool/executed":       happening(s.toolExecuted),
		"wm/message/received":    happening(s.messageReceived),
		"wm/todos/changed":       happening(s.todosChanged),
		"wm/usage/reported":      happening(s.usageReported),
		"wm/state/event":         happening(s.stateEvent),
		"wm/compaction/starting": query(s.compactionStarting),
		"wm/compaction/finished": mutation(s.compactionFinished),

		"wm/context":       query(s.contextFor),
		"wm/errors/list":   query(s.errorsList),
		"wm/files/list":    query(s.filesList),
		"wm/panel":         query(s.panelFor),
		"wm/pressure":      queryOfSession(s.pressureOf),
		"wm/panel/resolve": query(s.panelResolve),

		"wm/memory/list":     query(s.memoryList),
		"wm/memory/add":      mutation(s.memoryAdd),
		"wm/memory/update":   mutation(s.memoryUpdate),
		"wm/memory/remove":   mutation(s.memoryRemove),
		"wm/memory/explain":  query(s.memoryExplain),
		"wm/memory/restore":  mutation(s.memoryRestore),
		"wm/workspace/purge": mutation(s.workspacePurge),
		"wm/core/read":       queryOfSession(s.coreRead),
		"wm/core/update":     mutation(s.coreUpdate),
		"wm/working/read":    queryOfSession(s.workingRead),
		"wm/working/add":     mutation(s.workingAdd),
		"wm/working/remove":  mutation(s.workingRemove),
		"wm/working/clear":   mutation(s.workingClear),
		"wm/working/restore": mutation(s.workingRestore),
		"wm/notes/list":      queryOfSession(s.notesList),
		"wm/notes/read":      queryOfSession(s.notesRead),
		"wm/notes/write":     mutation(s.notesWrite),
		"wm/notes/archive":   mutation(s.notesArchive),
		"wm/notes/restore":   mutation(s.notesRestore),
		"wm/state/read":      queryOfSession(s.stateRead),
		"wm/state/write":     mutation(s.stateWrite),
		"wm/history/compact": mutation(s.historyCompact),
		"wm/prune":           query(s.prune),
		"wm/output/read":     query(s.outputRead),
		"wm/sweep":           mutation(s.sweep),
		"wm/trace":           query(s.traceList),
		"wm/pause":           mutation(s.pause),
		"wm/status":          query(s.status),
	}
}

// onReadLoop decodes a notification that is taken where the order of keystrokes
// is known.
func onReadLoop(run func(ctx context.Context, at *view, params *wire.DiagnosticsChangedParams) error) func(*Server, []byte) (task, error) {
	return decoder(now, func(ctx context.Context, at *view, params *wire.DiagnosticsChangedParams) (wire.Empty, error) {
		return wire.Empty{}, run(ctx, at, params)
	})
}

// supersedesWaiting drops, on the read loop, the diagnostics that wait for the
// document that a request brings newer ones of.
func supersedesWaiting(decode func(*Server, []byte) (task, error)) func(*Server, []byte) (task, error) {
	return func(s *Server, doc []byte) (task, error) {
		t, err := decode(s, doc)
		var named wire.DiagnosticsChangedParams
		if err == nil && json.Unmarshal(doc, &named) == nil {
			s.documents.superseded(named.URI)
		}
		return t, err
	}
}
