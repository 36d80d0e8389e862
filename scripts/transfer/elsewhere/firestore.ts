/**
 * What node-firestore-import-export writes of a Firestore: one object with collections in `__collections__`, and
 * collections in the documents of these. A document is known by its path.
 */
import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { LIMITS } from '../../../src/domain/limits.ts';
import { Failure } from '../../failure.ts';
import type { Presentable } from '../../../src/domain/values/present.ts';
import { isList, mapTree } from '../../../src/domain/values/tree.ts';
import { isFields, valueIn, type Fields } from '../records.ts';
import type { ForeignRecord, Links, Reference } from './record.ts';

const COLLECTIONS = '__collections__';

export async function* fromFirestore(path: string): AsyncGenerator<ForeignRecord> {
  if ((await stat(path)).size > constants.MAX_STRING_LENGTH) {
    throw new Failure(`${path} is too large to be read at once: export some collections at a time.`);
  }
  const root = valueIn(await readFile(path, 'utf8'));
  if (root === undefined) {
    throw new Failure(`${path} is no JSON, or nests more than ${LIMITS.jsonDepth} levels.`);
  }
  if (!isFields(root) || !isFields(root[COLLECTIONS])) {
    throw new Failure(`${path} is no export: its member ${COLLECTIONS} is missing.`);
  }
  yield* collectionsIn(root[COLLECTIONS], '');
}

function* collectionsIn(collections: Fields, parent: string): Generator<ForeignRecord> {
  for (const [type, documents] of Object.entries(collections)) {
    for (const [key, document] of Object.entries(isFields(documents) ? documents : {})) {
      if (!isFields(document)) continue;
      const path = `${parent}${type}/${key}`;
      const { [COLLECTIONS]: below = null, ...fields } = document;
      yield recordOf(type, path, fields, parent);
      if (isFields(below)) yield* collectionsIn(below, `${path}/`);
    }
  }
}

/** A document below another one links to it as `parent`. */
function recordOf(type: string, id: string, row: Fields, parent: string): ForeignRecord {
  const fields = new Map<string, Presentable>();
  const links = new Map<string, Links>();
  if (parent !== '') links.set('parent', referenceTo(parent.slice(0, -1)));
  for (const [name, value] of Object.entries(row)) {
    const all = isList(value) ? value.map(pathIn) : [];
    const paths = all.flatMap((each) => each ?? []);
    const path = pathIn(value);
    if (path !== undefined) links.set(name, referenceTo(path));
    else if (all.length > 0 && paths.length === all.length) links.set(name, paths.map(referenceTo));
    else fields.set(name, ours(value));
  }
  return { type, id, fields, links };
}

/** Of a reference to a document, where that is. */
function pathIn(value: Presentable): string | undefined {
  const { __datatype__: kind, value: to } = isFields(value) ? value : {};
  return kind === 'documentReference' && typeof to === 'string' ? to : undefined;
}

function referenceTo(path: string): Reference {
  return { type: path.split('/').at(-2) ?? '', id: path };
}

function ours(value: Presentable): Presentable {
  if (!isFields(value)) return isList(value) ? mapTree<Presentable, Presentable>(value, ours) : value;
  const { __datatype__: kind, value: inner = null } = value;
  const {
    _seconds: seconds,
    _nanoseconds: nanoseconds,
    _latitude: latitude,
    _longitude: longitude,
  } = isFields(inner) ? inner : {};
  const time = new Date(Number(seconds) * 1000 + Math.trunc(Number(nanoseconds) / 1e6));
  if (kind === 'timestamp' && !Number.isNaN(time.getTime())) return { $date: time.toISOString() };
  if (kind === 'geopoint') return { type: 'Point', coordinates: [longitude ?? null, latitude ?? null] };
  return mapTree<Presentable, Presentable>(value, ours);
}
