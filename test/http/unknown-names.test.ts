/** Names that the service owns and a client has misspelt: the error names those there are, and the nearest one. */
import { describe, expect, test } from 'vitest';
import { define } from '../support/aggregates.ts';
import { Client, type Reply } from '../support/client.ts';
import { operate } from '../support/operations.ts';
import { may } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';

const client = await Client.create();
const { id } = await client.make('articles', { title: 'T', n: [1] });

/** What sends a name, and the place in the request that the places of faults begin with. */
interface Sent {
  readonly send: () => Promise<Reply>;
  readonly within?: string;
}

const filter = (expression: unknown): Sent => ({
  send: () => client.get(`/resources/articles?filter[*]=${encodeURIComponent(JSON.stringify(expression))}`),
});

const pipeline = (stage: unknown): Sent => ({
  send: () => define(client, { 'input-type': 'articles', 'output-type': 'agt.names', pipeline: [stage] }),
  within: '/data/attributes/pipeline/0',
});

const key = (permission: object): Sent => ({
  send: () =>
    client.create('/api-keys/core.api-key', {
      attributes: { name: 'k', permissions: [may('get', '.*', { ...permission })] },
    }),
  within: '/data/attributes/permissions/0',
});

const change = (update: unknown): Sent => ({
  send: () => client.update(`/resources/articles/${id}`, { meta: { update } }),
  within: '/data/meta/update',
});

const settings = (attributes: object): Sent => ({
  send: () => settle(client, { name: 'articles', ...attributes }),
  within: '/data/attributes',
});

const schema = (attributes: object): Sent => ({
  send: () => client.create('/schemas/core.schema', { attributes: { content: {}, ...attributes } }),
  within: '/data/attributes',
});

const operation = (op: string): Sent => ({
  send: () => operate(client, [{ op, data: { type: 'articles' } }]),
});

