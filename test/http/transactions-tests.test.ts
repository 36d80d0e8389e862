/** Operations that test: they change nothing, and let a list be done while a document is as it was, or absent. */
import { describe, expect, test } from 'vitest';
import { Client, link, NO_ID, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { makeUser, underAcl, type Person } from '../support/people.ts';
import { add, operate } from '../support/operations.ts';

const client = await Client.create();

const countOf = async (type: string) => (await client.get(`/resources/${type}`)).body.meta.count;

describe('a test', () => {
  const tested = (document: Link, etag?: string) => ({
    op: 'test',
    ref: link(document),
    ...(etag !== undefined && { meta: { 'if-match': etag } }),
  });

  test('changes nothing, and lets the list be done while its document is as it was', async () => {
    const price = await client.make('p-prices', { price: 2 });
    const before = await client.get(`/resources/p-prices/${price.id}`);
    const { status, results } = await operate(client, [
      tested(price, before.etag),
      add('p-orders', { total: 4 }),
    ]);
    expect([status, results[0]]).toEqual([200, {}]);
    expect((await client.get(`/resources/p-prices/${price.id}`)).etag).toBe(before.etag);
    expect((await operate(client, [tested(price, before.etag)])).status).toBe(204);
    await client.update(`/resources/p-prices/${price.id}`, { attributes: { price: 3 } });
    for (const list of [[tested(price, before.etag)], [add('p-orders'), tested(price, before.etag)]]) {
      const stale = await operate(client, list);
      const at = list.length - 1;
      expect(faultsOf(stale)).toEqual([`412 precondition-failed /atomic:operations/${at}/meta/if-match`]);
    }
    expect(await countOf('p-orders')).toBe(1);
  });

  test('asks for the right to read, and tells nothing else', async () => {
    const acl = await underAcl(client);
    const [ada, eva] = [await makeUser(client, 'tested-ada'), await makeUser(client, 'tested-eva')];
    const made = await acl.create('/resources/p-notes', {}, ada.headers);
    const gone = { type: 'p-notes', id: NO_ID };
    const ask = (document: Link, of: Person) => operate(acl, [tested(document)], of.headers);
    expect((await ask(made.body.data, ada)).status).toBe(204);
    const [hidden, none] = [await ask(made.body.data, eva), await ask(gone, eva)];
    expect(hidden.status).toBe(403);
    expect(hidden.body.errors).toEqual(none.body.errors);
  });

  describe('of absence', () => {
    const absent = (document: Link) => ({
      op: 'test',
      ref: link(document),
      meta: { 'if-none-match': '*' },
    });

    test.each(['p-absent', 'p-never-used'])(
      'lets the list be done while %s has no such document',
      async (type) => {
        await client.make('p-absent');
        const gone = { type, id: NO_ID };
        expect((await operate(client, [absent(gone)])).status).toBe(204);
        expect((await operate(client, [absent(gone), add('p-absent')])).status).toBe(200);
        expect((await operate(client, [add('p-orders'), absent(gone)])).status).toBe(200);
        const there = await client.make(type);
        for (const list of [[absent(there)], [add('p-orders'), absent(there)]]) {
          const at = list.length - 1;
          expect(faultsOf(await operate(client, list))).toEqual([
            `412 precondition-failed /atomic:operations/${at}/meta/if-none-match`,
          ]);
        }
        await client.send('DELETE', `/resources/${type}/${there.id}`);
        expect((await operate(client, [absent(there)])).status).toBe(204);
      },
    );

    test('tells nobody what they may not read', async () => {
      const acl = await underAcl(client);
      const [ada, eva] = [await makeUser(client, 'absent-ada'), await makeUser(client, 'absent-eva')];
      const made = await acl.create('/resources/p-notes', {}, ada.headers);
      const ask = (document: Link, of: Person) => operate(acl, [absent(document)], of.headers);
      expect((await ask(made.body.data, ada)).status).toBe(412);
      const [hidden, none] = [await ask(made.body.data, eva), await ask({ type: 'p-notes', id: NO_ID }, eva)];
      expect([hidden.status, hidden.body.errors]).toEqual([403, none.body.errors]);
    });

    test.each([
      [{ 'if-none-match': '"x"' }, '400 invalid-body /atomic:operations/0/meta/if-none-match'],
      [{ 'if-none-match': '*', 'if-match': '*' }, '400 invalid-body /atomic:operations/0/meta'],
    ])('is no test of %j', async (meta, fault) => {
      const operation = { op: 'test', ref: { type: 'p-notes', id: NO_ID }, meta };
      expect(faultsOf(await operate(client, [operation]))).toEqual([fault]);
    });
  });

  test.each<[string, object, string]>([
    [
      'of a collection',
      { op: 'test', href: '/resources/p-notes' },
      '400 invalid-body /atomic:operations/0/href',
    ],
    [
      'of a relationship',
      { op: 'test', ref: { type: 'p-notes', id: NO_ID, relationship: 'to' } },
      '400 invalid-body /atomic:operations/0/op',
    ],
    [
      'of an ACL',
      { op: 'test', ref: { type: 'p-notes.acl', id: NO_ID } },
      '400 invalid-body /atomic:operations/0/op',
    ],
    [
      'of nothing',
      { op: 'test', data: { type: 'p-notes', id: NO_ID } },
      '400 invalid-body /atomic:operations/0',
    ],
    [
      'of what is not there',
      { op: 'test', ref: { type: 'p-notes', id: NO_ID } },
      '404 document-not-found /atomic:operations/0',
    ],
  ])('%s is refused', async (_, operation, fault) => {
    expect(faultsOf(await operate(client, [operation]))).toEqual([fault]);
  });
});
