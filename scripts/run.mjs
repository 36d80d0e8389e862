// Runs a command of the project (a TypeScript file of this folder, or a tool from node_modules/.bin) with the Node
// that the project pins, after installing what is missing: `node scripts/run.mjs app.ts list`.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installMissing, NODE, ROOT } from './install.mjs';

/** They need nothing that is only for development. */
const SERVING = ['serve.ts', 'app.ts', 'dev-vars.ts', 'build-assets.ts', 'wrangler'];

const [command = '', ...args] = process.argv.slice(2);
installMissing({ serves: SERVING.includes(command) });

const target = command.endsWith('.ts')
  ? fileURLToPath(new URL(command, import.meta.url))
  : join(ROOT, 'node_modules', '.bin', command);
const environment = { ...process.env, PATH: `${dirname(NODE)}${delimiter}${process.env.PATH ?? ''}` };
// The channel closes when this process dies, whatever the cause: the child can know.
const stdio = ['inherit', 'inherit', 'inherit', ...(command.endsWith('.ts') ? ['ipc'] : [])];
// Node itself is no script that Node could run.
const child = spawn(NODE, command === 'node' ? args : [target, ...args], { stdio, env: environment });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
