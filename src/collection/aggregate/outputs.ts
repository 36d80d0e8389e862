/** Searching the outputs of a pipeline: filter, sort and page over documents in memory. */
import type { LimitFunction } from 'p-limit';
import { storedId, type DocumentId } from '../../domain/ids.ts';
import { LIMITS, WORK } from '../../domain/limits.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { isAggregateType } from '../../domain/types.ts';
import { isFields, ObjectId, type Fields, type Value } from '../../domain/values/values.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import type { Condition } from '../../operators/filter/conditions.ts';
import { countTests, mapLeaves } from '../../operators/filter/map.ts';
import { compileMatcher } from '../../operators/filter/matcher.ts';
import { excessive } from '../../operators/query/patterns.ts';
import { decodeCondition } from '../../operators/filter/encoded.ts';
import { formatCursor, parseCursor, type Ordering } from '../../query/order/ordering.ts';
import { asksShapes, orderingOf } from '../../plan/prepare.ts';
import { isEverything } from '../../plan/settle.ts';
import { textMatcher } from '../../query/text/search.ts';
import type { Diagnostic, Extent, ListRequest, OutputSelection } from '../rpc/results.ts';
import { judge, questionsAsked } from '../search/diagnostics.ts';
import { SHAPES, TESTS } from '../search/scan.ts';
import { staleCursor } from '../rpc/refusals.ts';
import { StateCache } from '../storage/caching/answer-cache.ts';
import { shareOfStep, STEP_DOCUMENTS } from '../storage/steps.ts';
import { isList } from '../../domain/values/tree.ts';

/** One output of a pipeline. */
export interface Output {
  readonly id: DocumentId;
  /** Attributes and relationships side by side. */
  readonly fields: Fields;
  readonly relationships: readonly string[];
  /** The stored encoding of the fields, made once, because a result is read more often than it is made. */
  readonly text: string;
}

/** The size of a result without its outputs. */
const RESULT_OVERHEAD = 400;

/** The last results, so that a dashboard that polls costs nothing: outputs, or how a pipeline failed on the data. */
export class ResultCache extends StateCache<Outcome<readonly Output[]>> {
  constructor() {
    super('results', (result) => {
      const outputs = result.ok ? result.value : [];
      return outputs.reduce((units, { text, id }) => units + text.length + id.length, RESULT_OVERHEAD);
    });
  }
}

interface Selected extends Extent {
  readonly page: readonly Output[];
}

/** A cursor over outputs is a position among them, because their ids do not ascend. */
const NO_ID = storedId('0'.repeat(24));

/** What selecting among many outputs asks of its surroundings. */
interface Around {
  readonly pause: () => Promise<void>;
  /** Few select at a time: each keeps its matches through its pauses. */
  readonly inTurn: LimitFunction;
}

export async function selectOutputs(
  outputs: readonly Output[],
  select: OutputSelection,
  type: string,
  { pause, inTurn }: Around,
): Promise<Outcome<Selected>> {
  if ('ids' in select) {
    const ids = new Set(select.ids);
    const page = outputs.filter(({ id }) => ids.has(id));
    return ok({ total: page.length, more: false, page, next: null });
  }
  const condition = withTextOfId(decodeCondition(select.condition));
  if (isEverything(condition) && select.sort.length === 0) return pageOf(outputs, select.page);
  // Ids of outputs are what the pipeline makes: their order is no other. Without `sort` the outputs keep the pipeline's
  // order; with it, ties do.
  const ordering = orderingOf(condition, select.sort, false);
  return inTurn(async () => {
    const found = await matchesAmong(outputs, condition, ordering, type, pause);
    if (!found.ok) return found;
    const ordered = ordering === null ? found.value : await sorted(found.value, ordering, pause);
    return pageOf(
      ordered.map(({ output }) => output),
      select.page,
    );
  });
}

interface Matched {
  readonly output: Output;
  readonly key: ReturnType<Ordering['keyOf']>;
}

async function matchesAmong(
  outputs: readonly Output[],
  condition: Condition,
  ordering: Ordering | null,
  type: string,
  pause: () => Promise<void>,
): Promise<Outcome<readonly Matched[]>> {
  const budget = new WorkBudget(WORK.patterns);
  const matches = compileMatcher(condition, { text: textMatcher, budget, bounded: true });
  const load = Math.max(1, countTests(condition) / TESTS);
  const perUnit = asksShapes(condition) ? SHAPES : 1;
  const found: Matched[] = [];
  let step = 0;
  for (const output of outputs) {
    const fields = fieldsOf(output, type);
    if (matches(fields)) found.push({ output, key: ordering?.keyOf(fields) ?? [] });
    if (budget.exceeded) return excessive(budget, 'this aggregate');
    step += load * shareOfStep(output.text.length * perUnit);
    if (step < 1) continue;
    step = 0;
    await pause();
  }
  return ok(found);
}

