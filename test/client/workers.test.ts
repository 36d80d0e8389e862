/** The client inside a Worker: the runtime of the edge has all that it needs. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.ts';
import { startRuntime } from '../../scripts/runtime.ts';

test('a Worker makes, saves and finds documents', async () => {
  const { url, application, key } = await Client.create();
  const worker = await startRuntime({
    port: 0,
    data: null,
    secrets: { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET: 'o'.repeat(40) },
    entry: join(import.meta.dirname, '../support/client-worker.ts'),
    log: () => undefined,
  });
  onTestFinished(() => worker.stop());
  const answer = await fetch(worker.url, { method: 'POST', body: JSON.stringify({ url, application, key }) });
  expect(await answer.json()).toEqual(['The Modern Prometheus', 'Mary Shelley', 0]);
});
