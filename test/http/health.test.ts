/** GET /health: it needs no key, asks storage, and is cheap however often it is asked. */
import { expect, test } from 'vitest';
import { Client, counts, type Reply } from '../support/client.ts';
import { until } from '../support/started.ts';
import { counted, HALTING } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';

const own = await newService({ entry: HALTING });

const ask = (url = own.url, method = 'GET'): Promise<Reply> =>
  new Client(url, '', '').send(method, '/health');

test('a service whose storage answers is 200, for anybody, and no cache keeps it', async () => {
  const answer = await ask();
  expect([answer.status, answer.text]).toEqual([200, '{"meta":{"status":"ok"},"jsonapi":{"version":"1.1"}}']);
  expect(answer.headers.get('content-type')).toBe('application/vnd.api+json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect([(await ask(own.url, 'HEAD')).status, (await ask(own.url, 'POST')).status]).toEqual([200, 405]);
});

test('it is 503 while storage fails, and 200 again after', async () => {
  await own.halt('missing', 'before');
  await until('it is seen', async () => (await ask()).status === 503);
  const answer = await ask();
  expect(answer.body.errors.map(({ code }) => code)).toEqual(['unavailable']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  await own.halt('missing', 'free');
  await until('it is well', async () => (await ask()).status === 200);
});

test('a flood of questions is one question a second to storage', async () => {
  const service = await newService(counted());
  const [before, begun] = [await counts(service.url), Date.now()];
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask(service.url)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // Those at once share a look anyway; those one after the other share its result.
  for (let n = 0; n < 50; n += 1) await ask(service.url);
  const after = await counts(service.url);
  // The clock of the service may be behind ours when it looks.
  const seconds = Math.ceil((Date.now() - begun) / 1_000) + 1;
  // The first call wakes the object, which asks the registry.
  expect(after.calls - before.calls).toBeLessThanOrEqual(seconds + 1);
  expect(after.lookups - before.lookups).toBeLessThanOrEqual(seconds);
  expect(after.lookups - before.lookups).toBeGreaterThan(0);
});
