/**
 * Large things at a time where V8's heap has the 128 MB that an isolate has on the platform: all are answered, or
 * asked to come again. An isolate that runs out of memory ends, and its answers with it.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CAPPED, proveCap } from '../../scripts/bench/memory/cap.ts';
import { exportApplication } from '../../scripts/transfer/export.ts';
import { Service } from '../../scripts/transfer/service.ts';
import { toFile } from '../../scripts/transfer/targets.ts';
import { defined } from '../support/aggregates.ts';
import type { Client, Reply } from '../support/client.ts';
import { OwnService, SECRETS } from '../support/own-service.ts';
import { newFile, progress } from '../support/transfer-files.ts';
import { newFolder } from '../support/scope.ts';

/** Documents of each type, and characters of each. */
const DOCUMENTS = 30;
const UNITS = 800_000;
const TYPES = ['letters', 'plans'];

const NAME = 'MINIFLARE_WORKERD_V8_FLAGS';

const backups = newFolder();
let own: OwnService;
let client: Client;
let service: Service;
let ids: readonly string[];

beforeAll(async () => {
  // Without the wrapper of our own services, which locks their folder.
  vi.stubEnv('MINIFLARE_WORKERD_PATH', undefined);
  await proveCap();
  // As at the edge: V8 chooses its young generation itself.
  vi.stubEnv(NAME, `${CAPPED[NAME]} --max-semi-space-size=0`);
  own = await OwnService.start({ backups });
  ({ client } = own);
  service = new Service(own.url, SECRETS.OPERATOR_SECRET);
  const made: string[] = [];
  for (const type of TYPES) {
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const { id } = await client.makeUnseen(type, { n, text: `${n} `.repeat(UNITS / 3) });
      made.push(`/resources/${type}/${id}`);
    }
    await defined(client, type, type, [
      { group: { id: { $mod: ['$n', 4] }, last: { $max: '$text' }, sum: { $sum: '$n' } } },
    ]);
  }
  ids = made;
}, 300_000);

afterAll(async () => {
  await own.stop();
  vi.unstubAllEnvs();
});

const typeOf = (n: number) => TYPES[n % TYPES.length] ?? '';
const ASKED: readonly (readonly [what: string, path: (n: number) => string])[] = [
  ['reads', (n) => ids[(n * 7) % ids.length] ?? ''],
  ['lists', (n) => `/resources/${typeOf(n)}?page[limit]=10`],
  ['searches', (n) => `/resources/${typeOf(n)}?filter[text]={"$regex":"9 $"}&page[limit]=5`],
  ['lists in the order of long texts', (n) => `/resources/${typeOf(n)}?sort=-text&page[limit]=10`],
  ['aggregates', (n) => `/aggregates/agt.${typeOf(n)}`],
];

const isAnswered = (replies: readonly Reply[]) => {
  for (const { status, headers } of replies) {
    expect([status, headers.has('retry-after')]).toBeOneOf([
      [200, false],
      [503, true],
    ]);
  }
};

test.each(ASKED)('%s, many at a time', async (_, path) => {
  isAnswered(await Promise.all(Array.from({ length: 16 }, (__, n) => client.get(path(n)))));
  expect((await client.get(path(0))).status).toBe(200);
});

test('all of them beside an export and a backup', async () => {
  const file = newFile('export.ndjson');
  const request = { application: client.application, type: null };
  const target = await toFile(file, service.base, request);
  const [lines, backup, ...replies] = await Promise.all([
    exportApplication(service, request, target, progress),
    service.backUp(client.application),
    ...ASKED.flatMap(([, path]) => Array.from({ length: 4 }, (__, n) => client.get(path(n)))),
  ]);
  expect(lines).toBeGreaterThan(TYPES.length * DOCUMENTS);
  // Whole, or so far as some seconds go.
  expect(backup?.backup).toMatch(/\w/);
  isAnswered(replies);
});
