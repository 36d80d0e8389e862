/** A small library of people and articles, as each client library meets it, and what all of them need to reach it. */
import { Client, type Link } from '../support/client.ts';

export interface Library {
  /** The service's own test client, which looks at what a library has done. */
  readonly client: Client;
  /** Where documents are. */
  readonly base: string;
  /** What every request carries. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ada: Link;
  readonly bob: Link;
}

/** An application of its own with two people, and three articles of Ada's. */
export async function openLibrary(): Promise<Library> {
  const client = await Client.create();
  const [ada, bob] = [
    await client.make('people', { name: 'Ada' }),
    await client.make('people', { name: 'Bob' }),
  ];
  for (const [title, words] of [
    ['Dracula', 300],
    ['Emma', 200],
    ['Emil', 100],
  ] as const) {
    await client.make('articles', { title, words }, { author: { data: { type: 'people', id: ada.id } } });
  }
  return {
    client,
    base: `${client.url}/resources`,
    headers: { 'application-id': client.application, 'api-key': client.key },
    ada: { type: 'people', id: ada.id },
    bob: { type: 'people', id: bob.id },
  };
}
