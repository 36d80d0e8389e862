/** Objects that begin anew while asked, as at deployments: what may be done twice is done again by a new stub. */
import { expect, test } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { newService } from '../support/scope.ts';
import { COMMON } from '../support/own-service.ts';

const PATH = '/resources/things';

const own = await newService({ entry: COMMON });
const { id } = await own.client.make('things', { n: 1 });

const thing = (members: object) => ({ data: { type: 'things', ...members } });
const renamed = (n: number) => thing({ id, attributes: { n } });
const reset = () => fetch(`${own.url}/test/reset`, { method: 'POST' });

interface Case {
  readonly name: string;
  readonly send: (client: Client) => Promise<Reply>;
  /** After one object began anew. */
  readonly status: number;
}

const CASES: readonly Case[] = [
  { name: 'a read', send: (client) => client.get(`${PATH}/${id}`), status: 200 },
  { name: 'a list', send: (client) => client.get(`${PATH}?filter[n]=1`), status: 200 },
  {
    name: 'a create with an Idempotency-Key',
    send: (client) => client.post(PATH, thing({}), { 'idempotency-key': 'one' }),
    status: 201,
  },
  { name: 'a create', send: (client) => client.post(PATH, thing({})), status: 503 },
  { name: 'a change', send: (client) => client.patch(`${PATH}/${id}`, renamed(3)), status: 503 },
];

test.each(CASES)('$name meets an object that begins anew: $status', async ({ send, status }) => {
  // The key is known here, so the next call is that of the request.
  await own.client.get(`${PATH}/${id}`);
  await reset();
  const reply = await send(own.client);
  expect(reply.status).toBe(status);
  if (status !== 503) return;
  expect(faultsOf(reply)).toEqual(['503 unavailable']);
  expect(reply.headers.get('retry-after')).toBe('1');
  expect((await send(own.client)).status).toBeLessThan(300);
});

test('a read that meets one twice is answered with 503 and one second', async () => {
  await Promise.all([reset(), reset()]);
  const reply = await own.client.get(`${PATH}/${id}`);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
});
