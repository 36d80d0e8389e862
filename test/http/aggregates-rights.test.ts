/** Who sees what of an aggregate (spec, Authentication, rules 11 and 12): rights are asked of the input. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  defined,
  idsOf,
  includedOf,
  letRead,
  outputPath,
  outputsPath,
  valuesOf,
} from '../support/aggregates.ts';
import { Client, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, EVERY_METHOD, makeUser, may, underAcl, type Person } from '../support/people.ts';

let notes: readonly Resource[] = [];

const SUM = [{ group: { id: 'sum', total: { $sum: '$n' }, n: { $sum: 1 } } }];
const EACH = [
  { project: { id: '$name', n: 1, note: { type: '$type', id: '$id' } } },
  { output: { attributes: ['n'], relationships: ['note'] } },
];

/** Ada's, Bob's, the group's, everybody's and nobody's note: 1, 2, 4, 8 and 16. */
beforeEach(async () => {
  for (const { id } of notes) await client.delete(`/resources/notes/${id}`);
  notes = [];
  for (const [name, read] of [
    ['ada', [ada.link]],
    ['bob', [bob.link]],
    ['group', [{ type: 'core.user-group', id: group.id }]],
    ['all', '*'],
    ['none', []],
  ] as const) {
    const made = await client.make('notes', { name, n: 2 ** notes.length });
    await letRead(client, made, read);
    notes = [...notes, made];
  }
});

const note = (index: number): Resource => {
  const made = notes[index];
  if (made === undefined) throw new Error('There is no such note.');
  return made;
};

const total = async (by: Client, auth?: Person['headers']): Promise<unknown> =>
  valuesOf(await by.get(outputsPath('sum'), auth), 'total')[0];

const client = await Client.create();
/** A client whose every permission has ACL on. */
const web = await underAcl(client);
const [ada, bob] = [await makeUser(client, 'ada'), await makeUser(client, 'bob')];
const users = { data: [bob.link] };
const made = await client.create('/users/core.user-group', { relationships: { users } });
const group = made.body.data;
await defined(client, 'sum', 'notes', SUM);
await defined(client, 'each', 'notes', EACH);

describe('with ACL on, a pipeline sees what the user may read', () => {
  test('of the user, of the user’s groups, and of all', async () => {
    expect(await total(web, ada.headers)).toBe(1 + 8);
    expect(await total(web, bob.headers)).toBe(2 + 4 + 8);
    expect(await total(client)).toBe(31);
  });

  test('in single reads, relationships and related documents', async () => {
    const seen = async (name: string) => {
      const path = outputPath('each', name);
      const paths = [path, `${path}/relationships/note`, `${path}/note`];
      return Promise.all(paths.map(async (each) => (await web.get(each, ada.headers)).status));
    };
    expect(await seen('ada')).toEqual([200, 200, 200]);
    expect(await seen('all')).toEqual([200, 200, 200]);
    for (const hidden of ['bob', 'group', 'none', 'never'])
      expect(await seen(hidden)).toEqual([404, 404, 404]);
  });

  test('a token is needed, and one of a user', async () => {
    expect(faultsOf(await web.get(outputsPath('sum')))).toEqual(['401 token-required Authorization:']);
    const made = { authorization: 'Token made-up' };
    expect(faultsOf(await web.get(outputsPath('sum'), made))).toEqual(['401 token-required Authorization:']);
  });

  test('nothing is failed by documents that are hidden', async () => {
    await client.make('doors', { n: 0 });
    await letRead(client, await client.make('doors', { n: 2 }), '*');
    await defined(client, 'door', 'doors', [{ project: { id: '$n', a: { $divide: [1, '$n'] } } }]);
    expect((await client.get(outputsPath('door'))).status).toBe(422);
    expect(idsOf(await web.get(outputsPath('door'), ada.headers))).toEqual(['2']);
  });
});

describe('with ACL off on the aggregate, it sees all of the input', () => {
  let mixed: Client;
  beforeAll(async () => {
    mixed = await client.withPermissions([
      may(EVERY_METHOD, '/aggregates/agt\\.(sum|each)(/.*)?'),
      may(EVERY_METHOD, '/resources/.*', ACL),
    ]);
  });

  test('though the permission on the input has ACL on', async () => {
    expect(await total(mixed)).toBe(31);
    expect(await total(mixed, ada.headers)).toBe(31);
    expect((await mixed.get('/resources/notes', ada.headers)).body.meta.count).toBe(2);
  });

  test('while included and related documents are still those that the user may read', async () => {
    const list = await mixed.get(outputsPath('each', { include: 'note' }), ada.headers);
    expect(idsOf(list)).toEqual(['ada', 'bob', 'group', 'all', 'none']);
    expect(includedOf(list)).toEqual([`notes ${notes[0]?.id}`, `notes ${notes[3]?.id}`]);
    const related = async (name: string) =>
      idsOf(await mixed.get(`${outputPath('each', name)}/note`, ada.headers));
    expect([await related('bob'), await related('all')]).toEqual([[], [notes[3]?.id]]);
  });

  test('and the other way round: ACL on the aggregate, none on the input', async () => {
    const other = await client.withPermissions([
      may(EVERY_METHOD, '/aggregates/.*', ACL),
      may(EVERY_METHOD, '/resources/.*'),
    ]);
    expect(await total(other, ada.headers)).toBe(9);
    expect((await other.get('/resources/notes')).body.meta.count).toBe(5);
  });
});

