/**
 * Attacks by changing what may not be read: who may update a document learns of it only that a change was refused. Two
 * documents that differ in nothing but what is hidden answer every refused change alike.
 */
import { describe, expect, test } from 'vitest';
import { settle } from '../support/attack.ts';
import { ATOMIC_MEDIA_TYPE, type Reply } from '../support/client.ts';
import { underAcl } from '../support/people.ts';
import { makeSchema } from '../support/type-settings.ts';

const town = await settle();
const web = await underAcl(town.service);
const target = { type: town.note.type, id: town.note.id };
await makeSchema(town.service, 'boxes', {
  attributes: { properties: { secret: { maxLength: 5 } }, required: ['kind'] },
});

interface World {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly related?: readonly string[];
}

/** A box that Mallory may change and delete, but not read. */
async function makeBox({ attributes, related = [] }: World): Promise<string> {
  const relationships = Object.fromEntries(related.map((name) => [name, { data: [target] }]));
  const { id } = await town.service.make('boxes', { kind: 1, ...attributes }, relationships);
  const mallory = [{ type: town.mallory.type, id: town.mallory.id }];
  const rights = await town.service.update(`/resources/boxes.acl/${id}`, {
    attributes: { update: mallory, delete: mallory },
  });
  expect(rights.status).toBe(200);
  return id;
}

type Request = (id: string) => readonly [method: string, path: string, body?: unknown];

interface Told {
  readonly status: number;
  readonly text: string;
  readonly headers?: unknown;
}

function expectRefusal(answer: Told | undefined): void {
  expect(answer?.status).toBe(409);
  expect(answer?.text).toContain('"change-refused"');
}

