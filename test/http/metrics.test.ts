/** `GET /metrics` and `LOG_FIELDS`: what an operator sees of the requests that were served. */
import { describe, expect, test } from 'vitest';
import { SECRETS, counted } from '../support/own-service.ts';
import { newService } from '../support/scope.ts';
import { asOperator } from '../support/client.ts';

const HEADER = 'x-real-ip';

const lines: Record<string, unknown>[] = [];

const settings = { LOG_FIELDS: 'key-name,bytes,address', CLIENT_ADDRESS_HEADER: HEADER, LOG_DELAY: '0' };
const service = await newService({
  ...counted(settings),
  log: (line) => {
    lines.push(...line.split('\n').map((each) => JSON.parse(each) as Record<string, unknown>));
  },
});
const { client } = service;

const scrape = () => client.get('/metrics', asOperator(SECRETS.OPERATOR_SECRET));

/** The samples of a scrape by their names with labels. */
async function samples(): Promise<ReadonlyMap<string, number>> {
  const { text } = await scrape();
  const told = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    told.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('metrics', () => {
  test('are for the operator alone', async () => {
    for (const authorization of ['', 'Bearer x', `Token ${SECRETS.OPERATOR_SECRET}`]) {
      const refused = await client.get('/metrics', { authorization });
      expect([refused.status, refused.body.errors[0]?.code]).toEqual([401, 'operator-required']);
    }
    const { status, headers } = await scrape();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await client.post('/metrics')).status).toBe(405);
  });

  test('so is word of the end of the runtime', async () => {
    const refused = await client.post('/drain');
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([401, 'operator-required']);
    const read = await client.get('/drain', asOperator(SECRETS.OPERATOR_SECRET));
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('count requests by method, endpoint and status', async () => {
    const before = await samples();
    await client.make('counted');
    await client.make('counted');
    await client.get('/resources/counted/nothing');
    await client.send('BREW', '/resources/counted');
    const after = await samples();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('foredge_requests_total{method="POST",route="/resources/{type}",status="201"}')).toBe(2);
    expect(grown('foredge_requests_total{method="GET",route="none",status="404"}')).toBe(1);
    const duration = 'foredge_request_duration_seconds';
    const labels = 'method="POST",route="/resources/{type}"';
    expect(grown(`${duration}_count{${labels}}`)).toBe(2);
    expect(grown(`${duration}_bucket{${labels},le="+Inf"}`)).toBe(2);
  });

  test('have histograms that ascend', async () => {
    const named = [...(await samples())].filter(([name]) => name.includes('_bucket{'));
    const series = Map.groupBy(named, ([name]) => name.replace(/,le=.*/, ''));
    expect(series.size).toBeGreaterThan(1);
    for (const each of series.values()) {
      const counts = each.map(([, number]) => number);
      expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    }
  });

  test('name no type, no id and no application', async () => {
    const { id } = await client.make('very-private');
    await client.get(`/resources/very-private/${id}`);
    const { text } = await scrape();
    expect(['very-private', id, client.application].filter((word) => text.includes(word))).toEqual([]);
  });
});

test('LOG_FIELDS adds the name of the key, the bytes of the answer and the address of the client', async () => {
  const answer = await client.get('/resources/counted', { [HEADER]: '203.0.113.9' });
  const isOfAnswer = (line: Record<string, unknown>) =>
    line['requestId'] === answer.headers.get('x-request-id');
  await expect.poll(() => lines.some(isOfAnswer)).toBe(true);
  const bytes = new TextEncoder().encode(answer.text).byteLength;
  expect(lines.find(isOfAnswer)).toMatchObject({
    bytes,
    address: '203.0.113.9',
    keyName: expect.any(String) as string,
  });
});
