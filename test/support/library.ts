/** The types of the examples of the client, and a database with them. */
import { connect, type Database, type SessionSettings } from '../../src/client/index.ts';
import { Client } from './client.ts';

export interface Library {
  authors: {
    attributes: { name: string; born?: number };
    relationships: { books?: 'books'[] };
  };
  books: {
    attributes: {
      title: string;
      year?: number;
      tags?: string[];
      published?: Date;
      shelf?: { room: string; row: number };
    };
    relationships: { author?: 'authors' | null; sequels?: 'books'[] };
  };
  'agt.by-author': { attributes: { author: string; books: number }; relationships: object };
}

/** A database of a new application, with the plain client of the same application beside it. */
export async function newLibrary(
  settings: Partial<SessionSettings> = {},
): Promise<{ readonly db: Database<Library>; readonly plain: Client }> {
  const plain = await Client.create();
  return { db: openLibrary(plain, settings), plain };
}

export function openLibrary(
  { url, application, key }: Client,
  settings: Partial<SessionSettings> = {},
): Database<Library> {
  return connect<Library>({ url, application, key, ...settings });
}
