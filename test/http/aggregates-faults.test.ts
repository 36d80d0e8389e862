/** What is wrong with a definition is told when it is written, with a pointer; what only data show, when it is read. */
import { beforeAll, describe, expect, test } from 'vitest';
import { define, defined, outputPath, outputsPath, redefine } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();
await client.make('things', { n: 1, s: 'x', list: [1, 2] });

let made = 0;
const definition = (more: object) => ({
  'input-type': 'things',
  'output-type': `agt.faults-${(made += 1)}`,
  pipeline: [],
  ...more,
});
const invalid = (...places: string[]) =>
  places.map((place) => `422 invalid-attribute /data/attributes/${place}`);

describe('a definition has an input type, an output type and a pipeline', () => {
  test('all three are required', async () => {
    expect(faultsOf(await define(client, {}))).toEqual([
      '422 missing-attribute /data/attributes/input-type',
      '422 missing-attribute /data/attributes/output-type',
      '422 missing-attribute /data/attributes/pipeline',
    ]);
  });

  test.each([
    ['an output type without agt.', { 'output-type': 'sums' }, ['output-type']],
    ['an output type with other letters first', { 'output-type': 'AGT.sums' }, ['output-type']],
    ['an output type without a name', { 'output-type': 'agt.' }, ['output-type']],
    ['an output type with a slash', { 'output-type': 'agt.a/b' }, ['output-type']],
    ['an output type that is too long', { 'output-type': `agt.${'a'.repeat(130)}` }, ['output-type']],
    ['an output type that is an ACL', { 'output-type': 'agt.sums.acl' }, ['output-type']],
    ['an output type that is no string', { 'output-type': ['agt.sums'] }, ['output-type']],
    ['an input type that is an aggregate', { 'input-type': 'agt.sums' }, ['input-type']],
    ['an input type that is an ACL', { 'input-type': 'things.acl' }, ['input-type']],
    ['an input type that is no name', { 'input-type': 'a b' }, ['input-type']],
    ['an input type that is null', { 'input-type': null }, ['input-type']],
    ['a pipeline that is an object', { pipeline: { limit: 1 } }, ['pipeline']],
    ['a pipeline that is a string', { pipeline: '[]' }, ['pipeline']],
    ['a pipeline that is null', { pipeline: null }, ['pipeline']],
    ['parameters that are a list', { parameters: [1] }, ['parameters']],
    ['parameters with malformed wrappers', { parameters: { a: { $date: 'x' } } }, ['parameters/a']],
  ])('%s is refused', async (_, more, places) => {
    expect(faultsOf(await define(client, definition(more)))).toEqual(invalid(...places));
  });
});

describe('a fault of a stage has a pointer into the pipeline', () => {
  test.each([
    ['an unknown stage', [{ skip: 1 }, { gather: {} }], ['pipeline/1/gather']],
    ['a filter of unknown operators', [{ filter: { a: { $like: 1 } } }], ['pipeline/0/filter/a/$like']],
    [
      'a fault deep in an expression',
      [{ project: { a: [{ b: { $add: [1, { $no: 1 }] } }] } }],
      ['pipeline/0/project/a/0/b/$add/1/$no'],
    ],
    ['an unknown parameter', [{ limit: '$$parameters.most' }], ['pipeline/0/limit']],
    ['several at once', [{ limit: 0 }, { skip: -1 }], ['pipeline/0/limit', 'pipeline/1/skip']],
  ])('%s', async (_, pipeline, places) => {
    const faults = new Set(faultsOf(await define(client, definition({ pipeline }))));
    expect([...faults]).toEqual(invalid(...places));
  });
});