describe('a change of rights counts at once', () => {
  test.each<readonly [string, () => Promise<unknown>, number]>([
    ['a right is given', () => letRead(client, note(4), [ada.link]), 25],
    ['a right is taken', () => letRead(client, note(0), []), 8],
    ['what all may read is closed', () => letRead(client, note(3), []), 1],
  ])('%s', async (_, work, expected) => {
    const { etag } = await web.get(outputsPath('sum'), ada.headers);
    const tag = { ...ada.headers, 'if-none-match': etag };
    expect((await web.get(outputsPath('sum'), tag)).status).toBe(304);
    await work();
    expect(valuesOf(await web.get(outputsPath('sum'), tag), 'total')).toEqual([expected]);
    expect((await web.get(outputPath('sum', 'sum'), tag)).status).toBe(200);
  });

  test('a group is joined and left', async () => {
    const set = async (...list: Person[]) => {
      const relationships = { users: { data: list.map(({ link }) => link) } };
      expect((await client.update(`/users/core.user-group/${group.id}`, { relationships })).status).toBe(200);
    };
    await set(ada, bob);
    expect(await total(web, ada.headers)).toBe(13);
    await set();
    expect([await total(web, ada.headers), await total(web, bob.headers)]).toEqual([9, 10]);
    await set(bob);
    expect(await total(web, bob.headers)).toBe(14);
  });

  test('the tag of one user is none of another', async () => {
    await letRead(client, note(0), [ada.link, bob.link]);
    const { etag } = await web.get(outputPath('each', 'ada'), ada.headers);
    const other = await web.get(outputPath('each', 'ada'), { ...bob.headers, 'if-none-match': etag });
    expect(other.status).toBe(200);
    const off = await client.get(outputPath('each', 'ada'), { 'if-none-match': etag });
    expect(off.status).toBe(200);
  });
});

describe('a key reaches only what its permissions let it', () => {
  test('one aggregate and not another, a list and not its members', async () => {
    const few = await client.withPermissions([may(EVERY_METHOD, '/aggregates/agt\\.sum')]);
    expect((await few.get(outputsPath('sum'))).status).toBe(200);
    expect((await few.get(outputPath('sum', 'sum'))).status).toBe(403);
    expect((await few.get(outputsPath('each'))).status).toBe(403);
    expect((await few.get(outputsPath('unknown'))).status).toBe(403);
    expect((await few.get('/aggregates/core.aggregate')).status).toBe(403);
  });

  test('includes pass over what it may not GET, and what is behind', async () => {
    await defined(client, 'over', 'notes', [
      { group: { id: 'over', each: { $push: { type: 'agt.each', id: '$name' } } } },
      { output: { attributes: [], relationships: ['each'] } },
    ]);
    const path = outputsPath('over', { include: 'each.note' });
    const included = async (...paths: string[]) => {
      const key = await client.withPermissions(paths.map((each) => may(EVERY_METHOD, each)));
      return includedOf(await key.get(path)).length;
    };
    const over = '/aggregates/agt\\.over';
    expect(await included(over, '/aggregates/agt\\.each/.*', '/resources/notes/.*')).toBe(10);
    expect(await included(over, '/aggregates/agt\\.each/.*')).toBe(5);
    expect(await included(over, '/aggregates/agt\\.each/a.*', '/resources/notes/.*')).toBe(4);
    expect(await included(over, '/resources/notes/.*')).toBe(0);
    expect(includedOf(await web.get(path, ada.headers))).toEqual([
      'agt.each ada',
      'agt.each all',
      `notes ${notes[0]?.id}`,
      `notes ${notes[3]?.id}`,
    ]);
  });

  test('the rights on a definition are rights to manage it, not to read its documents', async () => {
    expect((await web.get('/aggregates/core.aggregate', ada.headers)).body.meta.count).toBe(0);
    const data = { 'input-type': 'notes', 'output-type': 'agt.own', pipeline: EACH };
    const made = await web.create('/aggregates/core.aggregate', { attributes: data }, ada.headers);
    expect(made.status).toBe(201);
    const path = `/aggregates/core.aggregate/${made.body.data.id}`;
    expect([(await web.get(path, ada.headers)).status, (await web.get(path, bob.headers)).status]).toEqual([
      200, 403,
    ]);
    expect(idsOf(await web.get(outputsPath('own'), bob.headers))).toEqual(['bob', 'group', 'all']);
  });
});
