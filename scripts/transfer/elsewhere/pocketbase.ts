/** PocketBase's own database (`pb_data/data.db`): its collections say what is a relation, a date, a user. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CORE } from '../../../src/domain/types.ts';
import { Failure } from '../../failure.ts';
import type { Presentable } from '../../../src/domain/values/present.ts';
import { isList } from '../../../src/domain/values/tree.ts';
import { isFields, valueIn, type Fields } from '../records.ts';
import type { ForeignRecord, Links } from './record.ts';

interface Collection {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly type: string;
  /** Of a relation: the id of the collection that it leads to, or long ago its name. */
  readonly target: string;
}

/** Columns of users that are the service's own business. */
const OF_USERS =
  /^(email|emailVisibility|last(Login|Reset|Verification)\w*SentAt|password(Hash)?|tokenKey|username|verified)$/;

type Row = Readonly<Record<string, unknown>>;

export function* fromPocketbase(path: string): Generator<ForeignRecord> {
  const file = statSync(path).isDirectory() ? join(path, 'data.db') : path;
  try {
    yield* recordsAt(file);
  } catch (error) {
    const isTold = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
    throw isTold ? new Failure(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

function* recordsAt(file: string): Generator<ForeignRecord> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const collections = database.prepare('SELECT * FROM _collections ORDER BY name').all().map(collectionOf);
    const types = new Map(
      collections.flatMap((each) => [each.id, each.name].map((key) => [key, typeOf(each)] as const)),
    );
    for (const collection of collections) {
      if (collection.type === 'view' || collection.name.startsWith('_')) continue;
      const rows = database.prepare(
        `SELECT * FROM "${collection.name.replaceAll('"', '""')}" ORDER BY rowid`,
      );
      rows.setReadBigInts(true);
      for (const row of rows.iterate()) yield recordOf(collection, types, row);
    }
  } finally {
    database.close();
  }
}

/** Since 0.23 fields stand in `fields`; before, in `schema`, each with its options apart. */
function collectionOf(row: Row): Collection {
  const fields = valueIn(textIn(row['fields'] ?? row['schema'])) ?? [];
  return {
    id: textIn(row['id']),
    name: textIn(row['name']),
    type: textIn(row['type']),
    fields: isList(fields) ? fields.filter(isFields).map(fieldOf) : [],
  };
}

function fieldOf(field: Fields): Field {
  const { collectionId: target } = isFields(field['options']) ? field['options'] : field;
  return { name: textIn(field['name']), type: textIn(field['type']), target: textIn(target) };
}

function typeOf({ name, type }: Collection): string {
  return type === 'auth' ? CORE.user : name;
}

function recordOf(collection: Collection, types: ReadonlyMap<string, string>, row: Row): ForeignRecord {
  const isUser = collection.type === 'auth';
  const fields = new Map<string, Presentable>(isUser ? Object.entries(userIn(row)) : []);
  const links = new Map<string, Links>();
  for (const { name, type, target } of collection.fields) {
    const value = row[name] ?? null;
    if (name === 'id' || TIMES.includes(name) || (isUser && OF_USERS.test(name))) continue;
    if (type === 'relation') links.set(name, linkOf(types.get(target) ?? '', textIn(value)));
    else fields.set(name, shown(type, value));
  }
  const [created, updated] = TIMES.map((name) => timeIn(row[name]));
  return { type: typeOf(collection), id: textIn(row['id']), fields, links, created, updated };
}

const TIMES = ['created', 'updated'];

/** A user logs in by name, or without one by the address. */
function userIn(row: Row): Record<string, Presentable> {
  const email = textIn(row['email']);
  return {
    username: textIn(row['username']) || email || textIn(row['id']),
    password: textIn(row['passwordHash'] ?? row['password']),
    ...(email !== '' && { email }),
    ...(email !== '' && row['verified'] === 1n && { 'confirmed-email': email.toLowerCase() }),
  };
}

/** One id is a text, several are an array of JSON. */
function linkOf(type: string, value: string): Links {
  const ids = value.startsWith('[') ? valueIn(value) : undefined;
  if (isList(ids)) return ids.flatMap((id) => (typeof id === 'string' ? { type, id } : []));
  return value === '' ? null : { type, id: value };
}

function shown(type: string, value: unknown): Presentable {
  if (type === 'bool') return value === 1n;
  if (['date', 'autodate'].includes(type)) return dateOf(timeIn(value));
  if (typeof value === 'bigint') return JSON.rawJSON(String(value));
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  if (type === 'geoPoint') {
    const point = valueIn(value);
    return isFields(point)
      ? { type: 'Point', coordinates: [point['lon'] ?? null, point['lat'] ?? null] }
      : null;
  }
  const isJson = type === 'json' || (value.startsWith('[') && ['select', 'file'].includes(type));
  const read = isJson ? valueIn(value) : undefined;
  return read === undefined ? value : read;
}

function dateOf(time: string | undefined): Presentable {
  return time === undefined ? null : { $date: time };
}

/** `2026-11-28 10:00:00.000Z` as ISO 8601 has it. */
function timeIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.replace(' ', 'T') : undefined;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
