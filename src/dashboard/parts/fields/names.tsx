/** What documents are called: people read names, and not ids. */
import { useMemo } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { wayTo } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { titleOf, titlesRead } from '../../session/titles.ts';
import { literal } from './json.ts';
import { ID, textOf } from './kinds.ts';

/** Attributes that documents are called by, the best first. */
const NAMES = ['username', 'name', 'title', 'label', 'subject', 'code', 'slug', 'email'] as const;
/** What people, groups, keys and files are called by. */
const CALLED = ['username', 'name', 'email'] as const;
/** How many documents one request asks for. */
const TOGETHER = 100;

type Called = Pick<Resource, 'attributes'> & Partial<Link>;

/** The attribute that it is called by: what the settings of the type say, else the best of the usual ones. */
export function nameFieldOf({ type, attributes = {} }: Called): string | undefined {
  return [titleOf(type) ?? [], NAMES].flat().find((name) => {
    const value = attributes[name];
    return (typeof value === 'string' && value !== '') || typeof value === 'number';
  });
}

/** Null where no attribute is a name. */
export function nameOf(document: Called): string | null {
  const field = nameFieldOf(document);
  return field === undefined ? null : textOf(document.attributes?.[field] ?? null);
}

export function calledOf(document: Called): string {
  return nameOf(document) ?? 'Without a name';
}

export function keyOfLink({ type, id }: Link): string {
  return `${type}/${id}`;
}

export function fieldsOfNames(type: string): Readonly<Record<string, string>> {
  return { [`fields[${type}]`]: [...NAMES, titleOf(type) ?? []].flat().join() };
}

/** A filter on ids. Those of aggregates are strings; those of stored documents are object ids. */
export function filterOfIds(type: string, ids: readonly string[]): string {
  return JSON.stringify({ $in: type.startsWith('agt.') ? ids : ids.map((id) => ({ $oid: id })) });
}

/** A filter on words that needs all of them. What has quotes or excludes (`-word`) says itself what it means. */
export function filterOfWords(words: string): string {
  const all =
    /"|(^|\s)-/.test(words) || /^[\p{L}\p{M}\p{N}_]*$/u.test(words)
      ? words
      : words
          .split(/\s+/)
          .map((word) => `"${word}"`)
          .join(' ');
  return JSON.stringify({ $text: { $search: all } });
}

/** A filter on a part of what people, groups, keys and files are called by, or on an id. */
export function filterOfName(text: string): string {
  if (ID.test(text)) return JSON.stringify({ id: { $oid: text } });
  const part = { $regex: literal(text), $options: 'i' };
  return JSON.stringify({ $or: CALLED.map((name) => ({ [name]: part })) });
}

/** Documents by link. One that is missing was deleted, or may not be read by whoever asks. */
type Names = ReadonlyMap<string, Resource>;
const NO_NAMES: Names = new Map();

/** Looks up what the links lead to, some hundred at a time. */
export function useNames(links: readonly Link[]): Names {
  const wanted = useMemo(() => [...new Set(links.map(keyOfLink))].sort().join('\n'), [links]);
  return useLoad((signal) => lookUp(links, signal), [wanted]).value ?? NO_NAMES;
}

let asked: Link[] = [];
let coming: Promise<Names> | undefined;

/** What a link leads to. Those that are drawn together are asked for together. */
async function documentAt(link: Link | undefined): Promise<Resource | undefined> {
  if (link === undefined) return undefined;
  asked.push(link);
  coming ??= Promise.resolve().then(() => {
    const links = asked;
    [asked, coming] = [[], undefined];
    return lookUp(links);
  });
  return (await coming).get(keyOfLink(link));
}

async function lookUp(links: readonly Link[], signal?: AbortSignal): Promise<Names> {
  if (links.length === 0) return new Map();
  await titlesRead();
  const byType = Map.groupBy(
    new Map(links.map((link) => [keyOfLink(link), link])).values(),
    ({ type }) => type,
  );
  const lists = await Promise.all(
    [...byType].flatMap(([type, group]) =>
      chunksOf(group.map(({ id }) => id)).map((ids) => readNames(type, ids, signal)),
    ),
  );
  return new Map(lists.flat().map((document) => [keyOfLink(document), document]));
}

/** A type whose list may not be read has no names. */
async function readNames(type: string, ids: readonly string[], signal: AbortSignal | undefined) {
  const query = {
    'filter[id]': filterOfIds(type, ids),
    'page[size]': String(TOGETHER),
    'page[count]': 'false',
    ...fieldsOfNames(type),
  };
  return list(pathOf(type), query, signal).then(
    ({ documents }) => documents,
    () => [],
  );
}

function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / TOGETHER) }, (_, index) =>
    ids.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );
}

/** The pages of what has a page of its own, by type. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'core.user': ['users', 'core.user'],
  'core.external-user': ['users', 'core.external-user'],
  'core.user-group': ['groups'],
  'core.api-key': ['keys'],
  'core.webhook': ['webhooks'],
  'core.schema': ['schemas'],
  'core.type': ['schemas', 'settings'],
  'core.aggregate': ['aggregates'],
  'core.application': ['applications'],
  'core.mail-template': ['templates'],
  'core.account-settings': ['accounts'],
  'core.identity-provider': ['providers'],
};

/** The page of what a link leads to. */
export function wayToLink({ type, id }: Link): string {
  return wayTo([...(PAGES[type] ?? ['documents', type]), id]);
}

/** A link, if there is one, by the name of what it leads to. What is not shown is said so. */
export function Linked({ link }: { readonly link: Link | undefined }) {
  const { value: document, isLoading } = useLoad(() => documentAt(link), [link && keyOfLink(link)]);
  if (link === undefined) return null;
  return (
    <span class="linked wrap">
      <a href={wayToLink(link)} title={`${link.type} ${link.id}`}>
        {(document && nameOf(document)) ?? <code>{link.id}</code>}
      </a>
      <span class="soft">{link.type}</span>
      {document === undefined && !isLoading && <span class="tag">deleted or no access</span>}
    </span>
  );
}
