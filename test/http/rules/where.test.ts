/**
 * `where` in a permission: a document that does not meet it is absent. That no way to read or write knows it:
 * property/rules; here, what is told at its address, and of counts.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Resource } from '../../support/client.ts';
import { names, under } from '../../support/rules.ts';

const trusted = await Client.create();

describe('where', () => {
  let open: Client;
  let hidden: Resource;

  beforeAll(async () => {
    await trusted.make('listings', { name: 'chair', status: 'open', price: 5 });
    hidden = await trusted.make('listings', { name: 'table', status: 'draft', price: 7 });
    open = await trusted.withPermissions([under('/resources/listings.*', { where: { status: 'open' } })]);
  });

  test.each([
    ['a list', '/resources/listings'],
    ['a filter that it meets not', '/resources/listings?filter[price]={"$gt":0}'],
    ['full text', '/resources/listings?filter[*]={"$text":{"$search":"chair table"}}'],
  ])('is absent from %s, and from its count', async (_, path) => {
    // Who sees all asks first: what is remembered of that is not for others.
    expect((await trusted.get(path)).body.meta.count).toBe(2);
    const reply = await open.get(path);
    expect([reply.status, reply.body.meta.count, names(reply)]).toEqual([200, 1, ['chair']]);
  });

  const AT_ITS_ADDRESS: readonly [method: string, acl: string, rest: string, body: object | null][] = [
    ['PATCH', '', '', { data: { type: 'listings', attributes: { price: 1 } } }],
    ['DELETE', '', '', null],
    ['PATCH', '', '/relationships/owner', { data: null }],
    ['GET', '.acl', '', null],
    ['PATCH', '.acl', '', { data: { type: 'listings.acl', attributes: { read: '*' } } }],
  ];

  test.each(AT_ITS_ADDRESS)(
    'answers %s %s%s as for an id that never existed',
    async (method, acl, rest, body) => {
      const ask = async (id: string) => {
        const sent =
          body === null
            ? {}
            : {
                body: JSON.parse(
                  JSON.stringify(body).replace('"attributes"', `"id":"${id}","attributes"`),
                ) as object,
              };
        const reply = await open.send(method, `/resources/listings${acl}/${id}${rest}`, sent);
        return [reply.status, reply.text];
      };
      const [at, none] = [await ask(hidden.id), await ask(NO_ID)];
      expect(at).toEqual(none);
      expect(at[0]).toBe(403);
      expect((await trusted.get(`/resources/listings/${hidden.id}`)).body.data.attributes).toMatchObject({
        price: 7,
      });
    },
  );

  test('a document that stops to meet it is gone', async () => {
    const { id } = await trusted.make('listings', { name: 'lamp', status: 'open', price: 1 });
    const at = `/resources/listings/${id}`;
    const read = await open.get(at);
    expect((await open.get(at, { 'if-none-match': read.etag })).status).toBe(304);
    const closed = await open.patch(at, { data: { type: 'listings', id, attributes: { status: 'sold' } } });
    expect([closed.status, closed.text]).toEqual([204, '']);
    expect((await open.get(at, { 'if-none-match': read.etag })).status).toBe(403);
    expect((await open.delete(at)).status).toBe(403);
    await trusted.delete(at);
    expect((await open.get(at)).status).toBe(403);
  });

  test('what is created and not seen is told by its address alone', async () => {
    const made = await open.create('/resources/listings', { attributes: { name: 'new', status: 'draft' } });
    expect(made.status).toBe(201);
    expect(Object.keys(made.body.data).sort()).toEqual(['id', 'links', 'type']);
    await trusted.delete(`/resources/listings/${made.body.data.id}`);
  });
});
