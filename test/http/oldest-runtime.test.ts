/** A first look at the oldest runtime that is promised; `npm run test:oldest` runs the core of the tests on it. */
import { expect, test } from 'vitest';
import { OLDEST } from '../support/oldest.ts';
import { newService } from '../support/scope.ts';

const service = await newService({ workerd: OLDEST });

test('a document without relationships, rights and creator is read as it was written, alone and in lists', async () => {
  const { client } = service;
  const { id, attributes } = await client.make('notes', { title: 'As written' });
  const shown = { id, attributes: { title: 'As written' } };
  expect(attributes).toEqual(shown.attributes);
  expect((await client.get(`/resources/notes/${id}`)).body.data).toMatchObject(shown);
  expect((await client.get('/resources/notes?filter[title]="As written"')).body.data).toMatchObject([shown]);
  const meta = await client.get(`/resources/notes/${id}?fields[notes]=title,$creator`);
  expect(meta.body.data).toMatchObject({ ...shown, meta: { creator: null } });
});