describe('what runs code or leaves the type is refused by its name', () => {
  test.each(['$lookup', '$out', '$merge', '$graphLookup', '$unionWith', 'lookup', 'out', 'merge'])(
    'the stage %s',
    async (stage) => {
      const { body } = await define(client, definition({ pipeline: [{ [stage]: {} }] }));
      const [fault] = body.errors;
      expect(fault?.source?.pointer).toBe(`/data/attributes/pipeline/0/${stage}`);
      expect(fault?.detail).toContain(`stage ${stage} is refused`);
    },
  );

  test.each([
    ['$where', [{ filter: { $where: 'true' } }], 'filter/$where'],
    [
      '$function',
      [{ project: { a: { $function: { body: 'x', args: [], lang: 'js' } } } }],
      'project/a/$function',
    ],
    ['$accumulator', [{ group: { a: { $accumulator: { lang: 'js' } } } }], 'group/a/$accumulator'],
  ])('the operator %s', async (name, pipeline, place) => {
    const { body } = await define(client, definition({ pipeline }));
    const [fault] = body.errors;
    expect(fault?.source?.pointer).toBe(`/data/attributes/pipeline/0/${place}`);
    expect(fault?.detail).toContain(name);
  });
});

describe('a PATCH is checked against what is stored', () => {
  const pipeline = [{ limit: '$$parameters.most' }];
  let id: string;
  beforeAll(async () => {
    id = await defined(client, 'patched', 'things', pipeline, { most: 1 });
  });

  test.each([
    ['a faulty pipeline', { pipeline: [{ limit: 0 }] }, ['pipeline/0/limit']],
    [
      'a pipeline with other parameters',
      { pipeline: [{ limit: '$$parameters.least' }] },
      ['pipeline/0/limit'],
    ],
    ['parameters without one that is used', { parameters: {} }, ['pipeline/0/limit']],
    ['parameters of the wrong kind', { parameters: { most: 'many' } }, ['pipeline/0/limit']],
    ['another output type alone', { 'output-type': 'things' }, ['output-type']],
    ['another input type alone', { 'input-type': 'agt.things' }, ['input-type']],
    ['null for the pipeline', { pipeline: null }, ['pipeline']],
  ])('%s', async (_, attributes, places) => {
    const faults = new Set(faultsOf(await redefine(client, id, attributes)));
    expect([...faults]).toEqual(invalid(...places));
    expect((await client.get(outputsPath('patched'))).status).toBe(200);
  });

  test('both changed together are taken', async () => {
    const attributes = { pipeline: [{ skip: '$$parameters.past' }], parameters: { past: 1 } };
    expect((await redefine(client, id, attributes)).status).toBe(200);
    expect((await client.get(outputsPath('patched'))).body.meta.count).toBe(0);
  });
});

describe('what only data can show is 422 when read, and names the stage', () => {
  const failure = ({ status, body }: Reply) => [
    status,
    body.errors[0]?.code,
    body.errors[0]?.meta?.['stage'],
  ];

  test.each([
    ['a division by zero', [{ limit: 1 }, { project: { a: { $divide: ['$n', 0] } } }], 1],
    ['a sum of strings', [{ project: { a: { $add: ['$s', 1] } } }], 0],
    ['an id that is empty', [{ project: { id: '' } }], 0],
    ['an id that is missing', [{ project: { id: 0, n: 1 } }], 0],
    ['two outputs of one id', [{ unwind: '$list' }], 0],
    [
      'an id that is too long',
      [
        {
          project: {
            id: {
              $reduce: { input: { $range: [0, 1001] }, initialValue: '', in: { $concat: ['$$value', 'a'] } },
            },
          },
        },
      ],
      0,
    ],
    [
      'a relationship that is no link',
      [{ limit: 9 }, { output: { attributes: [], relationships: ['s'] } }],
      1,
    ],
  ])('%s', async (_, pipeline, stage) => {
    const name = `failing-${(made += 1)}`;
    await defined(client, name, 'things', pipeline);
    for (const path of [outputsPath(name), outputPath(name, 'x')]) {
      const reply = await client.get(path);
      expect(failure(reply), reply.text).toEqual([422, 'pipeline-failed', stage]);
      expect(reply.body.errors[0]?.detail).toContain(`Stage ${stage} of the pipeline: `);
    }
  });

  test('the definition can be repaired', async () => {
    const id = await defined(client, 'repaired', 'things', [
      { project: { a: { $divide: ['$n', '$zero'] } } },
    ]);
    await client.make('things', { n: 1, zero: 0 });
    expect((await client.get(outputsPath('repaired'))).status).toBe(422);
    await redefine(client, id, { pipeline: [{ project: { a: 1 } }] });
    expect((await client.get(outputsPath('repaired'))).status).toBe(200);
  });
});
