/** A naive model of rules: random filters, each beside what it says of a document, and what fields show. */
import fc from './fast-check.ts';
import type { Link, Resource } from './client.ts';
import type { Person } from './people.ts';

/** Who asks; null for nobody. */
export interface Viewer {
  readonly person: Person;
  /** Of the groups of the run. */
  readonly groups: readonly string[];
}

/** A document as a trusted service sees it, with its creator. */
export type Known = Resource & { readonly meta?: { readonly creator: Link | null } };

/** A rule, and what it says of a document for whoever asks. */
export type Term = readonly [filter: object, holds: (document: Known, viewer: Viewer | null) => boolean];

/** The names of all fields of a document of the model. */
const FIELDS = ['n', 'open', 'at', 'owner', 'team', 'word', 'home', 'by', 'hub'];

export const nOf = ({ attributes }: Known): number | undefined =>
  typeof attributes?.['n'] === 'number' ? attributes['n'] : undefined;

export const linksOf = ({ relationships }: Known, name: string): readonly Link[] => {
  const data = relationships?.[name]?.data ?? null;
  if (data === null) return [];
  return Array.isArray(data) ? data : [data];
};

const isUser = (document: Known) => linksOf(document, 'by').some(({ type }) => type === 'core.user');

const LEAVES: readonly Term[] = [
  [{ n: { $gte: 2 } }, (document) => (nOf(document) ?? -1) >= 2],
  [{ n: { $in: [0, 3] } }, (document) => [0, 3].includes(nOf(document) ?? -1)],
  [{ n: { $exists: true } }, (document) => nOf(document) !== undefined],
  [{ open: true }, ({ attributes }) => attributes?.['open'] === true],
  [{ word: { $regex: '^word[0-2]$' } }, ({ attributes }) => /^word[0-2]$/.test(String(attributes?.['word']))],
  [{ at: { $lte: '$$now' } }, ({ attributes }) => String(attributes?.['at']).startsWith('2001')],
  [
    { 'by.id': '$$viewer.id' },
    (document, viewer) => linksOf(document, 'by').some(({ id }) => id === viewer?.person.link.id),
  ],
  [
    { 'by.type': '$$viewer.type' },
    (document, viewer) => linksOf(document, 'by').some(({ type }) => type === viewer?.person.link.type),
  ],
  // Of linked documents: users have a name, external users have none.
  [{ 'by.username': { $exists: true } }, (document) => isUser(document)],
  [{ 'by.username': { $not: { $gte: '' } } }, (document) => !isUser(document)],
  [{ owner: '$$viewer.id' }, ({ attributes }, viewer) => attributes?.['owner'] === viewer?.person.link.id],
  [
    { team: { $in: '$$viewer.groups' } },
    ({ attributes }, viewer) => viewer?.groups.includes(String(attributes?.['team'])) === true,
  ],
  [
    { '$creator.id': '$$viewer.id' },
    ({ meta }, viewer) => viewer !== null && meta?.creator?.id === viewer.person.link.id,
  ],
];

export const namesViewer = (filter: object): boolean => JSON.stringify(filter).includes('$$viewer');

const leaf = fc.constantFrom(...LEAVES);

/** A rule of one to four conditions; sometimes one that everything meets. */
export const term: fc.Arbitrary<Term> = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    fc.constant<Term>([{}, () => true]),
    fc
      .tuple(tie('term'), tie('term'))
      .map(([[a, one], [b, two]]): Term => [{ $or: [a, b] }, (...of) => one(...of) || two(...of)]),
    fc
      .tuple(tie('term'), tie('term'))
      .map(([[a, one], [b, two]]): Term => [{ $and: [a, b] }, (...of) => one(...of) && two(...of)]),
    tie('term').map(([a, one]): Term => [{ $nor: [a] }, (...of) => !one(...of)]),
  ),
})).term;

/** What a rule says: without a viewer, one that names the viewer holds for nothing, under a negation too. */
export function holds([filter, says]: Term, document: Known, viewer: Viewer | null): boolean {
  return !(viewer === null && namesViewer(filter)) && says(document, viewer);
}

/** A list of `fields`; undefined for none. */
export const fieldList = fc.option(fc.subarray([...FIELDS, '$acl']), { nil: undefined, freq: 3 });

export const mayUse = (list: readonly string[] | undefined, ...names: readonly string[]): boolean =>
  list === undefined || names.every((name) => list.includes(name));

/** A document as a list of fields shows it, without its links. */
export function shownOf(document: Known, read: readonly string[] | undefined): object {
  const among = <T>(members: Readonly<Record<string, T>> = {}) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => mayUse(read, name)));
  const relationships = Object.entries(among(document.relationships)).map(([name, { data }]) => [name, data]);
  return {
    type: document.type,
    id: document.id,
    attributes: among(document.attributes),
    relationships: Object.fromEntries(relationships) as object,
  };
}

/** Random content, of numbers that stand for people. */
export const draft = fc.record({
  n: fc.nat({ max: 4 }),
  open: fc.boolean(),
  past: fc.boolean(),
  by: fc.nat({ max: 3 }),
  owner: fc.nat({ max: 3 }),
  team: fc.boolean(),
  readers: fc.subarray([1, 2, 3]),
});
export type Drafted = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** The content of a draft: viewers by their numbers, the group that is `team`, and the hub that all link to. */
export function contentOf(each: Drafted, viewers: readonly (Viewer | null)[], team: string, hub: Link) {
  const person = (at: number) => viewers[at]?.person.link ?? null;
  return {
    attributes: {
      n: each.n,
      open: each.open,
      at: { $date: each.past ? '2001-01-01T00:00:00Z' : '2901-01-01T00:00:00Z' },
      owner: person(each.owner)?.id ?? 'nobody',
      team: each.team ? team : 'none',
      word: `word${each.n}`,
      home: { type: 'Point', coordinates: [each.n, 0] },
    },
    relationships: { by: { data: person(each.by) }, hub: { data: hub } },
  };
}
