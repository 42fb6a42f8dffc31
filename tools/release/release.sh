#!/usr/bin/env bash
# Builds everything that a release has into dist, as a snapshot: nothing is signed or published.
# usage: release.sh VERSION, with goreleaser and cyclonedx-gomod on the PATH
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export WM_VERSION=$1 SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)

goreleaser release --snapshot --clean --skip=publish
(cd tools && go run ./release ../dist)
for package in dist/npm/*/; do
  npm pack --silent --pack-destination dist "./$package" > /dev/null
done
npm --prefix editors/vscode ci --ignore-scripts --no-audit --no-fund --loglevel=error > /dev/null
(cd editors/vscode && WM_VSIX_DIR=../../dist npm run --silent package:all)
rm -rf dist-completions
(cd dist && sha256sum wm-lsp*.tgz wm-lsp*.vsix >> checksums.txt)
