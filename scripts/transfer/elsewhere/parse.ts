/**
 * What Parse writes: a file for each class (`Post.json`), as its dashboard and API give them or as mongoexport reads
 * them from its database. Joins (`_Join:likes:Post.json`) fill relations.
 */
import type { Presentable } from '../../../src/domain/values/present.ts';
import { isList } from '../../../src/domain/values/tree.ts';
import { CORE } from '../../../src/domain/types.ts';
import { isFields, type Fields } from '../records.ts';
import { filesAt, recordsAt, type Named } from './files.ts';
import type { ForeignRecord, Links, Reference, Rights } from './record.ts';

const TYPES = new Map<string, string>([
  ['_User', CORE.user],
  ['_Role', CORE.userGroup],
]);

/** What of a user or a row is the service's own business. */
const LEFT_OUT = ['objectId', 'createdAt', 'updatedAt', 'ACL', 'className', 'sessionToken', 'authData'];

/** The ids that a row's relation leads to, by the name of the relation and the row's id. */
type Joins = ReadonlyMap<string, readonly string[]>;

export async function* fromParse(path: string): AsyncGenerator<ForeignRecord> {
  const files = filesAt(path);
  const classes = files.filter(({ name }) => !name.startsWith('_') || TYPES.has(name));
  const joins = await joinsIn(files);
  const roles = await rolesIn(files);
  for (const { name, file } of classes) {
    for await (const row of recordsAt(file)) yield recordOf(name, row, joins, roles);
  }
}

function recordOf(
  name: string,
  row: Fields,
  joins: Joins,
  roles: ReadonlyMap<string, string>,
): ForeignRecord {
  const id = textIn(row['objectId'] ?? row['_id']) ?? '';
  const fields = new Map<string, Presentable>();
  const links = new Map<string, Links>();
  for (const [field, value] of Object.entries(row)) {
    const pointer = /^_p_(.+)$/.exec(field)?.[1];
    const [target, to] = pointer === undefined ? [] : (textIn(value) ?? '').split('$');
    if (pointer !== undefined) {
      links.set(pointer, target === undefined || to === undefined ? null : { type: typeOf(target), id: to });
    } else if (field.startsWith('_') || LEFT_OUT.includes(field)) continue;
    else {
      const link = linkIn(value, joins.get(`${field}:${name} ${id}`) ?? []);
      if (link === undefined) fields.set(field, value);
      else links.set(field, link);
    }
  }
  const password = row['bcryptPassword'] ?? row['_hashed_password'];
  if (name === '_User' && password !== undefined) fields.set('password', password);
  return {
    type: typeOf(name),
    id,
    fields,
    links,
    rights: rightsIn(row, roles),
    created: timeIn(row['createdAt'] ?? row['_created_at']),
    updated: timeIn(row['updatedAt'] ?? row['_updated_at']),
  };
}

/** What a pointer, several of them or a relation leads to; undefined for any other value. */
function linkIn(value: Presentable, joined: readonly string[]): Reference | readonly Reference[] | undefined {
  if (isList(value)) {
    const all = value.map((each) => linkIn(each, []));
    const links = all.flatMap((each) => each ?? []);
    return links.length > 0 && links.length === value.length ? links : undefined;
  }
  if (!isFields(value)) return undefined;
  const { __type: kind, className, objectId } = value;
  if (typeof className !== 'string') return undefined;
  const type = typeOf(className);
  if (kind === 'Relation') return joined.map((id) => ({ type, id }));
  return kind === 'Pointer' && typeof objectId === 'string' ? { type, id: objectId } : undefined;
}

/**
 * `{"<user>": {"read": true}, "role:<name>": …, "*": …}`, or `_rperm` and `_wperm` for the same. Without them,
 * permissions of the class have decided, which no export tells: then nobody has a right.
 */
function rightsIn(row: Fields, roles: ReadonlyMap<string, string>): Rights {
  const acl = row['ACL'];
  const whose = (right: 'read' | 'write', list: string) => {
    const sent = row[list];
    const names = isFields(acl)
      ? Object.keys(acl).filter((each) => isFields(acl[each]) && acl[each][right] === true)
      : isList(sent)
        ? sent.flatMap((each) => textIn(each) ?? [])
        : [];
    return names.includes('*') ? '*' : names.flatMap((each) => identityOf(each, roles));
  };
  return { read: whose('read', '_rperm'), write: whose('write', '_wperm') };
}

function identityOf(name: string, roles: ReadonlyMap<string, string>): readonly Reference[] {
  if (!name.startsWith('role:')) return [{ type: CORE.user, id: name }];
  const id = roles.get(name.slice('role:'.length));
  return id === undefined ? [] : [{ type: CORE.userGroup, id }];
}

async function joinsIn(files: readonly Named[]): Promise<Joins> {
  const joins = new Map<string, string[]>();
  for (const { name, file } of files) {
    const relation = /^_Join:(.+)$/.exec(name)?.[1];
    if (relation === undefined) continue;
    for await (const { owningId, relatedId } of recordsAt(file)) {
      const key = `${relation} ${textIn(owningId) ?? ''}`;
      const ids = joins.get(key) ?? [];
      joins.set(key, ids);
      ids.push(textIn(relatedId) ?? '');
    }
  }
  return joins;
}

/** Ids of roles by their names, which rights say. */
async function rolesIn(files: readonly Named[]): Promise<ReadonlyMap<string, string>> {
  const roles = new Map<string, string>();
  const file = files.find(({ name }) => name === '_Role')?.file;
  if (file === undefined) return roles;
  for await (const row of recordsAt(file)) {
    roles.set(textIn(row['name']) ?? '', textIn(row['objectId'] ?? row['_id']) ?? '');
  }
  return roles;
}

function typeOf(className: string): string {
  return TYPES.get(className) ?? className;
}

function timeIn(value: Presentable | undefined): string | undefined {
  return textIn(isFields(value) ? value['$date'] : value);
}

function textIn(value: Presentable | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
