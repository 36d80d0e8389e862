/** The types of documents that an application has, and what their documents are called by. */
import { computed, effect, signal } from '@preact/signals';
import { pathOf } from '../../client/paths.ts';
import { APPLICATION, application, isOperator, mayList } from './credentials.ts';
import { ask, askMeta, list, useLoad } from './service.ts';

export interface StoredType {
  readonly name: string;
  /** Undefined where rights decide what is seen: then only a list can count. */
  readonly documents: number | undefined;
  /** Bytes on disk, for the operator. */
  readonly bytes: number | undefined;
  /** Indexes that it has learned, for the operator. */
  readonly indexes: number | undefined;
  /** Whether it has an index of words, for the operator. */
  readonly hasWords: boolean;
}

/** Of `GET /resources` (docs/documents.md#types): types on a page that is counted, and on one of names alone. */
const COUNTED = 100;
const NAMED = 1000;

/**
 * The types, by name. The operator is told sizes as well, if not so many types are there that the service cannot ask
 * them all at once.
 */
export async function readTypes(signal?: AbortSignal): Promise<readonly StoredType[]> {
  const open = application.value;
  if (open === undefined) return [];
  const types = isOperator.value
    ? await allOf(open.id, signal).catch(() => listable(signal))
    : await listable(signal);
  return types
    .map(({ name = '', documents, bytes, indexes, indexed = [] }) => ({
      ...{ name, documents, bytes, indexes },
      hasWords: indexed.some(({ path }) => path === '$text'),
    }))
    .filter(({ name }) => !/^(core|agt)\./.test(name))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Types that are asked at most, one by one. */
const ASKED = 40;

/** The largest types that are not empty, for requests that ask each. */
export function largestOf(types: readonly StoredType[]): readonly StoredType[] {
  return types
    .filter(({ documents }) => documents !== 0)
    .sort((one, other) => (other.documents ?? 0) - (one.documents ?? 0))
    .slice(0, ASKED);
}

/** The service's own types that schemas may be for, and that links may lead to. */
const PEOPLE = ['core.user', 'core.user-group', 'core.external-user'] as const;

/** The types, as far as they may be read; undefined until they are. */
export function useTypes(): readonly StoredType[] | undefined {
  return useLoad((signal) => readTypes(signal).catch(() => []), []).value;
}

/** The names of types, as far as they are known, to be offered where one is typed. */
export function useTypeNames(): readonly string[] {
  return [...(useTypes() ?? []).map(({ name }) => name), ...PEOPLE];
}

type TypeList = readonly (Partial<StoredType> & {
  readonly indexed?: readonly { readonly path: string }[];
})[];

async function allOf(id: string, signal: AbortSignal | undefined): Promise<TypeList> {
  return (await askMeta<{ types: TypeList }>('GET', pathOf(APPLICATION, id, 'usage'), { signal })).types;
}

/** The types that the key may list. Beyond the first page nobody waits for counts. */
async function listable(signal: AbortSignal | undefined): Promise<TypeList> {
  const types: TypeList[number][] = [];
  for (let isMore = true; isMore;) {
    const isFirst = types.length === 0;
    const query = `page[offset]=${types.length}&page[limit]=${isFirst ? COUNTED : NAMED}&page[count]=${isFirst}`;
    const { body } = await ask('GET', '/resources', { query, signal });
    types.push(...((body.meta as { readonly types?: TypeList } | undefined)?.types ?? []));
    isMore = (body.links?.next ?? null) !== null;
  }
  return types;
}

const PATH = pathOf('core.type');

const titles = signal<ReadonlyMap<unknown, unknown>>(new Map());
const id = computed(() => application.value?.id);
let reading: Promise<void> | undefined;

// Another application has others.
effect(() => {
  if (id.value !== undefined) titles.value = new Map();
  reading = undefined;
});

export async function readTitles(): Promise<void> {
  const query = {
    ...{ 'filter[*]': '{"title":{"$ne":null}}', 'fields[core.type]': 'name,title' },
    ...{ 'page[size]': '1000', 'page[count]': 'false' },
  };
  const { documents } = await list(PATH, query).catch(() => ({ documents: [] }));
  titles.value = new Map(documents.map(({ attributes = {} }) => [attributes['name'], attributes['title']]));
}

/** The attribute; undefined where the settings name none. */
export function titleOf(type: string | undefined): string | undefined {
  const title = titles.value.get(type);
  return typeof title === 'string' ? title : undefined;
}

/** Resolves when they are known. Whoever may not read settings goes by what is usual. */
export function titlesRead(): Promise<void> {
  reading ??= mayList(PATH) ? readTitles() : Promise.resolve();
  return reading;
}
