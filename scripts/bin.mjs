#!/usr/bin/env node
/** `npx foredge`, where the package is installed: what an older Node would say of the rest helps nobody. */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = engines.node.replace('>=', '');
const [major, minor] = process.versions.node.split('.').map(Number);
const [least, last] = needed.split('.').map(Number);
if (major < least || (major === least && minor < last)) {
  console.error(`foredge needs Node ${needed} or later, and this is ${process.versions.node}.`);
  process.exit(1);
}
await import('../dist/foredge.js');
