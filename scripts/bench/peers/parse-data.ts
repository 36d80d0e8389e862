/** The data of a run in parse-server: classes, two users with sessions, and a copy of the places with indexes. */
import { READABLE, type Imported } from '../contender.ts';
import { authorsOf, COUNTRIES, placeOf, type Place } from '../data.ts';
import { Connections, exchangeOnce, inParallel } from '../load.ts';
import type { Postgres } from './postgres.ts';

export const USER = { username: 'reader@example.org', password: 'reads one in a hundred' };
export const PLACES = 'Places';
/** The same documents; the columns that are filtered by have indexes, declared by hand. */
export const INDEXED = 'IndexedPlaces';
export const NOTES = 'Notes';
export const INDEXED_NOTES = 'IndexedNotes';

const BATCH = 200;

export interface ParseServer {
  readonly url: string;
  readonly masterKey: string;
}

export interface Loaded {
  readonly places: readonly string[];
  readonly authors: readonly string[];
  readonly imported: Imported;
  readonly session: string;
}

export const HEADERS = { 'x-parse-application-id': 'bench', 'content-type': 'application/json' };

export function masterHeaders({ masterKey }: ParseServer): Record<string, string> {
  return { ...HEADERS, 'x-parse-master-key': masterKey };
}

export async function loadParse(
  server: ParseServer,
  postgres: Postgres,
  size: number,
  withNotes: boolean,
): Promise<Loaded> {
  await makeClasses(server);
  const countries = await createAll(server, 'Countries', COUNTRIES, (index) => ({
    name: `country ${index}`,
  }));
  const authors = await createAll(server, 'Authors', authorsOf(size), (index) => ({
    name: `author ${index}`,
    born: 1900 + (index % 100),
    country: pointer('Countries', countries[index % COUNTRIES]),
  }));
  const begun = performance.now();
  const places = await createAll(server, PLACES, size, (index) => fieldsOf(placeOf(index, size), authors));
  const seconds = (performance.now() - begun) / 1000;
  const reader = await signUp(server, USER);
  const other = await signUp(server, { username: 'other@example.org', password: 'writes the others' });
  if (withNotes) {
    await createAll(server, NOTES, size, (index) => ({
      ...noteFields(index),
      ACL: { [index % Math.round(1 / READABLE) === 0 ? reader.id : other.id]: { read: true, write: true } },
    }));
  }
  await declareIndexes(postgres, withNotes);
  const imported = { documents: size, seconds, how: `batches of ${BATCH}` };
  return { places, authors, imported, session: reader.session };
}

/** A place as parse-server takes it. */
export function fieldsOf(place: Place, authors: readonly string[]): Readonly<Record<string, unknown>> {
  const { author, location, opened, ...rest } = place;
  return { ...rest, ...kinds({ location, opened }), author: pointer('Authors', authors[author]) };
}

function noteFields(index: number): Readonly<Record<string, unknown>> {
  return { ...fieldsOf(placeOf(index, 1_000_000), []), author: undefined };
}

function kinds({ location, opened }: Pick<Place, 'location' | 'opened'>) {
  const [longitude, latitude] = location.coordinates;
  return {
    location: { __type: 'GeoPoint', longitude, latitude },
    opened: { __type: 'Date', iso: opened },
  };
}

function pointer(className: string, objectId: string | undefined) {
  return { __type: 'Pointer', className, objectId };
}

const FIELDS = {
  name: 'String',
  street: 'String',
  category: 'String',
  batch: 'String',
  rank: 'Number',
  price: 'Number',
  visits: 'Number',
  opened: 'Date',
  tags: 'Array',
  location: 'GeoPoint',
  summary: 'String',
  extra: 'Object',
} as const;

async function makeClasses(server: ParseServer): Promise<void> {
  const author = { type: 'Pointer', targetClass: 'Authors' };
  const classes = {
    Countries: typed({ name: 'String' }),
    Authors: {
      ...typed({ name: 'String', born: 'Number' }),
      country: { type: 'Pointer', targetClass: 'Countries' },
    },
    [PLACES]: { ...typed(FIELDS), author },
    [INDEXED]: { ...typed(FIELDS), author },
    [NOTES]: typed(FIELDS),
    [INDEXED_NOTES]: typed(FIELDS),
  };
  for (const [className, fields] of Object.entries(classes)) await makeClass(server, className, fields);
}

function typed(fields: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));
}

export async function makeClass(
  server: ParseServer,
  className: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const body = JSON.stringify({ className, fields });
  const path = `/parse/schemas/${className}`;
  await exchangeOnce(server.url, { method: 'POST', path, headers: masterHeaders(server), body });
}

/** Answers the ids in their order. */
export async function createAll(
  server: ParseServer,
  className: string,
  count: number,
  make: (index: number) => Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const client = new Connections(server.url, 2);
  const ids: string[] = [];
  const starts = Array.from({ length: Math.ceil(count / BATCH) }, (_, batch) => batch * BATCH);
  await inParallel(starts, 2, async (from) => {
    const requests = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) => ({
      method: 'POST',
      path: `/parse/classes/${className}`,
      body: make(from + offset),
    }));
    const { text } = await client.exchange({
      method: 'POST',
      path: '/parse/batch',
      headers: masterHeaders(server),
      body: JSON.stringify({ requests }),
    });
    const results = JSON.parse(text) as readonly { readonly success?: { readonly objectId: string } }[];
    for (const [offset, { success }] of results.entries()) {
      if (success === undefined) throw new Error(`A batch of ${className} failed: ${text.slice(0, 300)}`);
      ids[from + offset] = success.objectId;
    }
  });
  client.close();
  return ids;
}

async function signUp(server: ParseServer, user: typeof USER): Promise<{ id: string; session: string }> {
  const { text } = await exchangeOnce(server.url, {
    method: 'POST',
    path: '/parse/users',
    headers: HEADERS,
    body: JSON.stringify(user),
    status: 201,
  });
  const { objectId, sessionToken } = JSON.parse(text) as { objectId: string; sessionToken: string };
  return { id: objectId, session: sessionToken };
}

async function declareIndexes(postgres: Postgres, withNotes: boolean): Promise<void> {
  await postgres.sql(`INSERT INTO "${INDEXED}" SELECT * FROM "${PLACES}"`);
  if (withNotes) await postgres.sql(`INSERT INTO "${INDEXED_NOTES}" SELECT * FROM "${NOTES}"`);
  const indexes = ['("batch")', '("rank")', 'USING gist ("location")', 'USING gin ("_rperm")'];
  for (const index of indexes) await postgres.sql(`CREATE INDEX ON "${INDEXED}" ${index}`);
  await postgres.sql(`CREATE INDEX ON "${INDEXED_NOTES}" USING gin ("_rperm")`);
  await postgres.sql('ANALYZE');
}
