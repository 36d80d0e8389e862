/** `$pull`: removes the items of an array that equal a value, or meet a condition. */
import type { Detail } from '../../domain/names.ts';
import { isParsedObject, type Parsed } from '../../domain/values/json.ts';
import type { Place } from '../../domain/pointer.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { isWrapperName } from '../../domain/values/wrappers.ts';
import { equalValues } from '../../query/order/compare.ts';
import type { Condition } from '../filter/conditions.ts';
import { GRAMMAR } from '../filter/grammar.ts';
import { compileMatcher } from '../filter/match.ts';
import { isQueryOperator } from '../query/logic.ts';
import { itemsOf } from './arrays.ts';
import { Refusal, valueOf, type At, type UpdateOperator } from './operator.ts';
import { countValues, type Run } from './run.ts';
import type { Operands } from './update.ts';

/** The field that an item is taken for where a condition is about itself: so MongoDB wraps it, too. */
const ITEM = 'item';

/** Units of work that the making of a matcher takes, and that each part of a condition takes for each value. */
const COMPILING = 4_000;
const COMPARING = 3;

export const pull: UpdateOperator<'$pull'> = {
  creates: false,
  read: (json, at) => {
    if (!isParsedObject(json) || isWrapper(json)) return { value: valueOf(json, at, at.place) };
    const faults: Place[] = [];
    const report = (place: Place, detail: Detail) => {
      faults.push(place);
      at.report(place, detail);
    };
    const read = readCondition(json, { ...at, report });
    return faults.length > 0 ? null : read;
  },
  apply: (operand, current, run) => {
    if (current === undefined) return undefined;
    const items = itemsOf(current);
    if (items instanceof Refusal) return items;
    const without =
      'value' in operand
        ? items.filter((item) => !equalValues(item, operand.value))
        : withoutMatches(items, operand, run);
    // Where nothing leaves, the array is the same.
    return without instanceof Refusal || without.length < items.length ? without : items;
  },
};

type Conditional = Extract<Operands['$pull'], { readonly condition: Condition }>;

function isWrapper(json: { readonly [name: string]: Parsed }): boolean {
  const names = Object.keys(json);
  return names.length > 0 && names.every(isWrapperName);
}

/** By its first name an object is asked of an item's fields, or of the item itself. */
function readCondition(json: { readonly [name: string]: Parsed }, at: At): Conditional {
  const [first = ''] = Object.keys(json);
  const scope = {
    report: at.report,
    // Neither an order by distance nor a search of a document's words has a meaning here.
    within: 'negation or element',
    provenance: false,
    once: new Set<string>(),
    grammar: GRAMMAR,
  } as const;
  if (!first.startsWith('$') || isQueryOperator(first)) {
    return { of: 'fields', condition: GRAMMAR.query(json, at.place, scope) };
  }
  return { of: 'item', condition: GRAMMAR.expression(json, [ITEM], at.place, scope) };
}

function withoutMatches(
  items: readonly Value[],
  { of, condition }: Conditional,
  run: Run,
): readonly Value[] | Refusal {
  const tooMuch = new Refusal('The condition takes too much work on this array.');
  if (!run.spend(COMPILING + COMPARING * countValues(items) * countValues(condition))) return tooMuch;
  const matches = compileMatcher(condition, { budget: run.patterns });
  const left = items.filter((item) => {
    if (of === 'item') return !matches({ [ITEM]: item });
    return !(isFields(item) && matches(item));
  });
  return run.patterns.exceeded ? tooMuch : left;
}
