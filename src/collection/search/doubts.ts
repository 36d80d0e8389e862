/**
 * Why a search may have found nothing: a type without documents, a field that none has, values of another kind than the
 * filter compares with. Judged over the documents that the viewer may read, and over few: a larger collection is not
 * looked at. Under a rule nothing is said at all: how much is left out, or whether, is not told.
 */
import { BoundedCache } from '../../domain/caching/bounded-cache.ts';
import { LIMITS } from '../../domain/limits.ts';
import { decodeFields } from '../../domain/values/codec.ts';
import { isList } from '../../domain/values/tree.ts';
import { kindOf, ObjectId, type Fields, type Kind, type Value } from '../../domain/values/values.ts';
import { EVERYTHING, type Condition } from '../../operators/filter/conditions.ts';
import { compileWalk, type Path, type Predicate } from '../../query/walk.ts';
import { unpackDocument } from '../rpc/packing/packing.ts';
import type { Doubt, ListRequest, ListResult, ValueClass } from '../rpc/results.ts';
import { CACHE_BUDGETS, OVERHEAD } from '../storage/cache-budgets.ts';
import type { Readers } from '../storage/readers.ts';
import { positionsOf } from './matching.ts';
import type { Searched } from './search.ts';

type Asked = Pick<ListRequest, 'viewer' | 'rule' | 'hidden' | 'sort' | 'doubts'>;

/** Whether a request wants to be told, and may be. */
export function mayDoubt({ rule, doubts }: Pick<ListRequest, 'rule' | 'doubts'>): boolean {
  return doubts !== undefined && (rule === null || (rule.where === null && rule.read === null));
}

/** Whether a page is empty because nothing matches, and not because it lies behind the end. */
export function isEmpty({ page }: Pick<ListRequest, 'page'>, { total, documents }: ListResult): boolean {
  if (total !== null) return total === 0;
  return documents === '' && ('after' in page ? page.after === null : page.offset === 0);
}

/** What a filter, or a sort, asks of one path. */
interface Question {
  readonly path: Path;
  /** The classes of what it is compared with; none where it is not compared. */
  readonly compared: readonly ValueClass[];
}

/** What documents have shown of a question. */
interface Finding extends Question {
  readonly held: Set<ValueClass>;
  found: boolean;
}

/** Names of fields that a misspelt one is compared with. */
const MOST_NAMES = 100;

/** The key of a longer question, in characters, is not kept. */
const LONGEST = 2_000;

export class Doubts {
  readonly #kept = new BoundedCache<{ readonly counter: number; readonly doubts: readonly Doubt[] }>(
    CACHE_BUDGETS.counts,
    (key) => OVERHEAD + key.length,
  );

  /** `condition` as the client has sent it. */
  async of(
    tables: Pick<Readers, 'records'>,
    searched: Pick<Searched, 'records' | 'state' | 'type' | 'find' | 'pause'>,
    condition: Condition,
    { viewer, hidden, sort, doubts }: Asked,
  ): Promise<readonly Doubt[]> {
    const questions = [
      ...questionsOf(condition),
      ...sort.map(({ path }) => ({ path, compared: [] })),
      ...(doubts?.names ?? []).map((name) => ({ path: [name], compared: [] })),
    ].filter(({ path: [name = ''] }) => !name.startsWith('$') && name !== 'type');
    const { counter } = searched.state;
    const key = JSON.stringify([viewer, hidden, questions]);
    const kept = this.#kept.get(key);
    if (kept?.counter === counter) return kept.doubts;
    const made = await judge(tables, searched, questions, viewer, hidden);
    if (key.length <= LONGEST) this.#kept.set(key, { counter, doubts: made });
    return made;
  }
}

