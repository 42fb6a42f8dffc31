package cli

import (
	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Long: "Print the version of the program.", Args: takes(0, 0, ""),
		Example: `  wm-lsp version
  wm-lsp version --json`,
		RunE: func(*cobra.Command, []string) error { return p.writeVersion() },
	}
}

func (p *program) writeVersion() error {
	return p.write(answer{result: map[string]string{"version": p.Version}, text: "wm-lsp " + p.Version})
}
