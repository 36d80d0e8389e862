/**
 * What `npm run dev` does before `wrangler dev`: makes `.dev.vars` in the folder it runs in, with new secrets that
 * nobody else can read, unless it is there.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { orEnd } from './failure.ts';
import { newSecrets } from './secrets.ts';

const FILE = '.dev.vars';

await orEnd(() => {
  if (existsSync(FILE)) return;
  const lines = Object.entries(newSecrets()).map(([name, secret]) => `${name}="${secret}"\n`);
  // A file that another command has just made stays as it is.
  writeFileSync(FILE, lines.join(''), { mode: 0o600, flag: 'wx' });
  console.log(`Made ${FILE} with the secrets of wrangler dev.`);
});
