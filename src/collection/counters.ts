/**
 * Numbers of linking documents that the settings of a type show on its documents (docs/types.md). The collection of those
 * counts them when a document is read: so they are exact, and nothing of them is stored here.
 */
import type { DocumentId } from '../domain/ids.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { shows, TRUSTED, type Rule } from '../domain/rules.ts';
import { secretFields } from '../domain/secrets.ts';
import type { TypeName } from '../domain/types.ts';
import { encodeText } from '../domain/values/codec.ts';
import type { Condition } from '../operators/filter/conditions.ts';
import { decodeCondition } from '../operators/filter/encoded.ts';
import { someField } from '../operators/filter/fields.ts';
import { together } from '../operators/filter/rule.ts';
import { idAmong, linksTo } from '../operators/filter/through.ts';
import { countersOf, type Counter } from '../operators/settings/count.ts';
import { collectionOf } from './rpc/client.ts';
import type { Listing } from './lists.ts';
import {
  DOCUMENTS,
  packCounts,
  packDocuments,
  splitDocuments,
  unpackDocument,
  unpackRequest,
} from './rpc/packing/packing.ts';
import type { CountRequest } from './rpc/related.ts';
import type { ListRequest, ReadManyResult } from './rpc/results.ts';
import { yieldToOthers } from './storage/steps.ts';
import type { LinkTypesOnDemand } from './link-types-on-demand.ts';
import type { ListPages } from './write/lists/bulk.ts';
import type { Ground } from './write/ground.ts';

/** What a read asks for: the names that its answer shows, null for all; undefined where it shows none. */
type Asked = readonly string[] | null | undefined;

export class Counters {
  readonly #ground: Pick<Ground, 'environment' | 'own' | 'tables'>;

  constructor(ground: Pick<Ground, 'environment' | 'own' | 'tables'>) {
    this.#ground = ground;
  }

  get #all(): readonly Counter[] {
    return countersOf(this.#ground.tables.settings.current);
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  /** The refusal of a search by what is not stored. */
  admits(conditions: readonly string[], sort: ListRequest['sort'] = []): Outcome<null> {
    const names = new Set(this.#all.map(({ name }) => name));
    if (names.size === 0) return ok(null);
    const isNamed = (name: string) => names.has(name);
    const isFiltered = conditions.some((each) => someField(decodeCondition(each), isNamed));
    if (!isFiltered && !sort.some(({ path: [name = ''] }) => isNamed(name))) return ok(null);
    const detail = `The service counts ${[...names].join(' and ')} when a document is read: no search filters or sorts by that.`;
    return fail(isFiltered ? 'invalid-filter' : 'invalid-parameter', detail, {
      parameter: isFiltered ? 'filter' : 'sort',
    });
  }

  /** Whether reads that ask for them show any. */
  shown(asked: Asked, rule: Rule | null): readonly Counter[] {
    if (asked === undefined) return [];
    return this.#all.filter(({ name }) => shows(rule, name) && (asked?.includes(name) ?? true));
  }

  async read(packed: string, counters: readonly Counter[]): Promise<string> {
    const at = packed.indexOf(DOCUMENTS) + 1;
    return packed.slice(0, at) + (await this.#counted(packed.slice(at), counters));
  }

  async many(read: ReadManyResult | Promise<ReadManyResult>, counters: readonly Counter[]) {
    const found = await read;
    return { ...found, documents: await this.#counted(found.documents, counters) };
  }

  /** A page, as its request asks for it (`packRequest`). */
  async page(packed: string, page: () => Listing | Promise<Listing>): Promise<Listing> {
    const { condition, counters, rule, sort } = unpackRequest(packed);
    const admitted = this.admits([condition], sort);
    if (!admitted.ok) return admitted;
    const found = await page();
    const shown = this.shown(counters, rule);
    if (shown.length === 0 || !('documents' in found)) return found;
    return { ...found, documents: await this.#counted(found.documents, shown) };
  }

  /** Packed documents, joined, with what is counted of each. */
  async #counted(packed: string, counters: readonly Counter[]): Promise<string> {
    const { environment, own } = this.#ground;
    const documents = splitDocuments(packed);
    if (own === null || documents.length === 0) return packed;
    const unpacked = documents.map(unpackDocument);
    const ids = unpacked.map(({ id }) => id);
    const columns = await Promise.all(
      counters.map(({ type, by, where }) =>
        collectionOf({ environment, application: own.application }, type).calls.counts({
          ...{ by, type: own.type, ids },
          where: where?.closed.encoded == null ? null : together(where.closed.encoded),
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

/** Ids whose links are counted before others get their turn. */
const AT_ONCE = 50;
/** How often one count is tried: a long one has others in between, whose writes might count by halves. */
const TRIES = 3;

interface Counting {
  readonly linkTypes: Pick<LinkTypesOnDemand, 'of'>;
  readonly ownLists: ListPages;
}

/** How many documents link to each of some; null where a condition takes too much work to tell. */
export async function countsOf(
  { linkTypes, ownLists, tables }: Pick<Ground, 'tables'> & Counting,
  type: TypeName,
  { by, type: linked, ids, where }: CountRequest,
): Promise<readonly (number | null)[]> {
  const types = (await linkTypes.of([by])).flatMap((each) => each.types);
  // Where only that type is linked, ids tell, and an index of them decides alone.
  const isAlone = types.every((each) => each === linked);
  const linking = (id: DocumentId) => (isAlone ? idAmong([by, 'id'], [id]) : linksTo(by, linked, [id]));
  const conditionOf = (id: DocumentId): Condition =>
    where === null ? linking(id) : { op: 'and', conditions: [linking(id), decodeCondition(where)] };
  const counts: (number | null)[] = [];
  for (const [at, id] of ids.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await yieldToOthers();
    const asked = {
      ...{ condition: encodeText(conditionOf(id)), sort: [], page: { offset: 0, limit: 0 } },
      ...{ ...TRUSTED, hidden: secretFields(type) },
    };
    for (let tries = 1; ; tries += 1) {
      const counter = tables.records.counter();
      const found = await ownLists(type, asked);
      if (found.ok && tries < TRIES && tables.records.counter() !== counter) continue;
      counts.push(found.ok ? found.value.total : null);
      break;
    }
  }
  return counts;
}