/** What was sent, the place of the fault there, what was meant, and another name that the answer lists. */
const cases: [what: string, sent: Sent, place: string, meant: string, other?: string][] = [
  [
    'an operator of filters',
    filter({ $or: [{ a: { $equals: 1 } }, { a: { $inn: [] } }] }),
    '/$or/1/a/$inn',
    '$in',
  ],
  ['one that is no operator on fields', filter({ $adn: [] }), '/$adn', '$and'],
  [
    'a member of a geo operator',
    filter({ a: { $near: { $geometri: 1 } } }),
    '/a/$near/$geometri',
    '$geometry',
    '$maxDistance',
  ],
  ['an alias of $type', filter({ a: { $type: 'strng' } }), '/a/$type', 'string'],
  ['a stage', pipeline({ grouop: {} }), '/grouop', 'group', 'unwind'],
  ['an expression', pipeline({ project: { a: { $concta: [] } } }), '/project/a/$concta', '$concat'],
  ['an accumulator', pipeline({ group: { a: { $summ: 1 } } }), '/group/a/$summ', '$sum'],
  [
    'a window function',
    pipeline({ setWindowFields: { sortBy: { a: 1 }, output: { a: { $rnak: {} } } } }),
    '/setWindowFields/output/a/$rnak',
    '$rank',
  ],
  [
    'an argument',
    pipeline({ project: { a: { $filter: { inptu: [], cond: true } } } }),
    '/project/a/$filter/inptu',
    'input',
    'cond',
  ],
  ['a variable', pipeline({ project: { a: '$$ROTO' } }), '/project/a', '$$ROOT', '$$NOW'],
  [
    'a member of output',
    pipeline({ output: { attribute: [] } }),
    '/output/attribute',
    'attributes',
    'relationships',
  ],
  ['an operator of a filter stage', pipeline({ filter: { a: { $gtt: 1 } } }), '/filter/a/$gtt', '$gt'],
  ['an update operator', change({ $psuh: { n: 1 } }), '/$psuh', '$push', '$inc'],
  ['a modifier', change({ $push: { n: { $each: [], $slcie: 1 } } }), '/$push/n', '$slice', '$each'],
  ['a member of a permission', key({ ruel: {}, chek: {} }), '/chek', 'check', 'where'],
  ['a method of a permission', key({ methods: ['get', 'pathc'] }), '/methods/1', 'patch', 'bulk'],
  ['a method in capitals', key({ methods: ['GET'] }), '/methods/0', 'get', 'post'],
  ['a member of acl', key({ acl: { actve: true } }), '/acl/actve', 'active', 'endpoint-access-list'],
  [
    'a flavor',
    key({ acl: { 'endpoint-access-list-flavor': 'balck' } }),
    '/acl/endpoint-access-list-flavor',
    'black',
    'white',
  ],
  ['a member of fields', key({ fields: { wrtie: [] } }), '/fields/wrtie', 'write', 'read'],
  ['a variable of a rule', key({ where: { a: '$$viewer.di' } }), '/where', '$$viewer.id', '$$now'],
  ['an operator of a rule', key({ where: { a: { $ni: 1 } } }), '/where/a/$ni', '$in'],
  [
    'a wrapper',
    { send: () => client.create('/resources/articles', { attributes: { a: { $dtae: 1 } } }) },
    '/data/attributes/a',
    '$date',
    '$oid',
  ],
  [
    'a right',
    { send: () => client.update(`/resources/articles.acl/${id}`, { attributes: { raed: [] } }) },
    '/data/attributes/raed',
    'read',
    'update',
  ],
  [
    'a right of a new document',
    { send: () => client.create('/resources/articles', { meta: { acl: { updaet: [] } } }) },
    '/data/meta/acl/updaet',
    'update',
    'delete',
  ],
  ['a setting', settings({ expiers: 'a' }), '/expiers', 'expires', 'inverses'],
  ['a right of a type', settings({ rights: { raed: [] } }), '/rights/raed', 'read', 'delete'],
  ['a type of the service, with settings', settings({ name: 'core.usr' }), '/name', 'core.user'],
  ['the target of a schema', schema({ target: 'core.usr' }), '/target', 'core.user', 'core.external-user'],
  [
    'the type of a link',
    {
      send: () =>
        client.create('/resources/articles', { relationships: { a: { data: { type: 'core.usr', id } } } }),
    },
    '/data/relationships/a/data',
    'core.user',
  ],
  ['an op', operation('upate'), '/atomic:operations/0/op', 'update', 'remove'],
  [
    'a parameter',
    { send: () => client.get('/resources/articles?inclued=a') },
    'inclued',
    'include',
    'page[number]',
  ],
  [
    'a member of page',
    { send: () => client.get('/resources/articles?page[szie]=1') },
    'page[szie]',
    'page[size]',
    'sort',
  ],
  ['a module', { send: () => client.get('/resource/articles') }, '', '/resources', '/users'],
  ['a type of a module', { send: () => client.get('/users/core.usr') }, '', 'core.user', 'core.user-group'],
];

describe('an unknown name', () => {
  test.each(cases)('%s', async (_, { send, within = '' }, place, meant, other) => {
    const reply = await send();
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    const told = reply.body.errors.find(({ detail }) => detail.includes('Did you mean'));
    const [, offered = ''] = /Did you mean ([^?]*)\?/.exec(told?.detail ?? '') ?? [];
    expect(offered.split(/, | or /), reply.text).toContain(meant);
    if (other !== undefined) expect(told?.detail).toContain(other);
    const { pointer, parameter } = told?.source ?? {};
    const inner = told?.meta?.['pointer'];
    expect(inner ?? pointer ?? parameter ?? '').toBe(within + place);
    expect(told?.detail.length).toBeLessThan(600);
  });
});

test('a body full of strange names takes no longer than one of known names, and tells a few', async () => {
  const stages = Array.from({ length: 30 }, (_, at) => ({
    project: Object.fromEntries(
      Array.from({ length: 1_000 }, (__, n) => [`f${n}`, { [`$dateFrmo${at}${n}`]: 1 }]),
    ),
  }));
  const reply = await define(client, {
    'input-type': 'articles',
    'output-type': 'agt.names',
    pipeline: stages,
  });
  expect([reply.status, reply.body.errors.length]).toEqual([422, 20]);
  expect(reply.text.length).toBeLessThan(20_000);
});
