/** Databases of PocketBase, with the tables and columns that its versions make. */
import { DatabaseSync } from 'node:sqlite';

/** Of `correct horse`, as its versions make them: before 0.23 at cost 13. */
const HASH = '$2a$10$vIb5mRkWdCbAvLqUZogGDOMVq02aqBaPrA1wYcTJhGgBfKTHVdcwq';
const OLD_HASH = '$2b$13$fK9lJ9bI41RC4975FyuZoOEnctD8DrHK3wSnsF/KEN5NX1zI87spO';

type Field = Readonly<Record<string, unknown>>;

const USERS: readonly Field[] = [{ name: 'nick', type: 'text' }];
const POSTS: readonly Field[] = [
  { name: 'title', type: 'text' },
  { name: 'count', type: 'number' },
  { name: 'open', type: 'bool' },
  { name: 'at', type: 'date' },
  { name: 'data', type: 'json' },
  { name: 'tags', type: 'select', maxSelect: 3 },
  { name: 'author', type: 'relation', collectionId: '_pb_users_auth_', maxSelect: 1 },
  { name: 'likes', type: 'relation', collectionId: '_pb_users_auth_', maxSelect: 9 },
];

/** Of 0.22: fields in `schema`, options apart, columns of users that no schema has. */
export function writeOld(file: string): void {
  const old = (fields: readonly Field[]) =>
    JSON.stringify(fields.map(({ name, type, ...options }) => ({ system: false, name, type, options })));
  write(file, 'schema', [old(USERS), old(POSTS)], 'passwordHash', ['username', "'ada'"], OLD_HASH);
}

/** Since 0.23: fields in `fields`, also those of users; a name of a user only where somebody wants it. */
export function writeNew(file: string): void {
  const system = ['id', 'password', 'tokenKey', 'email', 'verified'].map((name) => ({
    name,
    type: name === 'password' ? 'password' : 'text',
    system: true,
  }));
  const times = ['created', 'updated'].map((name) => ({ name, type: 'autodate' }));
  const all = (fields: readonly Field[]) => JSON.stringify([...fields, ...times]);
  write(file, 'fields', [all([...system, ...USERS]), all(POSTS)], 'password', null, HASH);
}

function write(
  file: string,
  column: string,
  [users = '', posts = '']: readonly string[],
  password: string,
  name: readonly [string, string] | null,
  hash: string,
): void {
  const database = new DatabaseSync(file);
  const [nameColumn, nameValue] = name === null ? ['', ''] : [`${name[0]} TEXT,`, `${name[1]},`];
  database.exec(`
    CREATE TABLE _collections (id TEXT PRIMARY KEY, type TEXT, name TEXT, ${column} JSON);
    CREATE TABLE users (id TEXT PRIMARY KEY, ${nameColumn} email TEXT, verified BOOLEAN, ${password} TEXT,
      tokenKey TEXT, nick TEXT, created TEXT, updated TEXT);
    CREATE TABLE posts (id TEXT PRIMARY KEY, title TEXT, count NUMERIC, open BOOLEAN, at TEXT, data JSON, tags JSON,
      author TEXT, likes JSON, created TEXT, updated TEXT);
    INSERT INTO users VALUES ('r0a1b2c3d4e5f6g', ${nameValue} 'Ada@Example.org', TRUE, '${hash}', 'secret', 'A',
      '2026-11-01 10:00:00.000Z', '2026-11-02 10:00:00.000Z');
    INSERT INTO posts VALUES ('p0a1b2c3d4e5f6g', 'Dracula', 3.5, TRUE, '2026-11-01 10:00:00.123Z', '{"deep":[1,null]}',
      '["a","b"]', 'r0a1b2c3d4e5f6g', '["r0a1b2c3d4e5f6g"]', '2026-11-03 10:00:00.000Z', '2026-11-04 10:00:00.000Z');
    INSERT INTO posts VALUES ('p1a1b2c3d4e5f6g', 'Emma', 0, FALSE, '', 'null', '[]', '', '[]',
      '2026-11-03 10:00:00.000Z', '2026-11-04 10:00:00.000Z');
  `);
  const add = database.prepare(`INSERT INTO _collections VALUES (?, ?, ?, ?)`);
  add.run('_pb_users_auth_', 'auth', 'users', users);
  add.run('pbc_1', 'base', 'posts', posts);
  add.run('pbc_2', 'view', 'overview', '[]');
  add.run('pbc_3', 'auth', '_superusers', '[]');
  database.close();
}
