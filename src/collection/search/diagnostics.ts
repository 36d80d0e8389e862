/**
 * Why a search may have found nothing: a type without documents, a field that none has, values of another kind than the
 * filter compares with. Judged over the documents that the viewer may read, and over few: a larger collection is not
 * looked at. Under a rule nothing is said at all: how much is left out, or whether, is not told.
 */
import { LIMITS } from '../../domain/limits.ts';
import { decodeFields, encodeText } from '../../domain/values/codec.ts';
import { isList } from '../../domain/values/tree.ts';
import { kindOf, ObjectId, type Fields, type ValueKind, type Value } from '../../domain/values/values.ts';
import { EVERYTHING, type Condition, type Leaf } from '../../operators/filter/conditions.ts';
import { leavesOf } from '../../operators/filter/map.ts';
import { relationshipOf } from '../../operators/filter/through.ts';
import { decodeCondition } from '../../operators/filter/encoded.ts';
import { isDerived } from '../../operators/filter/derived.ts';
import { compileWalk, type Predicate } from '../../query/walk.ts';
import { unpackDocument } from '../rpc/packing/packing.ts';
import type {
  Diagnostic,
  DiagnosticsRequest,
  ListRequest,
  ListResult,
  Question,
  ValueClass,
} from '../rpc/results.ts';
import { StateCache } from '../storage/caching/answer-cache.ts';
import type { Readers } from '../storage/documents/readers.ts';
import { positionsOf } from './matching.ts';
import type { Searched } from './search.ts';

type Diagnosed = Pick<ListRequest, 'sort'> &
  Partial<Pick<ListRequest, 'hidden'>> & { readonly diagnostics: DiagnosticsRequest };
type Searching = Pick<Searched, 'records' | 'state' | 'type' | 'find' | 'pause'>;

/** Whether a request wants to be told, and may be. */
export function mayDiagnose<Request extends Pick<ListRequest, 'rule' | 'diagnostics'>>(
  request: Request,
): request is Request & { readonly diagnostics: DiagnosticsRequest } {
  const { rule, diagnostics } = request;
  return diagnostics !== undefined && (rule === null || (rule.where === null && rule.read === null));
}

/** Whether a page is empty because nothing matches, and not because it lies behind the end. */
function isEmpty(
  { page }: Pick<ListRequest, 'page'>,
  { total, documents }: Pick<ListResult, 'total'> & { readonly documents: { readonly length: number } },
): boolean {
  if (total !== null) return total === 0;
  return documents.length === 0 && ('after' in page ? page.after === null : page.offset === 0);
}

/**
 * The parts of a search that are diagnosed: all of one that finds nothing, or is handled strictly; of others the names
 * to sort by that no document of the page has. Null for nothing.
 */
export function diagnosedOf<Request extends Diagnosed & Pick<ListRequest, 'page'>>(
  request: Request,
  found: Parameters<typeof isEmpty>[1] & { readonly documents: string | readonly unknown[] },
): Request | null {
  if (request.diagnostics.always || isEmpty(request, found)) return request;
  const shown = typeof found.documents === 'string' ? found.documents : '';
  const sort = request.sort.filter(({ path: [name = ''] }) => {
    if (isDerived(name) || Object.hasOwn(OF_EACH, name)) return false;
    return request.hidden?.includes(name) === true || !shown.includes(`${JSON.stringify(name)}:`);
  });
  const diagnostics = { ...request.diagnostics, condition: ALL, questions: [] };
  return sort.length === 0 ? null : { ...request, sort, diagnostics };
}

const ALL = encodeText(EVERYTHING);

/** What documents have shown of a question. */
interface Finding extends Question {
  readonly held: Set<ValueClass>;
  /** The types that its first name links to. */
  readonly linked: Set<string>;
  found: boolean;
}

/** One document, as conditions see it, with the size of its text. */
export interface DiagnosticRow {
  readonly fields: Fields;
  readonly relationships: readonly string[];
  readonly units: number;
}

/** Names of fields that a misspelt one is compared with. */
const MOST_NAMES = 100;

/** The key of a longer question, in characters, is not kept. */
const LONGEST = 2_000;

/** What the service gives every document that it stores. */
const OF_EACH: Fields = {
  id: new ObjectId('0'.repeat(24)),
  $creator: { type: '', id: new ObjectId('0'.repeat(24)) },
  $created: new Date(0),
  $updated: new Date(0),
};

export class Diagnostics {
  readonly #cache = new StateCache<readonly Diagnostic[]>('counts');

  /** Of a search. `shown`: the condition that a list without a filter has. */
  async of(
    { records }: Pick<Readers, 'records'>,
    searched: Searching,
    shown: Condition,
    request: Diagnosed & Pick<ListRequest, 'viewer' | 'hidden'>,
  ): Promise<readonly Diagnostic[]> {
    const { viewer, hidden } = request;
    const questions = questionsAsked(request, decodeCondition(request.diagnostics.condition));
    const { counter } = searched.state;
    const key = JSON.stringify([viewer, hidden, questions, shown]);
    const cached = this.#cache.get(key, counter);
    if (cached !== undefined) return cached;
    const readable = await positionsOf(searched, { condition: shown, viewer }, LIMITS.diagnosed + 1);
    if (!readable.ok) return [];
    const rows = rowsOf(records.packedAt(readable.value.seqs, false), hidden);
    const made = readable.value.seqs.length > LIMITS.diagnosed ? null : judge(questions, rows);
    // Of many documents only what each has is known.
    const diagnostics = made ?? judge(questions.filter(isOfEach), [ANY]) ?? [];
    if (key.length <= LONGEST) this.#cache.set(key, counter, diagnostics);
    return diagnostics;
  }
}

