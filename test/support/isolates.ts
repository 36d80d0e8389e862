/** The service in two isolates, as at two places of the edge: two Workers that share objects, buckets and KV. */
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from 'miniflare';
import { onTestFinished } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { configureRuntime } from '../../scripts/runtime.ts';
import { Client } from './client.ts';
import { SECRETS } from './own-service.ts';

const NAMES = ['foredge', 'elsewhere'] as const;

/** A client of the same application at each, until the test ends. */
export async function inTwoIsolates(): Promise<readonly [Client, Client]> {
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
