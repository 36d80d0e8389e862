/** The floor as a process: the runtime and the front door of `npm start`, and nothing of the service. */
import { join } from 'node:path';
import { startRuntime } from '../../runtime.ts';

const runtime = await startRuntime({
  port: 0,
  data: process.env['DATA_DIR'] ?? null,
  secrets: { CREDENTIAL_SECRETS: '', OPERATOR_SECRET: '' },
  entry: join(import.meta.dirname, 'worker.ts'),
  className: 'Floor',
  log: (line) => {
    console.log(line);
  },
});

let stopping = false;
const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await runtime.stop();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.removeAllListeners(signal);
  process.on(signal, () => void stop());
}
process.on('disconnect', () => void stop());

console.log(`The floor serves on ${runtime.url}.`);
