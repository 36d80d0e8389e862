// Runs a command of the project (a TypeScript file of this folder, or a tool from node_modules/.bin) on a Node that is
// new enough, after installing what is missing: `node scripts/run.mjs app.ts list`.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeWithPackages, ROOT } from './install.mjs';

/** They need nothing of what checks, tests and deploys. */
const SERVING = ['serve.ts', 'app.ts', 'build-assets.ts'];

const [command = '', ...args] = process.argv.slice(2);
const serves = SERVING.includes(command);
const node = await nodeWithPackages({ serves });

const target = command.endsWith('.ts')
  ? fileURLToPath(new URL(command, import.meta.url))
  : join(ROOT, 'node_modules', '.bin', command);
const environment = {
  // Node compiles its modules once, not at each start.
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
  ...process.env,
  PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
};
// The channel closes when this process dies, whatever the cause: the child can know.
const stdio = ['inherit', 'inherit', 'inherit', ...(command.endsWith('.ts') ? ['ipc'] : [])];
// Some of the Nodes that serve would warn of SQLite.
const program = serves ? ['--disable-warning=ExperimentalWarning', target] : [target];
// Node itself is no script that Node could run.
const child = spawn(node, command === 'node' ? args : [...program, ...args], { stdio, env: environment });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