async function judge(
  { records }: Pick<Readers, 'records'>,
  searched: Pick<Searched, 'records' | 'state' | 'type' | 'find' | 'pause'>,
  questions: readonly Question[],
  viewer: ListRequest['viewer'],
  hidden: readonly string[],
): Promise<readonly Doubt[]> {
  const readable = await positionsOf(searched, { condition: EVERYTHING, viewer }, LIMITS.doubted + 1);
  if (!readable.ok || readable.value.seqs.length > LIMITS.doubted) return [];
  const { seqs } = readable.value;
  if (seqs.length === 0) return [{ kind: 'no-documents' }];
  const findings = questions.map((question): Finding => ({ ...question, held: new Set(), found: false }));
  const open = new Set(findings);
  const names = new Set<string>();
  let units = 0;
  for (const packed of records.packedAt(seqs, false)) {
    units += packed.length;
    if (units > LIMITS.doubtedUnits) return [];
    const { id, body } = unpackDocument(packed);
    const fields = { id: new ObjectId(id), ...withoutHidden(decodeFields(body), hidden) };
    for (const name of Object.keys(fields)) if (names.size < MOST_NAMES) names.add(name);
    for (const finding of open) {
      look(finding, fields);
      if (isSettled(finding)) open.delete(finding);
    }
    if (open.size === 0) return [];
  }
  return Array.from(open, (finding) => doubtOf(finding, [...names])).slice(0, LIMITS.doubtsTold);
}

function withoutHidden(fields: Fields, hidden: readonly string[]): Fields {
  if (hidden.length === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name)));
}

/** Notes what a document has at the path. */
function look(finding: Finding, fields: Fields): void {
  const note: Predicate = (value) => {
    if (value === undefined) return false;
    finding.found = true;
    const held = classOf(value);
    if (held !== null) finding.held.add(held);
    return false;
  };
  compileWalk(finding.path, 'items and array', note)(fields);
}

/** Whether nothing is in doubt any more. */
function isSettled({ found, held, compared }: Finding): boolean {
  return found && (compared.length === 0 || compared.some((each) => held.has(each)));
}

function doubtOf({ path, found, held, compared }: Finding, names: readonly string[]): Doubt {
  if (!found) return { kind: 'no-field', path: path.join('.'), names };
  return { kind: 'other-kind', path: path.join('.'), compared, held: [...held] };
}

/** What is asked of paths by a condition that holds for nothing. */
function questionsOf(condition: Condition, outer: Path = []): readonly Question[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap((each) => questionsOf(each, outer));
    case 'nor':
      return condition.conditions.flatMap((each) => questionsOf(each, outer)).map(uncompared);
    case 'not':
      return questionsOf(condition.condition, outer).map(uncompared);
    case 'text':
      return [];
    case 'elemMatch': {
      const path = [...outer, ...condition.path];
      return [{ path, compared: [] }, ...questionsOf(condition.condition, path)];
    }
    case 'exists':
      return condition.exists ? [{ path: [...outer, ...condition.path], compared: [] }] : [];
    default:
      return comparisonOf(condition, outer);
  }
}

function uncompared({ path }: Question): Question {
  return { path, compared: [] };
}

function comparisonOf(
  leaf: Exclude<Condition, { readonly op: 'and' | 'or' | 'nor' | 'not' | 'text' | 'elemMatch' | 'exists' }>,
  outer: Path,
): readonly Question[] {
  const path = [...outer, ...leaf.path];
  const values = 'value' in leaf ? [leaf.value] : 'values' in leaf ? leaf.values : [];
  // What asks for null asks for documents without the field, too.
  if (values.includes(null)) return [];
  if (leaf.op === 'regex') return [{ path, compared: ['string'] }];
  if (leaf.op === 'mod') return [{ path, compared: ['number'] }];
  const patterns: readonly ValueClass[] = leaf.op === 'in' && leaf.patterns.length > 0 ? ['string'] : [];
  const classes = values.map(classOf);
  const told = classes.flatMap((each) => each ?? []);
  // An array or object may equal anything that it may stand beside: only its field is in doubt.
  return [{ path, compared: told.length < classes.length ? [] : [...new Set([...told, ...patterns])] }];
}

const CLASSES: Readonly<Partial<Record<Kind, ValueClass>>> = {
  bool: 'boolean',
  int: 'number',
  long: 'number',
  double: 'number',
  decimal: 'number',
  string: 'string',
  objectId: 'object id',
  date: 'date',
};

function classOf(value: Value): ValueClass | null {
  return isList(value) ? null : (CLASSES[kindOf(value)] ?? null);
}
