import { defined } from './aggregates.ts';
/** Authors, articles and shelves in which reads find things in vain: for tests of warnings. */
import { Client } from './client.ts';
import { makeUser, type Person } from './people.ts';

export interface WarnedLibrary {
  readonly client: Client;
  /** Ids. */
  readonly author: string;
  readonly article: string;
  readonly shelf: string;
  readonly group: string;
  /** Of the one output of the aggregate. */
  readonly total: string;
  readonly user: Person;
}

export async function makeWarnedLibrary(): Promise<WarnedLibrary> {
  const client = await Client.create();
  const inverses = { articles: { type: 'articles', through: 'author' } };
  await client.create('/schemas/core.type', { attributes: { name: 'authors', inverses } });
  const { id: author } = await client.make('authors', { name: 'Mary' });
  await client.make(
    'authors',
    { name: 'Ada', born: 1815 },
    { friend: { data: { type: 'authors', id: author } } },
  );
  const link = { data: { type: 'authors', id: author } };
  const { id: article } = await client.make('articles', { title: 'T', year: 1818 }, { author: link });
  const { id: shelf } = await client.make('shelves', {}, { authors: { data: [link.data] } });
  await defined(client, 'years', 'articles', [
    { group: { id: '$year', total: { $sum: 1 } } },
    { project: { total: 1, author: { type: 'authors', id: { $oid: author } } } },
    { output: { attributes: ['total'], relationships: ['author'] } },
  ]);
  const outputs = await client.get('/aggregates/agt.years');
  const total = (outputs.body.data as readonly { readonly id: string }[])[0]?.id ?? '';
  const user = await makeUser(client, 'warned');
  const members = { users: { data: [user.link] } };
  const made = await client.create('/users/core.user-group', {
    attributes: { name: 'G' },
    relationships: members,
  });
  return { client, author, article, shelf, user, total, group: made.body.data.id };
}
