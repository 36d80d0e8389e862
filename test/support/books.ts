/** Books by people and firms, to be found by the fields of their authors, in an application of a test's own. */
import { expect } from 'vitest';
import { Client, type Link, type Reply } from './client.ts';

export function titles(reply: Reply): readonly unknown[] {
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.meta.count).toBe(reply.body.data.length);
  return reply.body.data.map(({ attributes }) => attributes?.['title']);
}

export async function makeBooks() {
  const client = await Client.create();
  const people = new Map<string, Link>();
  const person = (name: string): Link => people.get(name) ?? { type: 'people', id: '0'.repeat(24) };
  const to = (...names: readonly string[]) => ({ data: names.map((name) => person(name)) });
  const make = async (name: string, type: string, attributes: object) => {
    const { id } = await client.make(type, attributes);
    people.set(name, { type, id });
  };
  await make('Ann', 'people', { name: 'Ann', age: 30, tags: ['x', 'y'] });
  await make('Bob', 'people', { name: 'Bob', age: 40, city: { name: 'Ulm' } });
  await make('Eve', 'people', { age: 50, name: null });
  await make('Acme', 'companies', { name: 'Acme', age: 30 });
  const book = (title: string, relationships?: object, attributes: object = {}) =>
    client.make('books', { title, ...attributes }, relationships);
  await book('by Ann', { author: { data: person('Ann') } });
  await book('by Bob', { author: { data: person('Bob') } });
  await book('by Eve', { author: { data: person('Eve') } });
  await book('by Ann and Bob', { author: to('Ann', 'Bob') });
  await book('by Acme', { author: { data: person('Acme') } });
  await book('by Bob and Acme', { author: to('Bob', 'Acme') });
  await book('by nobody', { author: { data: null } });
  await book('by none', { author: { data: [] } });
  await book('of another kind', undefined, { author: { name: 'Ann', age: 99 } });
  await book('without');

  const find = async (filter: unknown, by: Client = client, headers = {}): Promise<readonly unknown[]> => {
    const query = `filter[*]=${encodeURIComponent(JSON.stringify(filter))}`;
    return titles(await by.get(`/resources/books?${query}&page[limit]=1000`, headers));
  };
  return { client, person, find };
}
