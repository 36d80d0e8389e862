/** Aggregates through the API: definitions, their documents, search, relationships, includes, rights, parameters. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';

const client = await Client.create();

function define(attributes: object) {
  return client.post('/aggregates/core.aggregate', { data: { type: 'core.aggregate', attributes } });
}

describe('products with models', () => {
  let products: readonly string[];

  beforeAll(async () => {
    products = [
      (
        await client.make('products', {
          name: 'Chair',
          models: [
            { color: 'red', price: 10 },
            { color: 'blue', price: 12 },
          ],
        })
      ).id,
      (await client.make('products', { name: 'Table', models: [{ color: 'red', price: 50 }] })).id,
    ];
    const flat = await define({
      'input-type': 'products',
      'output-type': 'agt.flat-product',
      pipeline: [
        { unwind: { path: '$models', includeArrayIndex: 'index' } },
        {
          project: {
            id: { $concat: [{ $toString: '$id' }, '-', { $toString: '$index' }] },
            name: 1,
            color: '$models.color',
            price: '$models.price',
            product: { type: '$type', id: '$id' },
          },
        },
        { output: { attributes: ['name', 'color', 'price'], relationships: ['product'] } },
      ],
    });
    expect(flat.status, flat.text).toBe(201);
  });

  test('are unwound into documents with composed ids and a link back', async () => {
    const list = await client.get('/aggregates/agt.flat-product?include=product&fields[products]=name');
    expect(list.status, list.text).toBe(200);
    expect(list.body.meta.count).toBe(3);
    expect(list.body.data.map(({ id }) => id)).toEqual([
      `${products[0]}-0`,
      `${products[0]}-1`,
      `${products[1]}-0`,
    ]);
    expect(list.body.data[0]).toMatchObject({
      type: 'agt.flat-product',
      attributes: { name: 'Chair', color: 'red', price: 10 },
      relationships: { product: { data: { type: 'products', id: products[0] } } },
    });
    expect(list.body.included.map(({ attributes }) => attributes)).toEqual([
      { name: 'Chair' },
      { name: 'Table' },
    ]);
  });

  test('are searched, sorted and paged', async () => {
    const query = 'filter[color]="red"&sort=-price&page[limit]=1';
    const list = await client.get(`/aggregates/agt.flat-product?${query}`);
    expect(list.body.meta.count).toBe(2);
    expect(list.body.data.map(({ attributes }) => attributes?.['price'])).toEqual([50]);
    const next = await client.get(list.body.links.next ?? '');
    expect(next.body.data.map(({ attributes }) => attributes?.['price'])).toEqual([10]);
  });

  test('are paged without a count, where page[count] is false', async () => {
    const list = await client.get('/aggregates/agt.flat-product?sort=price&page[limit]=2&page[count]=false');
    expect(list.body).not.toHaveProperty('meta');
    expect(list.body.links.last).toBeNull();
    const next = await client.get(list.body.links.next ?? '');
    expect(next.body.data.map(({ attributes }) => attributes?.['price'])).toEqual([50]);
    expect(next.body.links.next).toBeNull();
    const again = await client.get(list.body.links.next ?? '', { 'if-none-match': next.etag });
    expect(again.status).toBe(304);
  });

  test('are read one by one, with their relationship and the document behind it', async () => {
    const path = `/aggregates/agt.flat-product/${products[0]}-1`;
    expect((await client.get(path)).body.data.attributes).toMatchObject({ color: 'blue' });
    expect((await client.get(`${path}/relationships/product`)).body.data).toEqual({
      type: 'products',
      id: products[0],
    });
    expect((await client.get(`${path}/product`)).body.data.map(({ id }) => id)).toEqual([products[0]]);
    expect((await client.get(`${path}/nothing`)).status).toBe(404);
    expect((await client.get('/aggregates/agt.flat-product/none')).status).toBe(404);
    expect((await client.get('/aggregates/agt.unknown')).status).toBe(404);
  });

  test('answer 304 until their input changes', async () => {
    const path = `/aggregates/agt.flat-product`;
    const { etag } = await client.get(path);
    expect((await client.get(path, { 'if-none-match': etag })).status).toBe(304);
    expect((await client.get(`${path}/${products[0]}-0`, { 'if-none-match': etag })).status).toBe(304);
    const other = await client.make('products', { name: 'Lamp', models: [{ color: 'green', price: 5 }] });
    expect((await client.get(path, { 'if-none-match': etag })).status).toBe(200);
    await client.delete(`/resources/products/${other.id}`);
    expect((await client.get(path, { 'if-none-match': etag })).status).toBe(304);
  });

  test.each(['POST', 'PATCH', 'DELETE'])('can not be written: %s is 405', async (method) => {
    const reply = await client.send(method, '/aggregates/agt.flat-product', { body: { data: {} } });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
