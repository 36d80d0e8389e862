/** docs/search.md: its documents are stored through the API and every example is run against them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Client, type Link, type Reply } from '../support/client.ts';
import { readExamples, readLibrary, type Example } from '../support/search-examples.ts';

const markdown = readFileSync(join(import.meta.dirname, '../../docs/search.md'), 'utf8');
const examples = readExamples(markdown);

/** Every operator of the specification, and those that users of its language expect beside them. */
const OPERATORS = [
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$not', '$and', '$or', '$nor'],
  ...['$all', '$elemMatch', '$size', '$regex', '$options', '$text', '$search', '$exists', '$type', '$mod'],
  ...['$geoIntersects', '$geoWithin', '$near', '$nearSphere', '$minDistance', '$maxDistance'],
];

/** The ids that the service gave, by their names in the examples. */
const ids = new Map<string, string>();
const client = await Client.create();
for (const { type, name, attributes, relationships } of readLibrary(markdown)) {
  const made = await client.make(type, attributes, withIds(relationships));
  ids.set(name, made.id);
}

/** Relationships with the ids in the place of names. */
function withIds(relationships: Readonly<Record<string, Link | readonly Link[] | null>>): unknown {
  const link = ({ type, id }: Link) => ({ type, id: ids.get(id) });
  return Object.fromEntries(
    Object.entries(relationships).map(([name, links]) => [
      name,
      { data: links === null ? null : 'id' in links ? link(links) : links.map(link) },
    ]),
  );
}

function pathOf({ parameters }: Example): string {
  const pairs = parameters.map(([name, value]) => {
    const filled = value.replace(/"([A-Z]+)"/g, (whole, word: string) => {
      const id = ids.get(word);
      return id === undefined ? whole : `"${id}"`;
    });
    return `${encodeURIComponent(name)}=${encodeURIComponent(filled)}`;
  });
  return `/resources/books?${pairs.join('&')}`;
}

function titles({ body }: Reply): readonly unknown[] {
  return body.data.map(({ attributes }) => attributes?.['title']);
}

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(30);
});

describe('every example answers what it says', () => {
  test.each(
    examples.map((example) => [example.parameters.map((each) => each.join('=')).join(' & '), example]),
  )('%s', async (_name, example) => {
    let reply = await client.get(pathOf(example));
    if ('refused' in example) {
      expect(reply.status).toBe(400);
      expect(reply.body.errors).toHaveLength(1);
      expect(reply.body.errors[0]).toMatchObject({
        code: 'invalid-filter',
        source: { parameter: example.refused.parameter },
        meta: { pointer: example.refused.pointer },
      });
      return;
    }
    const count = example.count ?? example.pages.flat().length;
    for (const [index, page] of example.pages.entries()) {
      if (index > 0) reply = await client.get(reply.body.links.next ?? 'no next page');
      expect(reply.status).toBe(200);
      expect(titles(reply)).toEqual(page);
      expect(reply.body.meta.count).toBe(count);
    }
    if (example.count === null) expect(reply.body.links.next).toBeNull();
  });
});

test.each(OPERATORS)('%s has an example that is answered', (operator) => {
  const answered = examples.filter((example) => !('refused' in example));
  const names = answered.flatMap(({ parameters }) => parameters.map(([, value]) => value)).join('\n');
  expect(names).toContain(`"${operator}":`);
});

test.each([
  ['an object', /"\$elemMatch": \{/],
  ['an array', /"\$elemMatch": \[/],
])('$elemMatch has an example with %s', (_form, pattern) => {
  expect(examples.some(({ parameters }) => parameters.some(([, value]) => pattern.test(value)))).toBe(true);
});
