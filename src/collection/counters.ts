/**
 * Numbers of linking documents that a type's settings show on its documents (docs/types.md). The collection of those
 * counts them when a document is read, or searched by them: so they are exact, and nothing of them is stored here.
 */
import type { DocumentId } from '../domain/ids.ts';
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { isUnseen, shows, TRUSTED, type Rule } from '../domain/rules.ts';
import { type TypeName, AGGREGATE_PREFIX, storedType } from '../domain/types.ts';
import { encodeText, decodeFields } from '../domain/values/codec.ts';
import { EVERYTHING, type Condition, type Leaf } from '../operators/filter/conditions.ts';
import { decodeCondition } from '../operators/filter/encoded.ts';
import { someField, leavesOf, mapLeaves } from '../operators/filter/map.ts';
import { idAmong, linksTo } from '../operators/filter/through.ts';
import { countersOf, whereOf, type Counter } from '../operators/settings/count.ts';
import type { Numbers } from '../query/order/sort.ts';
import { collectionOf } from './rpc/client.ts';
import {
  DOCUMENTS,
  packCounts,
  packDocuments,
  packRequest,
  splitDocuments,
  unpackDocument,
  unpackRequest,
} from './rpc/packing/packing.ts';
import type { CountRequest, MatchingRequest } from './rpc/related.ts';
import type {
  ListRequest,
  ReadManyResult,
  AggregateRequest,
  OutputPage,
  OutputSelection,
} from './rpc/results.ts';
import { yieldToOthers } from './storage/steps.ts';
import type { LinkTypesOnDemand } from './on-demand.ts';
import type { Listing, Searches } from './searches.ts';
import type { ListPages } from './write/lists/bulk.ts';
import { Part, type Ground } from './write/ground.ts';
import { compileMatcher } from '../operators/filter/matcher.ts';
import { negate } from '../operators/filter/scope.ts';

/** What a read asks for: the names that its answer shows, null for all; undefined where it shows none. */
type Names = readonly string[] | null | undefined;

