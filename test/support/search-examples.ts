/**
 * Reads docs/search.md: the documents it shows (`json <type>` blocks) and its examples (`search` blocks). An example
 * is one query parameter per line, an empty line, and what comes back.
 */
import type { Link } from './client.ts';

export interface LibraryDocument {
  readonly type: string;
  /** Stands for the id wherever the page writes one. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, Link | readonly Link[] | null>>;
}

interface Asked {
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export type Example =
  | (Asked & {
      /** The titles of the first page, and of those that `next` leads to. */
      readonly pages: readonly (readonly string[])[];
      /** `meta.count`, if it is more than the titles; then the last page shown may have a next one. */
      readonly count: number | null;
    })
  | (Asked & { readonly refused: { readonly parameter: string; readonly pointer: string } });

export function readLibrary(markdown: string): readonly LibraryDocument[] {
  return [...markdown.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].flatMap(([, type = '', json = '']) =>
    (JSON.parse(json) as Record<string, unknown>[]).map(({ id, ...fields }) => {
      const names = Object.keys(fields);
      const related = names.filter((name) => RELATIONSHIPS.has(name));
      const pick = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, fields[name]]));
      return {
        type,
        name: String(id),
        attributes: pick(names.filter((name) => !related.includes(name))),
        relationships: pick(related) as LibraryDocument['relationships'],
      };
    }),
  );
}

const RELATIONSHIPS: ReadonlySet<string> = new Set(['author', 'translators']);

export function readExamples(markdown: string): readonly Example[] {
  return [...markdown.matchAll(/^```search\n(.*?)^```$/gms)].map(([, block = '']) => readExample(block));
}

function readExample(block: string): Example {
  const [query = '', answer = ''] = block.trimEnd().split('\n\n');
  const parameters = query.split('\n').map((line): readonly [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  const lines = answer.split('\n');
  const refused = /^→ 400 in (\S+) at (\S+)$/.exec(answer);
  if (refused !== null) {
    return { parameters, refused: { parameter: refused[1] ?? '', pointer: refused[2] ?? '' } };
  }
  const counted = /^meta\.count (\d+)$/.exec(lines.at(-1) ?? '');
  const pages = (counted === null ? lines : lines.slice(0, -1)).map((line) => {
    if (!line.startsWith('→ ')) throw new Error(`An example is not understood: ${block}`);
    return line === '→ nothing' ? [] : line.slice(2).split(' · ');
  });
  return { parameters, pages, count: counted === null ? null : Number(counted[1]) };
}
