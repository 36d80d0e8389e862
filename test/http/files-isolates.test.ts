/** Uploads that are begun in one isolate and ended in another, as requests reach different places of the edge. */
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from 'miniflare';
import { expect, onTestFinished, test } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { configureRuntime } from '../../scripts/runtime.ts';
import { Client } from '../support/client.ts';
import { digestOf, randomBytes } from '../support/files.ts';
import { SECRETS } from '../support/own-service.ts';
import { begun, digestAt, offsetOf, send, uploadBy, UPLOADS } from '../support/resumable.ts';

/** Two Workers that share objects, buckets and KV. */
const NAMES = ['foredge', 'elsewhere'] as const;

/** A client of the same application at each, until the test ends. */
async function inTwoIsolates(): Promise<readonly [Client, Client]> {
  const options = { port: 0, data: null, secrets: SECRETS, log: () => undefined };
  const { telemetry, cf, handleStructuredLogs, ...first } = await configureRuntime(options);
  const objects = Object.entries(first.durableObjects ?? {}).map(
    ([name, of]: [string, unknown]) =>
      [name, { ...(typeof of === 'object' && of), scriptName: NAMES[0] }] as const,
  );
  const second = { ...first, name: NAMES[1], durableObjects: Object.fromEntries(objects) };
  const shared = { telemetry, cf, handleStructuredLogs, workers: [first, second] };
  const miniflare = new Miniflare(convertV4MiniflareOptions(shared as V4MiniflareOptions));
  onTestFinished(() => miniflare.dispose());
  await miniflare.ready;
  const { origin: here } = await miniflare.unsafeGetDirectURL(NAMES[0]);
  const { origin: there } = await miniflare.unsafeGetDirectURL(NAMES[1]);
  const { id, apiKey } = await new Operator(here, SECRETS.OPERATOR_SECRET).create('isolates');
  return [new Client(here, id, apiKey), new Client(there, id, apiKey)];
}

test('an upload goes on from another isolate', async () => {
  const [here, there] = await inTwoIsolates();
  const bytes = randomBytes(8_000_000);
  const id = await begun(here, bytes.length);
  await send(here, id, 0, bytes.slice(0, 6_000_000));
  expect(await offsetOf(there, id)).toBe(6_000_000);
  expect(await uploadBy(there, bytes, { uploadUrl: `${there.url}${UPLOADS}/${id}` })).toBe(id);
  for (const client of [here, there]) expect(await digestAt(client, id)).toBe(digestOf(bytes));
});
