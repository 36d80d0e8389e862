/** Conditions that find nothing because of their kind: how many documents each would find in another one. */
import type { ErrorObject } from '../../../../client/errors.ts';
import { Button, placeOf } from '../../../parts/button.tsx';
import { isMembers, parsed } from '../../../parts/fields/json.ts';
import { kindOf, readAs } from '../../../parts/fields/kinds.ts';
import { countText } from '../../../parts/words.tsx';
import { listNone, useLoad } from '../../../session/service.ts';
import { parametersOf, type Condition } from '../view.ts';

/** The kinds that a filter tells apart, in words. */
const KINDS = [
  ['string', 'text'],
  ['number', 'a number'],
  ['date', 'a date'],
  ['id', 'an id'],
  ['boolean', 'yes or no'],
] as const;

/** Operators whose operand is a value of the field. */
const COMPARES = /^\$(eq|ne|gte?|lte?)$/;

interface OtherKindsProps {
  readonly type: string;
  readonly conditions: readonly Condition[];
  readonly warning: ErrorObject;
  readonly onConditions: (conditions: readonly Condition[]) => void;
}

export function OtherKinds({ type, conditions, warning, onConditions }: OtherKindsProps) {
  const { value: found = [] } = useLoad(
    async (signal) => {
      const counted = readings(conditions, placeOf(warning)).map(async (reading) => {
        const query = parametersOf({ conditions: reading.conditions, sort: [] });
        return { ...reading, count: (await listNone(type, query, signal)).count ?? 0 };
      });
      return (await Promise.all(counted)).filter(({ count }) => count > 0);
    },
    [type, JSON.stringify(conditions), placeOf(warning)],
  );
  return found.map(({ words, count, conditions: next }) => (
    <Button key={words} look="link" onClick={() => onConditions(next)}>
      As {words}: {countText(count)}
    </Button>
  ));
}

/** The conditions with that at a place in each other kind that can say its value. */
function readings(conditions: readonly Condition[], place: string) {
  const at = conditions.findIndex(({ field }) => `filter[${field}]` === place);
  const condition = conditions[at];
  if (condition === undefined) return [];
  const value = parsed(condition.text) ?? condition.text;
  const [first, ...more] = isMembers(value) ? Object.entries(value) : [];
  const isCompared = first !== undefined && more.length === 0 && COMPARES.test(first[0]);
  const [operator, operand] = isCompared ? first : [undefined, value];
  return KINDS.flatMap(([kind, words]) => {
    const said = kind === kindOf(operand) ? undefined : readAs(operand, kind);
    if (said === undefined) return [];
    const text = JSON.stringify(operator === undefined ? said : { [operator]: said });
    return [{ words, conditions: conditions.with(at, { ...condition, text }) }];
  });
}
