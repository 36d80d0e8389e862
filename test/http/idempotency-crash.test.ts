/** `Idempotency-Key` and the end of the process: what was done before it is not done again after it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientOf, Starts } from '../support/starts.ts';

let starts: Starts;
beforeEach(async () => {
  starts = await Starts.prepare();
});
afterEach(() => starts.end());

test('kill -9 amid fifty creates: sent again with their keys, each has made one document', async () => {
  const first = await starts.run();
  const client = clientOf(first);
  const create = (n: number, by = client) =>
    by.post(
      '/resources/notes',
      { data: { type: 'notes', attributes: { n } } },
      { 'idempotency-key': `note-${n}` },
    );
  const answered = new Map<number, string>();
  const kills: Promise<void>[] = [];
  await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      try {
        const made = await create(n);
        if (made.status === 201) answered.set(n, made.text.replaceAll(client.url, ''));
        if (answered.size === 10) kills.push(first.killAll());
      } catch {
        // The connection ended with the process.
      }
    }),
  );
  await Promise.all(kills);

  const again = clientOf(await starts.run());
  for (let n = 0; n < 50; n += 1) {
    const made = await create(n, again);
    expect(made.status).toBe(201);
    if (answered.has(n)) expect(made.text.replaceAll(again.url, '')).toBe(answered.get(n));
  }
  const { body } = await again.get('/resources/notes?page[limit]=100&sort=n');
  expect(body.data.map(({ attributes }) => attributes?.['n'])).toEqual(
    Array.from({ length: 50 }, (_, n) => n),
  );
});