export class Counters extends Part<Pick<Ground, 'environment' | 'own' | 'tables'>> {
  get #all(): readonly Counter[] {
    return countersOf(this.parts.tables.settings.current);
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  /** The refusal of a condition that is asked of documents as they are stored. */
  admits(condition: string): Outcome<null> {
    const named = this.#all.find(({ name }) =>
      someField(decodeCondition(condition), (each) => each === name),
    );
    if (named === undefined) return ok(null);
    const detail = `The service counts ${named.name} when a document is read: only lists filter by that.`;
    return fail('invalid-filter', detail, { parameter: 'filter' });
  }

  /** Conditions with ids in the place of what they ask of counters; what is hidden is not asked. */
  async settled<Request extends MatchingRequest>(request: Request): Promise<Outcome<Request>> {
    const counterOf = this.#seenBy(request);
    const conditions: string[] = [];
    for (const each of request.conditions) {
      const settled = await settleNumbers(decodeCondition(each), counterOf, this.#numbers);
      if (settled === null) return tooMany('filter');
      conditions.push(encodeText(settled));
    }
    return ok({ ...request, conditions });
  }

  #seenBy({ hidden, rule }: Pick<MatchingRequest, 'hidden' | 'rule'>) {
    const isShown = (name: string) => !isUnseen({ hidden, only: rule?.read ?? null }, name);
    return (name: string) => this.#all.find((each) => each.name === name && isShown(name));
  }

  readonly #numbers = async (counter: Counter, condition: Condition): Promise<Numbers | null> => {
    const { environment, own } = this.parts;
    if (own === null) return null;
    const { calls } = collectionOf({ environment, application: own.application }, counter.type);
    const counted = { by: counter.by, type: own.type, where: whereOf(counter) };
    return numbersOf(calls.aggregate, counted, meeting(condition));
  };

  /** The request of a list without what it asks of counters. */
  async #settledList(request: ListRequest): Promise<Outcome<ListRequest>> {
    const { condition, sort, diagnostics, ...rest } = request;
    const counterOf = this.#seenBy(request);
    const isCounted = (name = '') => counterOf(name) !== undefined;
    const sorted = sort.flatMap(({ path: [name = ''] }) => counterOf(name) ?? []);
    // The diagnostics know only what documents hold.
    const isDiagnosed = diagnostics?.questions.some(({ path: [name] }) => isCounted(name)) === true;
    const isAsked =
      isDiagnosed ||
      [condition, diagnostics?.condition ?? condition].some((each) =>
        someField(decodeCondition(each), isCounted),
      );
    if (sorted.length === 0 && !isAsked) return ok(request);
    const settled = await this.settled({ ...rest, conditions: [condition], limit: 0 });
    if (!settled.ok) return settled;
    const numbers: [string, Numbers][] = [];
    for (const counter of sorted) {
      const each = await this.#numbers(counter, EVERYTHING);
      if (each === null) return tooMany('sort');
      numbers.push([counter.name, each]);
    }
    const [made = condition] = settled.value.conditions;
    return ok({ ...rest, sort, condition: made, numbers: Object.fromEntries(numbers) });
  }

  /** Whether reads that ask for them show any. */
  shown(names: Names, rule: Rule | null): readonly Counter[] {
    if (names === undefined) return [];
    return this.#all.filter(({ name }) => shows(rule, name) && (names?.includes(name) ?? true));
  }

  async read(packed: string, counters: readonly Counter[]): Promise<string> {
    const at = packed.indexOf(DOCUMENTS) + 1;
    return packed.slice(0, at) + (await this.#counted(packed.slice(at), counters));
  }

  async many(read: Promise<ReadManyResult>, counters: readonly Counter[]) {
    const found = await read;
    return { ...found, documents: await this.#counted(found.documents, counters) };
  }

  /** A page, as its request asks for it (`packRequest`). */
  async page(packed: string, page: (packed: string) => Listing | Promise<Listing>): Promise<Listing> {
    const request = unpackRequest(packed);
    const settled = await this.#settledList(request);
    if (!settled.ok) return settled;
    const found = await page(settled.value === request ? packed : packRequest(settled.value));
    const shown = this.shown(request.counters, request.rule);
    if (shown.length === 0 || !('documents' in found)) return found;
    return { ...found, documents: await this.#counted(found.documents, shown) };
  }

  /** Packed documents, joined, with what is counted of each. */
  async #counted(packed: string, counters: readonly Counter[]): Promise<string> {
    const { environment, own } = this.parts;
    const documents = splitDocuments(packed);
    if (own === null || documents.length === 0) return packed;
    const unpacked = documents.map(unpackDocument);
    const ids = unpacked.map(({ id }) => id);
    const columns = await Promise.all(
      counters.map((counter) =>
        collectionOf({ environment, application: own.application }, counter.type).calls.counts({
          ...{ by: counter.by, type: own.type, ids },
          where: whereOf(counter),
        }),
      ),
    );
    const countsAt = (at: number) => {
      const { relationships } = unpacked[at] ?? { relationships: null };
      const entries = counters.flatMap(({ name }, column) =>
        // A relationship of the name, which an older document may have, is shown.
        relationships?.includes(JSON.stringify(name)) === true ? [] : [[name, columns[column]?.[at] ?? null]],
      );
      return JSON.stringify(Object.fromEntries(entries));
    };
    return packDocuments(documents.map((each, at) => packCounts(each, countsAt(at))));
  }
}

function tooMany(parameter: 'filter' | 'sort') {
  const by = parameter === 'filter' ? `, in ${LIMITS.relatedConditions} conditions` : '';
  const detail =
    'The linking documents of too many documents would be counted: ' +
    `a ${parameter} takes at most ${LIMITS.relatedDocuments}${by}.`;
  return fail(parameter === 'filter' ? 'invalid-filter' : 'invalid-parameter', detail, { parameter });
}

/** Ids whose links are counted before others get their turn. */
const AT_ONCE = 50;
/** How often one count is tried: a long one has others in between, whose writes might count by halves. */
const TRIES = 3;

interface Counting extends Pick<Ground, 'tables'> {
  readonly linkTypes: Pick<LinkTypesOnDemand, 'of'>;
  readonly ownLists: ListPages;
  readonly searches: Pick<Searches, 'aggregate'>;
}

/** How many documents link to each of some; null where a condition takes too much work to tell. */
export async function countsOf(
  { linkTypes, ownLists, searches, tables }: Counting,
  type: TypeName,
  { ids, ...counted }: CountRequest,
): Promise<readonly (number | null)[]> {
  const { by, type: linked, where } = counted;
  const types = (await linkTypes.of([by])).flatMap((each) => each.types);
  // Where only that type is linked, ids tell, and an index of them decides alone.
  const isAlone = types.every((each) => each === linked);
  const linking = (id: DocumentId) => (isAlone ? idAmong([by, 'id'], [id]) : linksTo(by, linked, [id]));
  const conditionOf = (id: DocumentId): Condition =>
    where === null ? linking(id) : { op: 'and', conditions: [linking(id), decodeCondition(where)] };
  const still = async <T>(count: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const counter = tables.records.counter();
      const counted = await count();
      if (tries === TRIES || tables.records.counter() === counter) return counted;
    }
  };
  const hasPatterns = where?.includes('"pattern":') === true;
  const counts: (number | null)[] = [];
  for (const [at, id] of ids.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await yieldToOthers();
    const request = {
      ...{ condition: encodeText(conditionOf(id)), sort: [], page: { offset: 0, limit: 0 } },
      ...{ ...TRUSTED, hidden: [] },
    };
    const found = await still(() => ownLists(type, request));
    counts.push(found.ok ? found.value.total : null);
    const others = ids.slice(at + 1);
    if (others.length === 0 || !(hasPatterns || (found.ok && found.value.plan.scan))) continue;
    // Without an index, one pass is for all; and where work is bounded, that is the work of one search.
    const numbers = await still(() =>
      numbersOf((each) => searches.aggregate(type, each), counted, { ids: others }),
    );
    return [...counts, ...others.map((each) => numbers && (numbers[each] ?? 0))];
  }
  return counts;
}

