#!/usr/bin/env node
// Starts the verifier with the Node that runs this, from 20 on. It prints nothing.

const OLDEST = 20;
if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  console.error(`SETUP_FAILED: this Node is ${process.versions.node}; install Node ${OLDEST} or later.`);
  process.exit(1);
}
// What a Node 20 lacks of ES2024.
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
};
await import(new URL('../lib/cli/verify-main.js', import.meta.url).href);