/** Matches that are merged in a step. */
const STEP_MERGED = 8 * STEP_DOCUMENTS;

/** Sorts in steps: pieces, which are then merged two by two. */
async function sorted(
  matches: readonly Matched[],
  { compare }: Ordering,
  pause: () => Promise<void>,
): Promise<readonly Matched[]> {
  let pieces: (readonly Matched[])[] = [];
  for (let at = 0; at < matches.length; at += STEP_DOCUMENTS) {
    if (at > 0) await pause();
    pieces.push(matches.slice(at, at + STEP_DOCUMENTS).sort((a, b) => compare(a.key, b.key)));
  }
  let taken = 0;
  while (pieces.length > 1) {
    const longer: (readonly Matched[])[] = [];
    for (let at = 0; at < pieces.length; at += 2) {
      const piece: Matched[] = [];
      for (const each of merged(pieces[at] ?? [], pieces[at + 1] ?? [], compare)) {
        piece.push(each);
        taken += 1;
        if (taken % STEP_MERGED === 0) await pause();
      }
      longer.push(piece);
    }
    pieces = longer;
  }
  return pieces[0] ?? [];
}

function* merged(
  one: readonly Matched[],
  other: readonly Matched[],
  compare: Ordering['compare'],
): Generator<Matched> {
  let at = 0;
  for (const each of one) {
    for (let next = other[at]; next !== undefined && compare(next.key, each.key) < 0; next = other[at]) {
      yield next;
      at += 1;
    }
    yield each;
  }
  yield* other.slice(at);
}

/** What may be the matter with a list of outputs; the same as of stored documents (search/diagnostics.ts). */
export function diagnosticsOfOutputs(
  outputs: readonly Output[],
  { sort, diagnostics }: Parameters<typeof questionsAsked>[0],
  type: string,
): readonly Diagnostic[] {
  if (outputs.length > LIMITS.diagnosed) return [];
  const questions = questionsAsked(
    { sort, diagnostics },
    withTextOfId(decodeCondition(diagnostics.condition)),
  )
    // Filters of outputs look at nothing else: no link is followed, and the service adds nothing to them.
    .map(({ path, compared }) => ({ path, compared }));
  const rows = outputs.map((output) => ({
    fields: fieldsOf(output, type),
    relationships: output.relationships,
    units: output.text.length,
  }));
  return judge(questions, rows) ?? [];
}

/** An object id that a filter compares with an output's id means its hexadecimal digits (decisions, section 5). */
function withTextOfId(condition: Condition): Condition {
  return mapLeaves(condition, (leaf) => {
    if (leaf.path.length !== 1 || leaf.path[0] !== 'id') return leaf;
    switch (leaf.op) {
      case 'eq':
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return { ...leaf, value: textOfId(leaf.value) };
      case 'in':
        return { ...leaf, values: leaf.values.map(textOfId) };
      default:
        return leaf;
    }
  });
}

function textOfId(value: Value): Value {
  return value instanceof ObjectId ? value.hex : value;
}

/** `outputs` are those that match, in order. */
function pageOf(outputs: readonly Output[], page: ListRequest['page']): Outcome<Selected> {
  const start = startOf(page);
  if (start === undefined) return staleCursor();
  const end = start + page.limit;
  const more = end < outputs.length;
  const next = more && 'after' in page ? formatCursor({ key: [end], id: NO_ID }) : null;
  const total = page.counted === false ? null : outputs.length;
  return ok({ total, more, page: outputs.slice(start, end), next });
}

function startOf(page: ListRequest['page']): number | undefined {
  if ('offset' in page) return page.offset;
  if (page.after === null) return 0;
  const position = parseCursor(page.after, 1);
  const [start] = position !== undefined && 'key' in position ? position.key : [];
  return typeof start === 'number' ? start : undefined;
}

/** An output as filters see it. Its own id is a string, and so are those of other outputs that it links to. */
function fieldsOf({ id, fields, relationships }: Output, type: string): Fields {
  const links = relationships.map((name): [string, Value] => [name, withTextIds(fields[name] ?? null)]);
  return { ...fields, ...Object.fromEntries(links), id, type };
}

function withTextIds(linkage: Value): Value {
  if (isList(linkage)) return linkage.map(withTextIds);
  if (!isFields(linkage)) return linkage;
  const { type, id } = linkage;
  const toOutput = typeof type === 'string' && isAggregateType(type) && id instanceof ObjectId;
  return toOutput ? { type, id: id.hex } : linkage;
}
