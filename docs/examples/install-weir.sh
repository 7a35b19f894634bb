#!/usr/bin/env bash
# ci/install-weir.sh: installs weir into ./bin, from the files of a release, and compares them with its checksums.
set -euo pipefail

version=0.1.0
release=${RELEASE_URL:-https://github.com/weir-cli/weir/releases/download/v$version}
name=weir-$version-linux-x64

mkdir -p bin
cd bin
curl -fsSLO "$release/SHA256SUMS" -O "$release/$name.tar.gz"
sha256sum --check --ignore-missing SHA256SUMS
tar -xzf "$name.tar.gz" --strip-components=1 "$name/weir"
./weir --version
