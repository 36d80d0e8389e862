/** `lid`: documents named before they have an id, in the list of operations that adds them (JSON:API, `lid`). */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate, type Operation } from '../support/operations.ts';

const client = await Client.create();

const local = (lid: string) => ({ type: 'people', lid });
const idOf = ({ id, type }: Link): Link => ({ type, id });
const first = add('people', { name: 'Ada' }, undefined, 'ada');

describe('a local id names what an operation before has added', () => {
  test('in a link, and in one of many', async () => {
    const { results } = await operate(client, [
      first,
      add('people', {}, { kin: { data: local('ada') } }, 'eva'),
      add('people', {}, { kin: { data: [local('eva'), local('ada'), local('eva')] } }),
    ]);
    const [ada, eva, max] = results.map(({ data }) => data);
    expect(eva?.relationships?.['kin']?.data).toEqual(ada && idOf(ada));
    expect(max?.relationships?.['kin']?.data).toEqual(eva && ada && [idOf(eva), idOf(ada)]);
    for (const document of [eva, max]) {
      const stored = await client.get(`/resources/people/${document?.id ?? ''}?include=kin`);
      expect(stored.body.data).toEqual(document);
      expect(stored.body.included.map(({ id }) => id)).toContain(ada?.id);
    }
    const found = await client.get(`/resources/people?filter[kin.id]={"$oid":"${eva?.id ?? ''}"}`);
    expect(found.body.data).toEqual([max]);
  });

  test('in a ref, and in the data of an update', async () => {
    const { status, results } = await operate(client, [
      first,
      { op: 'update', ref: local('ada'), data: { ...local('ada'), attributes: { age: 1 } } },
      { op: 'update', data: { ...local('ada'), relationships: { kin: { data: local('ada') } } } },
      { op: 'add', ref: { ...local('ada'), relationship: 'kin' }, data: [local('ada')] },
      { op: 'remove', ref: { ...local('ada'), relationship: 'kin' }, data: [local('ada')] },
      { op: 'update', ref: { ...local('ada'), relationship: 'best' }, data: local('ada') },
    ]);
    expect(status).toBe(200);
    const ada = results[0]?.data ?? { type: '', id: '' };
    expect(results[1]?.data?.id).toBe(ada.id);
    expect(results[2]?.data?.relationships?.['kin']?.data).toEqual(idOf(ada));
    expect(results.slice(3).map(({ data }) => data)).toEqual([[idOf(ada)], [], idOf(ada)]);
  });

  test('in a remove, after which it names nothing', async () => {
    const gone = { op: 'remove', ref: local('ada') };
    const { status, results } = await operate(client, [first, gone]);
    expect([status, results[1]]).toEqual([200, {}]);
    expect(faultsOf(await operate(client, [first, gone, gone]))).toEqual([
      '404 document-not-found /atomic:operations/2',
    ]);
    const linked = add('people', {}, { kin: { data: [local('ada')] } });
    expect(faultsOf(await operate(client, [first, gone, linked]))).toEqual([
      '404 link-not-found /atomic:operations/2/data/relationships/kin/data/0',
    ]);
  });

  test('and is no part of the document', async () => {
    const { results } = await operate(client, [first]);
    expect(results[0]?.data).not.toHaveProperty('lid');
  });

  test.each(['', 'x'.repeat(2000), '__proto__', 'LID0', 'ada people', '\u{1f600}"\\'])(
    'whatever string it is: %j',
    async (lid) => {
      const { status, results } = await operate(client, [
        add('people', {}, undefined, lid),
        add('people', { text: `{"$oid":"LID0"} ${lid}` }, { kin: { data: local(lid) } }),
      ]);
      expect(status).toBe(200);
      const [one, two] = results.map(({ data }) => data);
      expect(two?.relationships?.['kin']?.data).toEqual(one && idOf(one));
      const stored = await client.get(`/resources/people/${two?.id ?? ''}`);
      expect(stored.body.data).toEqual(two);
    },
  );
});

describe('what names nothing, or two things, is 400', () => {
  const at = (place: string) => `400 invalid-body /atomic:operations/${place}`;
  const cases: readonly (readonly [string, readonly Operation[], string])[] = [
    ['an unknown lid in a ref', [{ op: 'remove', ref: local('ada') }], at('0/ref/lid')],
    ['one of another type', [first, { op: 'remove', ref: { type: 'dogs', lid: 'ada' } }], at('1/ref/lid')],
    [
      'an unknown lid in a link',
      [add('people', {}, { kin: { data: local('eva') } })],
      at('0/data/relationships/kin/data/lid'),
    ],
    [
      'an unknown lid of many',
      [first, add('people', {}, { kin: { data: [local('ada'), local('eva')] } })],
      at('1/data/relationships/kin/data/1/lid'),
    ],
    [
      'a later one',
      [add('people', {}, { kin: { data: local('ada') } }), first],
      at('0/data/relationships/kin/data/lid'),
    ],
    [
      'its own of another type',
      [add('people', {}, { kin: { data: { type: 'firms', lid: 'ada' } } }, 'ada')],
      at('0/data/relationships/kin/data/lid'),
    ],
    ['the same lid twice', [first, first], at('1/data/lid')],
    ['a lid that is no string', [{ op: 'add', data: { type: 'people', lid: 7 } }], at('0/data/lid')],
    [
      'both an id and a lid in a ref',
      [first, { op: 'remove', ref: { ...local('ada'), id: NO_ID } }],
      at('1/ref'),
    ],
    [
      'both in a link',
      [first, add('people', {}, { kin: { data: { ...local('ada'), id: NO_ID } } })],
      at('1/data/relationships/kin/data'),
    ],
    [
      'a lid that the data of an update lacks',
      [first, { op: 'update', ref: local('ada'), data: { type: 'people' } }],
      at('1/data/lid'),
    ],
  ];
  test.each(cases)('%s', async (_, operations, fault) => {
    expect(faultsOf(await operate(client, operations))).toEqual([fault]);
  });

  test('another lid in the data than in the ref is 409', async () => {
    const operations = [
      first,
      add('people', {}, undefined, 'eva'),
      { op: 'update', ref: local('ada'), data: local('eva') },
    ];
    expect(faultsOf(await operate(client, operations))).toEqual([
      '409 id-conflict /atomic:operations/2/data/lid',
    ]);
  });

  test('what stands for a local id inside is no id of a client', async () => {
    const link = { type: 'people', id: 'LID0' };
    const operations = [first, add('people', {}, { kin: { data: link } })];
    expect(faultsOf(await operate(client, operations))).toEqual([
      '422 invalid-relationship /atomic:operations/1/data/relationships/kin/data',
    ]);
    expect(faultsOf(await operate(client, [first, { op: 'remove', ref: link }]))).toEqual([
      '404 document-not-found /atomic:operations/1/ref/id',
    ]);
  });
});