/** All that is asked, where a document could have it. */
export function questionsAsked(
  { sort, diagnostics }: Pick<Diagnosed, 'sort' | 'diagnostics'>,
  condition: Condition,
): readonly Question[] {
  const sorted = sort.map(({ path }): Question => ({ path, compared: [] }));
  return [...questionsOf(condition), ...sorted, ...diagnostics.questions].filter(
    ({ path: [name] }) => name !== 'type' && !isDerived(name),
  );
}

function isOfEach({ path: [name = ''] }: Question): boolean {
  return Object.hasOwn(OF_EACH, name);
}

const ANY: DiagnosticRow = { fields: OF_EACH, relationships: [], units: 0 };

function* rowsOf(documents: Iterable<string>, hidden: readonly string[]): Generator<DiagnosticRow> {
  for (const packed of documents) {
    const { id, body, relationships } = unpackDocument(packed);
    const fields = { ...OF_EACH, id: new ObjectId(id), ...withoutHidden(decodeFields(body), hidden) };
    const names = relationships === null ? [] : (JSON.parse(relationships) as readonly string[]);
    yield { fields, relationships: names, units: packed.length };
  }
}

/** The questions that all these documents leave open; null where they are too large. */
export function judge(
  questions: readonly Question[],
  rows: Iterable<DiagnosticRow>,
): readonly Diagnostic[] | null {
  const findings = questions.map((question): Finding => ({
    ...question,
    held: new Set(),
    linked: new Set(),
    found: false,
  }));
  const open = new Set(findings);
  const names = new Set<string>();
  let isNone = true;
  let left = LIMITS.diagnosedUnits;
  for (const { fields, relationships, units } of rows) {
    isNone = false;
    left -= units;
    if (left < 0) return null;
    for (const name of Object.keys(fields))
      if (names.size < MOST_NAMES && !name.startsWith('$')) names.add(name);
    for (const finding of open) {
      look(finding, fields, relationships);
      if (isSettled(finding)) open.delete(finding);
    }
    if (open.size === 0) return [];
  }
  if (isNone) return [{ kind: 'no-documents' }];
  return Array.from(open, (finding) => diagnosticOf(finding, [...names])).slice(0, LIMITS.diagnosticsTold);
}

function withoutHidden(fields: Fields, hidden: readonly string[]): Fields {
  if (hidden.length === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name)));
}

/** Notes what a document has at the path. */
function look(finding: Finding, fields: Fields, relationships: readonly string[]): void {
  const note: Predicate = (value) => {
    if (value === undefined) return false;
    finding.found = true;
    const held = classOf(value);
    if (held !== null) finding.held.add(held);
    return false;
  };
  compileWalk(finding.path, 'items and array', note)(fields);
  const [name = ''] = finding.path;
  if (finding.through !== true || !relationships.includes(name)) return;
  const noteType: Predicate = (value) => {
    if (typeof value === 'string') finding.linked.add(value);
    return false;
  };
  compileWalk([name, 'type'], 'items and array', noteType)(fields);
}

/** Whether no question is open any more. */
function isSettled({ found, held, compared }: Finding): boolean {
  if (!found || compared.length === 0) return found;
  // A text among object ids is in vain where there are only these.
  const isMixed = compared.includes('string') && compared.includes('object id');
  return isMixed
    ? Array.from(held).some((each) => each !== 'object id')
    : compared.some((each) => held.has(each));
}

function diagnosticOf(
  { path, found, held, compared, linked }: Finding,
  names: readonly string[],
): Diagnostic {
  const dotted = path.join('.');
  if (linked.size > 0) {
    const types = [...linked].slice(0, LIMITS.diagnosticsTold);
    return { kind: 'elsewhere', path: dotted, types, rest: { path: path.slice(1), compared } };
  }
  if (!found) return { kind: 'no-field', path: dotted, names };
  return { kind: 'other-kind', path: dotted, compared, held: [...held] };
}

/**
 * What is asked of paths by a condition. A comparison in vain is one in a negation, too: it excludes nothing. `within`:
 * what the paths go on from, inside `$elemMatch`.
 */
function questionsOf(
  condition: Condition,
  within: Omit<Question, 'compared'> = DOCUMENT,
): readonly Question[] {
  return leavesOf(condition).flatMap((leaf) => {
    const through = within.through === true || (within.path.length === 0 && relationshipOf(leaf) !== null);
    const at = { path: [...within.path, ...leaf.path], ...(through && { through }) };
    if (leaf.op === 'exists' && !leaf.exists) return [];
    if (leaf.op === 'elemMatch') return [{ ...at, compared: [] }, ...questionsOf(leaf.condition, at)];
    const compared = comparedBy(leaf);
    return compared === null ? [] : [{ ...at, compared }];
  });
}

const DOCUMENT = { path: [] };

/** The classes of what a leaf compares with; null where it may mean documents without the field, too. */
function comparedBy(leaf: Leaf): readonly ValueClass[] | null {
  const values = 'value' in leaf ? [leaf.value] : 'values' in leaf ? leaf.values : [];
  if (values.includes(null)) return null;
  if (leaf.op === 'regex') return ['string'];
  if (leaf.op === 'mod') return ['number'];
  const patterns: readonly ValueClass[] = leaf.op === 'in' && leaf.patterns.length > 0 ? ['string'] : [];
  const classes = values.map(classOf);
  const known = classes.flatMap((each) => each ?? []);
  // An array or object may equal anything that it may stand beside: only its field can be diagnosed.
  return known.length < classes.length ? [] : [...new Set([...known, ...patterns])];
}

const CLASSES: Readonly<Partial<Record<ValueKind, ValueClass>>> = {
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
