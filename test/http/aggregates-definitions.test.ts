/** Definitions of aggregates: documents like others, checked when they are written. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { define, defined, idsOf, outputsPath, redefine, valuesOf } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { Inside } from '../../scripts/manage/inside.ts';
import { newService } from '../support/scope.ts';

const PATH = '/aggregates/core.aggregate';

const client = await Client.create();

let made = 0;
const definition = (pipeline: unknown, more: object = {}) => ({
  'input-type': 'things',
  'output-type': `agt.definition-${(made += 1)}`,
  pipeline,
  ...more,
});

describe('what was sent comes back exactly', () => {
  test.each([
    ['$ names', '[{"project":{"a":{"$concat":["$b","x"]},"c":{"$literal":"$d"}}}]'],
    [
      'wrappers',
      '[{"filter":{"at":{"$gt":{"$date":"2026-01-01"}},"id":{"$in":[{"$oid":"aaaaaaaaaaaaaaaaaaaaaaaa"}]}}}]',
    ],
    ['integers beyond 2^53', '[{"filter":{"n":9007199254740993}}]'],
    ['decimals in wrappers', '[{"filter":{"n":{"$numberDecimal":"0.10000000000000000000000000000001"}}}]'],
    ['integral doubles', '[{"filter":{"n":1.0}}]'],
    ['no stages', '[]'],
    ['names of prototypes', '[{"project":{"constructor":"$toString"}}]'],
    ['characters of all planes', '[{"project":{"s":{"$literal":"é 漢 😀 \\\\ \\""}}}]'],
  ])('%s', async (_, pipeline) => {
    const type = `agt.exact-${(made += 1)}`;
    const attributes = `{"input-type":"things","output-type":"${type}","pipeline":${pipeline}}`;
    const created = await client.post(PATH, `{"data":{"type":"core.aggregate","attributes":${attributes}}}`);
    expect(created.status, created.text).toBe(201);
    expect(created.text).toContain(`"pipeline":${pipeline}`);
    const read = await client.get(`${PATH}/${created.body.data.id}`);
    expect(read.text).toContain(`"pipeline":${pipeline}`);
    const listed = await client.get(`${PATH}?filter[output-type]="${type}"`);
    expect(listed.text).toContain(`"pipeline":${pipeline}`);
  });

  test('parameters with wrappers', async () => {
    const parameters = { since: { $date: '2026-01-01' }, list: [{ $numberLong: '1' }], none: null };
    const created = await define(client, definition([], { parameters }));
    expect(created.body.data.attributes?.['parameters']).toEqual(parameters);
  });
});

describe('definitions are read, listed, searched, changed and deleted like other documents', () => {
  test('a created one has a Location, an ETag and an id of the service', async () => {
    const created = await define(client, definition([]));
    const { id } = created.body.data;
    expect(created.headers.get('location')).toBe(`${client.url}${PATH}/${id}`);
    expect(created.body.data.links.self).toBe(`${client.url}${PATH}/${id}`);
    expect((await client.get(`${PATH}/${id}`, { 'if-none-match': created.etag })).status).toBe(304);
  });

  test('a list is filtered by what definitions hold', async () => {
    const attributes = definition([], { 'input-type': 'rare-things', note: 'mine' });
    const { id } = (await define(client, attributes)).body.data;
    const found = await client.get(`${PATH}?filter[input-type]="rare-things"&fields[core.aggregate]=note`);
    expect(found.body.data.map((each) => [each.id, each.attributes])).toEqual([[id, { note: 'mine' }]]);
  });

  test('If-Match is honoured by PATCH and DELETE', async () => {
    const created = await define(client, definition([]));
    const { id } = created.body.data;
    const match = { 'if-match': created.etag };
    expect((await redefine(client, id, { pipeline: [{ limit: 1 }] }, match)).status).toBe(204);
    expect((await redefine(client, id, { pipeline: [{ limit: 2 }] }, match)).status).toBe(412);
    expect((await client.delete(`${PATH}/${id}`, undefined, match)).status).toBe(412);
    const { body, etag } = await client.get(`${PATH}/${id}`);
    expect(body.data.attributes?.['pipeline']).toEqual([{ limit: 1 }]);
    expect((await client.delete(`${PATH}/${id}`, undefined, { 'if-match': etag })).status).toBe(204);
    expect((await client.get(`${PATH}/${id}`)).body.data).toBeNull();
  });

  test('a stale If-Match is told before faults of the pipeline', async () => {
    const { id } = (await define(client, definition([]))).body.data;
    const reply = await redefine(client, id, { pipeline: 1 }, { 'if-match': '"stale"' });
    expect(faultsOf(reply)).toEqual(['412 precondition-failed If-Match:']);
  });

  test('an unknown definition is 404', async () => {
    const id = 'f'.repeat(24);
    expect((await client.get(`${PATH}/${id}`)).status).toBe(404);
    expect((await redefine(client, id, { pipeline: [] })).status).toBe(404);
    expect((await client.delete(`${PATH}/${id}`)).status).toBe(404);
  });
});

describe('the next read uses the definition as it is', () => {
  beforeAll(async () => {
    await client.make('numbers', { n: 1 });
    await client.make('numbers', { n: 2 });
  });

  test('after a change of the pipeline', async () => {
    const id = await defined(client, 'changed', 'numbers', [{ sort: 'n' }]);
    expect(valuesOf(await client.get(outputsPath('changed')), 'n')).toEqual([1, 2]);
    expect((await redefine(client, id, { pipeline: [{ sort: '-n' }] })).status).toBe(200);
    expect(valuesOf(await client.get(outputsPath('changed')), 'n')).toEqual([2, 1]);
  });

  test('after a change of the input type', async () => {
    const id = await defined(client, 'moved', 'numbers', []);
    expect((await client.get(outputsPath('moved'))).body.meta.count).toBe(2);
    await redefine(client, id, { 'input-type': 'nothing-yet' });
    expect((await client.get(outputsPath('moved'))).body).toEqual({
      meta: { count: 0, warnings: [expect.objectContaining({ code: 'no-documents' }) as object] },
      data: [],
      links: { self: expect.any(String) as string, first: null, last: null, prev: null, next: null },
    });
  });

  test('after a change of the output type', async () => {
    const id = await defined(client, 'former', 'numbers', []);
    await redefine(client, id, { 'output-type': 'agt.latter' });
    expect(faultsOf(await client.get(outputsPath('former')))).toEqual(['404 not-found']);
    const [document] = (await client.get(outputsPath('latter'))).body.data;
    expect(document?.type).toBe('agt.latter');
    await defined(client, 'former', 'numbers', []);
  });

  test('after a change of the defaults of parameters', async () => {
    const pipeline = [{ limit: '$$parameters.most' }];
    const id = await defined(client, 'default', 'numbers', pipeline, { most: 1 });
    expect((await client.get(outputsPath('default'))).body.meta.count).toBe(1);
    await redefine(client, id, { parameters: { most: 2 } });
    expect((await client.get(outputsPath('default'))).body.meta.count).toBe(2);
  });

  test('once it is deleted: 404 everywhere, and its name is free', async () => {
    const id = await defined(client, 'gone', 'numbers', [{ project: { id: '$n' } }]);
    expect(idsOf(await client.get(outputsPath('gone')))).toEqual(['1', '2']);
    await client.delete(`${PATH}/${id}`);
    for (const rest of ['', '/1', '/1/name', '/1/relationships/name']) {
      expect(faultsOf(await client.get(`/aggregates/agt.gone${rest}`))).toEqual(['404 not-found']);
    }
    await defined(client, 'gone', 'numbers', [{ limit: 1 }]);
    expect((await client.get(outputsPath('gone'))).body.meta.count).toBe(1);
  });
});

describe('an output type has one definition', () => {
  const unique = ['409 value-taken /data/attributes/output-type'];

  test('a second one is 409', async () => {
    await defined(client, 'taken', 'things', []);
    const reply = await define(client, definition([], { 'output-type': 'agt.taken' }));
    expect(faultsOf(reply)).toEqual(unique);
  });

  test('so is a PATCH to it, while a PATCH to its own changes nothing', async () => {
    await defined(client, 'one', 'things', []);
    const other = await defined(client, 'other', 'things', []);
    expect(faultsOf(await redefine(client, other, { 'output-type': 'agt.one' }))).toEqual(unique);
    expect((await redefine(client, other, { 'output-type': 'agt.other' })).status).toBe(200);
  });

  test('two applications do not meet', async () => {
    const elsewhere = await Client.create();
    await defined(client, 'shared', 'things', [{ project: { id: 'mine' } }]);
    expect((await elsewhere.get(outputsPath('shared'))).status).toBe(404);
    await defined(elsewhere, 'shared', 'things', []);
    expect((await elsewhere.get(outputsPath('shared'))).body.meta.count).toBe(0);
  });
});

test('app doctor names what is stored and would be refused now', async () => {
  const own = await newService();
  const year = { $year: { date: '$at', timezone: 'Etc/UTC' } };
  const definitionId = await defined(own.client, 'year', 'things', [{ project: { year } }, { limit: 1 }]);
  await own.restart(undefined, undefined, () => {
    expect(replaceInBodies(own.folder, 'Etc/UTC', 'Nowhere')).toBe(1);
  });
  const findings = await new Inside(own.operator, own.client.application).findings();
  const pointer = '/data/attributes/pipeline/0/project/year/$year/timezone';
  expect(findings).toMatchObject([{ document: `${PATH}/${definitionId}`, pointer }]);
  const read = await own.client.get(outputsPath('year'));
  expect(read.body.errors).toMatchObject([{ status: '422', code: 'pipeline-failed', meta: { stage: 0 } }]);
});

/** What an older version could have stored: a text in place of another. Gives the number of documents that had it. */
function replaceInBodies(folder: string, text: string, other: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const counts = files
    .filter((file) => file.endsWith('.sqlite') && file.includes('Collection'))
    .map((file) => {
      const database = new DatabaseSync(join(folder, file));
      try {
        const isType = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'documents'`).get();
        if (isType === undefined) return 0;
        const update = `UPDATE documents SET body = jsonb(replace(json(body), ?, ?)) WHERE instr(json(body), ?)`;
        return Number(database.prepare(update).run(text, other, text).changes);
      } finally {
        database.close();
      }
    });
  return counts.reduce((sum, count) => sum + count, 0);
}
