/** Starts the service once for all tests: real workerd, real SQLite, real KV, in a folder that goes afterwards. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startRuntime, type RuntimeOptions } from '../../scripts/runtime.ts';
import { volatileFolder } from '../../scripts/room.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly url: string;
    readonly operatorSecret: string;
    readonly credentialSecrets: string;
    /** The lines the Worker has logged, in this file. */
    readonly logFile: string;
  }
}

export default (project: TestProject) => setUp(project);

export async function setUp(project: TestProject, options: Partial<RuntimeOptions> = {}) {
  // All tests together store some three gibibytes.
  const data = mkdtempSync(join(volatileFolder(6), 'foredge-test-'));
  const secrets = { CREDENTIAL_SECRETS: `1:${'c'.repeat(40)}`, OPERATOR_SECRET: 'o'.repeat(40) };
  // Tests come from addresses that they choose: nothing else is between them and the service.
  // Files of tests that run side by side use many applications.
  const settings = { CLIENT_ADDRESS_HEADER: 'cf-connecting-ip', OBJECTS_AT_ONCE: '5000', MAILBOX: 'yes' };
  const log = createLog(join(data, 'log'));
  const entry = join(import.meta.dirname, 'worker.ts');
  const runtime = await startRuntime({
    port: 0,
    data,
    backups: join(data, 'backups'),
    secrets,
    settings,
    entry,
    log: log.write,
    ...options,
  });
  project.provide('url', runtime.url);
  project.provide('operatorSecret', secrets.OPERATOR_SECRET);
  project.provide('credentialSecrets', secrets.CREDENTIAL_SECRETS);
  project.provide('logFile', log.file);
  return async () => {
    await runtime.stop();
    rmSync(data, { recursive: true, force: true });
  };
}

function createLog(file: string) {
  writeFileSync(file, '');
  return {
    file,
    write: (line: string) => {
      appendFileSync(file, `${line}\n`);
    },
  };
}
