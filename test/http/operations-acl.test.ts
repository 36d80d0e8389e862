/** ACLs in lists of operations: changed as at their own addresses, by those who may. */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { add, operate } from '../support/operations.ts';
import { makeUser, may, underAcl } from '../support/people.ts';

const client = await Client.create();
const web = await underAcl(client);
const [ada, eva] = [await makeUser(client, 'ada'), await makeUser(client, 'eva')];

const share = (target: object, attributes: object, type = 'notes.acl', more: object = {}) => ({
  op: 'update',
  ref: { type, ...target },
  data: { type, ...target, attributes },
  ...more,
});
const aclOf = (id: string, type = 'notes.acl') => client.get(`/resources/${type}/${id}`);
const at = (position: number, rest = ''): string => `/atomic:operations/${position}${rest}`;

test('the result is what a PATCH of the ACL answers, with the tag of the ACL', async () => {
  const { id } = await client.make('notes');
  const answer = await operate(client, [
    share({ id }, { read: [eva.link] }),
    share({ id }, { update: [ada.link] }, 'notes.acl.acl'),
    {
      op: 'update',
      href: `/resources/notes.acl/${id}`,
      data: { type: 'notes.acl', id, attributes: { delete: '*' } },
    },
  ]);
  expect(answer.status).toBe(200);
  const read = await aclOf(id);
  expect(answer.results[2]?.data).toEqual(read.body.data);
  expect(read.body.data.attributes).toEqual({ read: [eva.link], update: [], delete: '*' });
  expect(answer.results[1]?.data).toEqual((await aclOf(id, 'notes.acl.acl')).body.data);
  const tag = answer.results[2]?.meta?.etag ?? '';
  expect((await client.get(`/resources/notes.acl/${id}`, { 'if-none-match': tag })).status).toBe(304);
});

test('a document is made and shared in one list, by its lid', async () => {
  const { results } = await operate(
    web,
    [add('notes', { n: 1 }, undefined, 'new'), share({ lid: 'new' }, { read: [eva.link] })],
    ada.headers,
  );
  const id = results[0]?.data?.id ?? '';
  expect((await web.get(`/resources/notes/${id}`, eva.headers)).body.data.attributes).toEqual({ n: 1 });
});

test('a precondition is about the ACL, and takes the answer away', async () => {
  const { id } = await client.make('notes');
  const tag = (await aclOf(id)).etag;
  const operation = share({ id }, { read: '*' }, 'notes.acl', { meta: { 'if-match': tag } });
  const { results } = await operate(client, [operation]);
  expect(Object.keys(results[0] ?? {})).toEqual(['meta']);
  expect(faultsOf(await operate(client, [operation]))).toEqual([
    `412 precondition-failed ${at(0, '/meta/if-match')}`,
  ]);
});

describe('it is refused, and nothing of the list is done', () => {
  test('to whoever may change the document and not its ACL', async () => {
    const made = await web.create(
      '/resources/notes',
      { meta: { acl: { read: [eva.link], update: [eva.link] } } },
      ada.headers,
    );
    const { id } = made.body.data;
    const refused = await operate(web, [add('notes'), share({ id }, { read: '*' })], eva.headers);
    expect(faultsOf(refused)).toEqual([`403 forbidden ${at(1)}`]);
    // What is wrong with the content comes after that.
    expect(faultsOf(await operate(web, [share({ id }, { fly: '*' })], eva.headers))).toEqual([
      `403 forbidden ${at(0)}`,
    ]);
    expect((await aclOf(id)).body.data.attributes).toEqual({
      read: [ada.link, eva.link],
      update: [ada.link, eva.link],
      delete: [ada.link],
    });
  });

  test('to a key that does not permit the path of the ACL', async () => {
    const { id } = await client.make('notes');
    const narrow = await client.withPermissions([
      may('post', '/operations'),
      may('post patch', '/resources/notes(/[0-9a-f]{24})?'),
    ]);
    expect(faultsOf(await operate(narrow, [share({ id }, { read: '*' })]))).toEqual([
      `403 forbidden ${at(0)}`,
    ]);
  });

  const wrong: readonly (readonly [name: string, operation: (link: Link) => object, fault: string])[] = [
    [
      'no such right',
      ({ id }) => share({ id }, { fly: '*' }),
      `422 invalid-attribute ${at(0, '/data/attributes/fly')}`,
    ],
    ['no such document', () => share({ id: NO_ID }, { read: '*' }), `404 document-not-found ${at(0)}`],
    [
      'an ACL is not removed',
      ({ id }) => ({ op: 'remove', ref: { type: 'notes.acl', id } }),
      `400 invalid-body ${at(0, '/op')}`,
    ],
    [
      'another type',
      ({ id }) => share({ id }, { read: '*' }, 'core.user.acl'),
      `422 invalid-type ${at(0, '/ref/type')}`,
    ],
    [
      'nor is one added',
      () => ({ op: 'add', data: { type: 'notes.acl' } }),
      `422 invalid-type ${at(0, '/data/type')}`,
    ],
  ];
  test.each(wrong)('%s', async (_name, operation, fault) => {
    const link = await client.make('notes');
    expect(faultsOf(await operate(client, [operation(link)]))).toEqual([fault]);
  });

  test('a link to an ACL by a lid', async () => {
    const refused = await operate(client, [
      add('notes', {}, undefined, 'new'),
      add('notes', {}, { to: { data: { type: 'notes.acl', lid: 'new' } } }),
    ]);
    expect(refused.status).toBe(400);
  });
});
