/** The client inside a Worker: the runtime of the edge has all that it needs. */
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.ts';
import { workerNamed } from '../support/own-service.ts';
import { startRuntime } from '../../scripts/runtime.ts';

test('a Worker makes, saves and finds documents', async () => {
  const { url, application, key } = await Client.create();
  const worker = await startRuntime({
    port: 0,
    data: null,
    secrets: { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET: 'o'.repeat(40) },
    entry: workerNamed('client'),
    log: () => undefined,
  });
  onTestFinished(() => worker.stop());
  const answer = await fetch(worker.url, { method: 'POST', body: JSON.stringify({ url, application, key }) });
  expect(await answer.json()).toEqual(['The Modern Prometheus', 'Mary Shelley', 0]);
});
