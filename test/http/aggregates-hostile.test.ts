/** Pipelines that mean harm, through the API: refused, failed or answered, while a second client is served. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined, outputsPath } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';
import { some } from '../support/long.ts';
import { HOSTILE_PIPELINES } from '../support/pipeline-hostile.ts';
import { crowd } from '../support/crowd.ts';

let id = '';
const client = await Client.create();
const prey = Array.from({ length: 20 }, (_, n) => ({
  zero: 0,
  two: 2,
  s: 'x',
  n,
  day: { $date: 0 },
  l: [1, 2, 3],
}));
[id = ''] = await crowd(client, 'prey', prey);

describe('a hostile pipeline', () => {
  test.each(some(HOSTILE_PIPELINES, 12, 'whole').map((each, index) => [each.name, each, index] as const))(
    '%s',
    async (_name, { pipeline, outcome }, index) => {
      const attributes = `"input-type":"prey","output-type":"agt.hostile-${index}","pipeline":${pipeline}`;
      const made = await client.post(
        '/aggregates/core.aggregate',
        `{"data":{"type":"core.aggregate","attributes":{${attributes}}}}`,
      );
      expect([201, 400, 413, 422], made.text.slice(0, 300)).toContain(made.status);
      if (made.status !== 201) {
        expect(outcome).toMatch(/refused|either/);
        return;
      }
      expect(outcome).not.toBe('refused');
      const [reply, other] = await Promise.all([
        client.get(outputsPath(`hostile-${index}`)),
        client.get(`/resources/prey/${id}`),
      ]);
      expect(other.status).toBe(200);
      expect([200, 400, 422], reply.text.slice(0, 300)).toContain(reply.status);
      if (reply.status === 422) expect(reply.body.errors[0]?.meta).toHaveProperty('stage');
      if (outcome === 'answered') expect(reply.status).toBe(200);
      if (outcome === 'fails') expect(reply.status).not.toBe(200);
    },
  );
});

describe('over many documents', () => {
  beforeAll(async () => {
    await crowd(client, 'herd', 1200, (n) => ({ n, text: 'ab'.repeat(2000) }));
  });

  test('other requests of the collection are served while a pipeline runs', async () => {
    await defined(client, 'herd', 'herd', [
      {
        project: {
          n: { $size: { $filter: { input: { $range: [0, 2000] }, cond: { $gt: ['$$this', '$n'] } } } },
        },
      },
      { group: { id: 'all', n: { $sum: '$n' } } },
    ]);
    const slow = client.get(outputsPath('herd'));
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await client.get('/resources/herd?page[limit]=1')).body.meta.count).toBe(1200);
    }
    expect([200, 422]).toContain((await slow).status);
  });

  test.each<readonly [string, readonly unknown[]]>([
    [
      'more is kept than may be',
      [
        { group: { id: null, all: { $push: '$$ROOT' } } },
        { unwind: '$all' },
        { group: { id: null, all: { $push: { a: '$all', b: '$all' } } } },
      ],
    ],
    [
      'more comes out than may',
      [
        { project: { i: { $range: [0, 1000] } } },
        { unwind: '$i' },
        { project: { id: { $concat: [{ $toString: '$id' }, '-', { $toString: '$i' }] } } },
      ],
    ],
  ])('%s: the answer is 422 and names a stage', async (name, pipeline) => {
    const type = name.replaceAll(' ', '-');
    await defined(client, type, 'herd', pipeline);
    const reply = await client.get(outputsPath(type));
    expect([reply.status, reply.body.errors[0]?.code], reply.text.slice(0, 300)).toEqual([
      422,
      'pipeline-failed',
    ]);
    expect(reply.body.errors[0]?.meta?.['stage']).toEqual(expect.any(Number));
    expect((await client.get('/resources/herd?page[limit]=1')).status).toBe(200);
  });
});