/** The tag of a result: it counts changes, which are of no one box. */
const TAG = /(?<="etag":")[^,}]+/;

/** What is told of a box, without what any two answers differ in. */
async function told(world: World, request: Request): Promise<Told> {
  const id = await makeBox(world);
  const [method, path, body] = request(id);
  const atomic = path === '/operations';
  const reply: Reply = await web.send(method, path, {
    headers: {
      ...town.mallory.headers,
      ...(atomic && { 'content-type': ATOMIC_MEDIA_TYPE, accept: ATOMIC_MEDIA_TYPE }),
    },
    ...(body !== undefined && { body }),
  });
  const headers = [...reply.headers].filter(([name]) => !['x-request-id', 'date', 'etag'].includes(name));
  return { status: reply.status, text: reply.text.replaceAll(id, 'ID').replace(TAG, 'TAG'), headers };
}

const large = 'x'.repeat(600_000);
const patch =
  (attributes: unknown, relationships?: unknown): Request =>
  (id) => ['PATCH', `/resources/boxes/${id}`, { data: { type: 'boxes', id, attributes, relationships } }];
/** The same of attributes that no JavaScript number says. */
const patchText =
  (attributes: string): Request =>
  (id) => [
    'PATCH',
    `/resources/boxes/${id}`,
    `{"data":{"type":"boxes","id":"${id}","attributes":${attributes}}}`,
  ];
const relate =
  (method: string, name: string): Request =>
  (id) => [method, `/resources/boxes/${id}/relationships/${name}`, { data: [target] }];
const operate =
  (operation: unknown): Request =>
  (id) => [
    'POST',
    '/operations',
    { 'atomic:operations': [JSON.parse(JSON.stringify(operation).replaceAll('ID', id))] },
  ];

const change =
  (update: unknown): Request =>
  (id) => ['PATCH', `/resources/boxes/${id}`, { data: { type: 'boxes', id, meta: { update } } }];

const PLAIN: World = { attributes: {} };
const ATTRIBUTE: World = { attributes: { name: 'a' } };
const RELATED: World = { attributes: {}, related: ['name'] };
const PRICED: World = { attributes: { price: { $numberDecimal: '1E+400' } } };
const LARGE: World = { attributes: { big: large } };
const LARGER: World = { attributes: { big: `${large}${large.slice(0, 100_000)}` } };

describe('a refused change says the same, whatever refuses it', () => {
  const refused: readonly (readonly [string, World, () => Request])[] = [
    ['an attribute of the name of a relationship', RELATED, () => patch({ name: 1 })],
    ['a relationship of the name of an attribute', ATTRIBUTE, () => patch({}, { name: { data: [target] } })],
    ['a document too large', LARGE, () => patch({ more: large })],
    ['a document larger still', LARGER, () => patch({ more: large })],
    ['a schema', PLAIN, () => patch({ secret: 'too long' })],
    ['a number that fits no kind', PLAIN, () => patchText('{"price":1E+400}')],
    ['the same where it is the stored decimal', PRICED, () => patchText('{"price":1E+400}')],
    ['links in place of an attribute', ATTRIBUTE, () => relate('PATCH', 'name')],
    ['links added to an attribute', ATTRIBUTE, () => relate('POST', 'name')],
  ];

  test('in a request of its own', async () => {
    const answers = await Promise.all(refused.map(([, world, request]) => told(world, request())));
    for (const [at, [name]] of refused.entries()) expect([name, answers[at]]).toEqual([name, answers[0]]);
    expectRefusal(answers[0]);
  });

  test.each([
    ['a sum that fits or not', { $inc: { price: 1 } }],
    ['a product', { $mul: { price: 2 } }],
    ['the lesser, which may take more room', { $min: { price: 5 } }],
    ['the greater', { $max: { price: 5 } }],
    ['an item that is there or not', { $addToSet: { list: 5 } }],
    ['items that meet a condition or do not', { $pull: { list: { $gt: 5 } } }],
    ['an item at an end', { $pop: { list: 1 } }],
    ['items in order', { $push: { list: { $each: [], $sort: 1 } } }],
    ['the first items', { $push: { list: { $each: [], $slice: 1 } } }],
    ['a value that moves', { $rename: { price: 'shown' } }],
    ['one beside others that look at nothing', { $unset: { other: '' }, $inc: { price: 1 } }],
  ])('an operator that looks at the stored value: %s', async (_, update) => {
    const worlds = [PLAIN, PRICED, { attributes: { price: 1, list: [1, 9, 5] } }];
    for (const world of worlds) expectRefusal(await told(world, change(update)));
    const data = { type: 'boxes', id: 'ID', meta: { update } };
    expectRefusal(await told(PLAIN, operate({ op: 'update', data })));
  });

  test('in a list of operations', async () => {
    const ref = { type: 'boxes', id: 'ID' };
    const update = (data: unknown) => operate({ op: 'update', ref, data: { ...ref, ...(data as object) } });
    const answers = await Promise.all([
      told(RELATED, update({ attributes: { name: 1 } })),
      told(ATTRIBUTE, update({ relationships: { name: { data: [target] } } })),
      told(LARGE, update({ attributes: { more: large } })),
      told(LARGER, update({ attributes: { more: large } })),
      told(PLAIN, update({ attributes: { secret: 'too long' } })),
      told(ATTRIBUTE, operate({ op: 'add', ref: { ...ref, relationship: 'name' }, data: [target] })),
    ]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expectRefusal(answers[0]);
  });
});

describe('what is hidden changes no answer', () => {
  const worlds = [PLAIN, ATTRIBUTE, RELATED, LARGE];
  test.each<[string, number, () => Request]>([
    ['links removed from whatever has the name', 204, () => relate('DELETE', 'name')],
    [
      'the same as an operation',
      200,
      () =>
        operate({
          op: 'remove',
          ref: { type: 'boxes', id: 'ID', relationship: 'name' },
          data: [target],
        }),
    ],
    ['a wrong value', 422, () => patch({ $bad: 1 })],
    ['a wrong link', 422, () => patch({}, { other: { data: { type: 'agt.x', id: '0' } } })],
    ['wrong links', 400, () => (id) => ['POST', `/resources/boxes/${id}/relationships/name`, { data: 1 }]],
    ['another type', 409, () => (id) => ['PATCH', `/resources/boxes/${id}`, { data: { type: 'x', id } }]],
    ['a read', 403, () => (id) => ['GET', `/resources/boxes/${id}`]],
    ['a read of a relationship', 403, () => (id) => ['GET', `/resources/boxes/${id}/relationships/name`]],
    ['a read of what is related', 403, () => (id) => ['GET', `/resources/boxes/${id}/name`]],
    ['a read of the rights', 403, () => (id) => ['GET', `/resources/boxes.acl/${id}`]],
    [
      'a change of the rights',
      403,
      () => (id) => ['PATCH', `/resources/boxes.acl/${id}`, { data: { type: 'boxes.acl', id } }],
    ],
    ['a change', 204, () => patch({ more: 1 })],
    ['an item more', 204, () => change({ $push: { more: 1 } })],
    ['a field less', 204, () => change({ $unset: { big: '' } })],
    ['the time', 204, () => change({ $currentDate: { more: true } })],
    ['a deletion', 204, () => (id) => ['DELETE', `/resources/boxes/${id}`]],
  ])('%s', async (_, status, request) => {
    const answers = await Promise.all(worlds.map((world) => told(world, request())));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status });
  });

  test('a definition of an aggregate that does not fit the rest of it', async () => {
    const make = async (parameters: unknown) => {
      const attributes = {
        'input-type': 'boxes',
        'output-type': `agt.boxes-${crypto.randomUUID()}`,
        parameters,
        pipeline: [{ project: { id: '$id' } }],
      };
      const made = await town.service.create('/aggregates/core.aggregate', { attributes });
      const { id } = made.body.data;
      await town.service.update(`/aggregates/core.aggregate.acl/${id}`, {
        attributes: { update: [{ type: town.mallory.type, id: town.mallory.id }] },
      });
      const pipeline = [{ filter: { n: '$$parameters.least' } }, { nonsense: 1 }];
      const data = { type: 'core.aggregate', id, attributes: { pipeline } };
      const reply = await web.patch(`/aggregates/core.aggregate/${id}`, { data }, town.mallory.headers);
      return { status: reply.status, text: reply.text.replaceAll(id, 'ID') };
    };
    const [one, other] = await Promise.all([make({ least: 1 }), make({ most: 1 })]);
    expect(one).toEqual(other);
    expectRefusal(one);
  });
});

test('who may read is told why', async () => {
  const { id } = await town.service.make('boxes', { kind: 1, name: 'a' });
  const reply = await town.service.patch(`/resources/boxes/${id}/relationships/name`, { data: [target] });
  expect(reply.body.errors[0]?.code).toBe('field-conflict');
});
