/** The data of a run in our own server: countries, authors, places; two users and the notes that they may read. */
import { authorsOf, COUNTRIES, placeOf, type Place } from '../data.ts';
import { READABLE, type Imported } from '../contender.ts';
import { createMany, createOne, type Credentials, type Link, type Resource } from './api.ts';

export const USER = { username: 'reader@example.org', password: 'reads one in a hundred' };
export const GROUPS = 'agt.category';

export interface Loaded {
  readonly places: readonly string[];
  readonly authors: readonly string[];
  readonly imported: Imported;
  /** A key with ACL on, and the token of the user who may read few of the notes. */
  readonly underAcl: Credentials;
  readonly token: string;
}

export async function loadForedge(
  credentials: Credentials,
  size: number,
  withNotes: boolean,
): Promise<Loaded> {
  const { ids: countries } = await createMany(credentials, countriesOf());
  const { ids: authors } = await createMany(credentials, authorsIn(size, countries));
  const { ids: places, ...imported } = await createMany(
    credentials,
    each(size, (index) => resourceOf(placeOf(index, size), authors)),
  );
  await createOne(credentials, aggregate(), '/aggregates/core.aggregate');
  return { places, authors, imported, ...(await loadNotes(credentials, withNotes ? size : 0)) };
}

/** A place as it is sent. */
export function resourceOf({ author, ...attributes }: Place, authors: readonly string[]): Resource {
  return {
    type: 'places',
    attributes: { ...attributes, opened: { $date: attributes.opened } },
    relationships: { author: { data: { type: 'authors', id: authors[author] ?? '' } } },
  };
}

function countriesOf(): Iterable<Resource> {
  return each(COUNTRIES, (index) => ({ type: 'countries', attributes: { name: `country ${index}` } }));
}

function authorsIn(size: number, countries: readonly string[]): Iterable<Resource> {
  return each(authorsOf(size), (index) => ({
    type: 'authors',
    attributes: { name: `author ${index}`, born: 1900 + (index % 100) },
    relationships: { country: { data: { type: 'countries', id: countries[index % COUNTRIES] ?? '' } } },
  }));
}

function aggregate(): Resource {
  const group = {
    id: '$category',
    count: { $sum: 1 },
    total: { $sum: '$price' },
    most: { $max: '$visits' },
  };
  return {
    type: 'core.aggregate',
    attributes: { 'input-type': 'places', 'output-type': GROUPS, pipeline: [{ group }] },
  };
}

const NOTES = ['/resources/notes(/[0-9a-f]{24})?', '/operations'];

/** As many notes as places, or none: the user's own are evenly strewn among those of another. */
async function loadNotes(
  credentials: Credentials,
  size: number,
): Promise<Pick<Loaded, 'underAcl' | 'token'>> {
  const key = await createOne(credentials, aclKey(NOTES), '/api-keys/core.api-key');
  const underAcl = { ...credentials, key: String(key.data.attributes['secure-id']) };
  const { token } = await userToken(credentials, USER);
  const { token: other } = await userToken(credentials, {
    username: 'other@example.org',
    password: 'writes the others',
  });
  const parts = 10;
  const own = Math.round((size * READABLE) / parts);
  for (let part = 0; part < parts; part += 1) {
    await createMany(underAcl, notes(size / parts - own, part), other);
    await createMany(underAcl, notes(own, part), token);
  }
  return { underAcl, token };
}

export function aclKey(paths: readonly string[]): Resource {
  const methods = ['get', 'post', 'patch', 'delete'];
  const permissions = paths.map((path) => ({
    path,
    methods,
    acl: { active: true },
  }));
  return { type: 'core.api-key', attributes: { name: 'under ACL', permissions } };
}

export async function userToken(
  credentials: Credentials,
  user: typeof USER,
): Promise<{ readonly token: string; readonly link: Link }> {
  const { data } = await createOne(credentials, { type: 'core.user', attributes: user }, '/users/core.user');
  const headers = {
    'application-id': credentials.application,
    'api-key': credentials.key,
    authorization: basic(user),
  };
  const response = await fetch(`${credentials.url}/users/core.user.token`, { method: 'POST', headers });
  const body = await response.json<{ data: { attributes: { token: string } } }>();
  return { token: body.data.attributes.token, link: { type: 'core.user', id: data.id } };
}

export function basic({ username, password }: typeof USER): string {
  return `Basic ${btoa(`${username}:${password}`)}`;
}

function notes(count: number, part: number): Iterable<Resource> {
  return each(count, (index) => ({
    type: 'notes',
    attributes: { ...placeOf(part * count + index, 1_000_000), author: undefined },
  }));
}

function* each<Item>(count: number, make: (index: number) => Item): Generator<Item> {
  for (let index = 0; index < count; index += 1) yield make(index);
}
