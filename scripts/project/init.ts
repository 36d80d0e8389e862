/** The first files of a project: a type with a schema and rights, a key for pages, a document. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.ts';
import { CONFIGURATION, FOLDER, schemaAddress } from './project.ts';

const FILES: Readonly<Record<string, string>> = {
  [CONFIGURATION]: `{
  "$schema": "${schemaAddress('foredge')}",
  "targets": {
    // The server that runs here. Others have an address: their API key comes from the environment.
    "local": {}
    // "staging": { "url": "https://staging.example.com", "application": "<application id>" }
  }
}
`,
  'types/articles.json': `{
  "$schema": "${schemaAddress('types')}",

  // Everybody who has logged in reads an article; who wrote it changes and deletes it.
  "rights": { "read": ["*"], "update": ["$creator"], "delete": ["$creator"] },
  "unique": [["slug"]],

  // Every write must satisfy it.
  "schema": {
    "type": "object",
    "required": ["attributes"],
    "properties": {
      "attributes": {
        "type": "object",
        "required": ["slug", "title"],
        "properties": {
          "slug": { "type": "string", "pattern": "^[a-z0-9-]+$" },
          "title": { "type": "string", "minLength": 3 },
          "text": { "type": "string" }
        },
        "additionalProperties": false
      }
    }
  }
}
`,
  'keys/website.json': `{
  "$schema": "${schemaAddress('keys')}",

  // The key that a page shows to everybody. What follows "acl" asks for the rights of the user who has logged in.
  "name": "website",
  "permissions": [
    {
      "path": "/resources/articles(/[0-9a-f]{24})?",
      "methods": ["get", "post", "patch", "delete"],
      "acl": { "active": true }
    },
    { "path": "/users/core\\\\.user\\\\.token(/me)?", "methods": ["post", "delete"] }
  ]
}
`,
  'seeds/articles.jsonl': `{"id": "hello", "attributes": {"slug": "hello", "title": "Hello"}}
`,
};

/** Data and credentials of the server that runs here. */
const UNSHARED = '.foredge/';

/** Writes some of them, all without names, and tells which; changes nothing that is there. */
export function initialize(root: string, names = Object.keys(FILES)): readonly string[] {
  const paths = names.map((name) => join(root, name === CONFIGURATION ? '' : FOLDER, name));
  const there = paths.find((path) => existsSync(path));
  if (there !== undefined) throw new Failure(`There is a ${there} already.`);
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, FILES[names[index] ?? ''] ?? '');
  }
  const ignored = join(root, '.gitignore');
  const text = existsSync(ignored) ? readFileSync(ignored, 'utf8') : '';
  if (text.split('\n').includes(UNSHARED)) return paths;
  appendFileSync(ignored, `${text === '' || text.endsWith('\n') ? '' : '\n'}${UNSHARED}\n`);
  return [...paths, ignored];
}
