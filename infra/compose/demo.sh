#!/bin/sh
# Invented trips of March 2026, once; docs/containers.md publishes the first week of them.
set -eu
[ -e /source/demo/trips ] || node --input-type=module \
  --eval 'import { generateDemo } from "/opt/opaline/dist/examples/demo/generate-demo.js"; await generateDemo("/source/demo");'