/** What a number has in the outputs of the pipeline. */
const NUMBER = 'number';

/**
 * The numbers that some select, of the documents of a type that are linked at all; null if too many, or too much work.
 */
async function numbersOf(
  aggregate: (request: AggregateRequest) => Promise<Outcome<OutputPage>>,
  { by, type, where }: Omit<CountRequest, 'ids'>,
  select: OutputSelection,
): Promise<Numbers | null> {
  const link = `$${by}`;
  const pipeline = [
    { unwind: link },
    { filter: { [`${by}.type`]: type, [`${by}.id`]: { $type: 'objectId' } } },
    { group: { id: `${link}.id`, [NUMBER]: { $sum: 1 } } },
    { output: { attributes: [NUMBER], relationships: [] } },
  ];
  const found = await aggregate({
    ...{ outputType: storedType(`${AGGREGATE_PREFIX}${NUMBER}`), pipeline: JSON.stringify(pipeline) },
    ...{ parameters: null, overrides: {}, viewer: null, select },
    rule: where === null ? null : { where, check: null, read: null, write: null },
  });
  if (!found.ok || found.value.more) return null;
  const { ids, bodies } = found.value.documents;
  return Object.fromEntries(ids.map((id, at) => [id, Number(decodeFields(bodies[at] ?? '{}')[NUMBER])]));
}

function meeting(condition: Condition): OutputSelection {
  const page = { offset: 0, limit: LIMITS.relatedDocuments };
  return { condition: encodeText(condition), sort: [], page };
}

/** A condition with ids in the place of what it asks of numbers; null where these cannot be told. */
async function settleNumbers(
  condition: Condition,
  counterOf: (name: string) => Counter | undefined,
  numbersOfCounter: (counter: Counter, condition: Condition) => Promise<Numbers | null>,
): Promise<Condition | null> {
  const wanted = new Map<Leaf, Counter>();
  for (const leaf of leavesOf(condition)) {
    const counter = counterOf(leaf.path[0] ?? '');
    if (counter !== undefined) wanted.set(leaf, counter);
  }
  if (wanted.size > LIMITS.relatedConditions) return null;
  const found = new Map<Leaf, Condition>();
  let left: number = LIMITS.relatedDocuments;
  // One after the other: each is a pass over the counted documents, and others get their turn.
  for (const [leaf, counter] of wanted) {
    const own: Leaf = { ...leaf, path: [NUMBER, ...leaf.path.slice(1)] };
    // Only what is linked has a group: where none meets a condition, all do but those that do not.
    const isMetByNone = compileMatcher(own)({ [NUMBER]: 0 });
    const numbers = await numbersOfCounter(counter, isMetByNone ? negate(own) : own);
    if (numbers === null) return null;
    const ids = Object.keys(numbers) as DocumentId[];
    left -= ids.length;
    if (left < 0) return null;
    const among = idAmong(['id'], ids);
    found.set(leaf, isMetByNone ? negate(among) : among);
  }
  return mapLeaves(condition, (leaf) => found.get(leaf) ?? leaf);
}
