package install

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// askPatience is how long an agent may take to say which hooks it trusts.
const askPatience = 10 * time.Second

// A codexHook is a hook as Codex lists it. Trust is "trusted", "untrusted" or "modified", or
// "managed" for one of an administrator.
type codexHook struct {
	Command string `json:"command"`
	Trust   string `json:"trustStatus"`
	On      bool   `json:"enabled"`
}

// askCodex asks Codex whether it trusts our hooks in a folder: codex app-server, method
// hooks/list. It returns "trusted", or else what a person can do. Codex decides by a hash that only
// it computes.
func askCodex(ctx context.Context, codex, workDir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	command := exec.CommandContext(ctx, codex, "app-server")
	command.Dir = workDir
	command.WaitDelay = time.Second
	in, err := command.StdinPipe()
	if err != nil {
		return "", err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := command.Start(); err != nil {
		return "", fmt.Errorf("codex cannot be started: %w", err)
	}
	defer func() {
		cancel()
		_ = command.Wait() // it was told to end
	}()
	cwd, err := json.Marshal(workDir)
	if err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(in,
		`{"id":1,"method":"initialize","params":{"clientInfo":{"name":"wm-lsp","version":"0"}}}`+"\n"+
			`{"method":"initialized"}`+"\n"+
			`{"id":2,"method":"hooks/list","params":{"cwds":[%s]}}`+"\n", cwd); err != nil {
		return "", fmt.Errorf("codex cannot be asked: %w", err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var answer struct {
			ID     int `json:"id"`
			Result struct {
				Data []struct {
					Hooks []codexHook `json:"hooks"`
				} `json:"data"`
			} `json:"result"`
			Error *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(lines.Bytes(), &answer) != nil || answer.ID != 2 {
			continue
		}
		if answer.Error != nil {
			return "", fmt.Errorf("codex does not say which hooks it trusts: %s", answer.Error.Message)
		}
		var hooks []codexHook
		for _, folder := range answer.Result.Data {
			hooks = append(hooks, folder.Hooks...)
		}
		return trusted(hooks), nil
	}
	return "", errors.Join(errors.New("codex did not say which hooks it trusts"), ctx.Err())
}

// trusted sums up which of our hooks are trusted.
func trusted(hooks []codexHook) string {
	ours, good := 0, 0
	for _, hook := range hooks {
		if !startsProgram(hook.Command) {
			continue
		}
		ours++
		if hook.On && (hook.Trust == "trusted" || hook.Trust == "managed") {
			good++
		}
	}
	switch {
	case ours == 0:
		return "not read in this folder; start codex here and trust the folder"
	case good == ours:
		return "trusted"
	case good == 0:
		return "not trusted; start codex and open /hooks"
	}
	return fmt.Sprintf("%d of %d trusted; start codex and open /hooks", good, ours)
}
