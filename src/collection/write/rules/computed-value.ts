/** The value of a computed field (docs/types.md), or why it has none. */
import { LIMITS } from '../../../domain/limits.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { fail } from '../../../domain/problems.ts';
import type { Meter } from '../../../operators/core/meter.ts';
import type { Evaluated, Moment } from '../../../operators/settings/expression.ts';
import { faultOfComputed, type ComputedField } from '../../../operators/settings/set.ts';

export const EXCESS = `It looks at more than ${LIMITS.includedDocuments} linked documents, or too often.`;
export const COLLISION = 'The document has a relationship of this name.';

export function valueOf({ expression }: ComputedField, moment: Moment, meter: Meter): Evaluated {
  if (expression === null) return { ok: false, detail: 'Its expression cannot be read.' };
  // A value that holds the whole document keeps it as it is now.
  const copy = expression.fields === null ? { ...moment.after } : null;
  const copied = Object.keys(copy ?? {}).length;
  const made = expression.evaluate({ ...moment, after: copy ?? moment.after }, meter, copied);
  const fault = made.ok && made.value !== undefined ? faultOfComputed(made.value) : undefined;
  return fault === undefined ? made : { ok: false, detail: fault };
}

/** Why, only who sees what the expression looks at is told: all fields, where the empty name is seen too. */
export function notComputed(
  { name, expression, at }: ComputedField,
  why: string,
  isSeen: (name: string) => boolean,
) {
  const looked = [...(expression?.fields ?? [''])].filter((each) => each !== 'id' && each !== 'type');
  const detail = `The settings of the type cannot compute ${name}.${looked.every(isSeen) ? ` ${why}` : ''}`;
  const pointer = pointerOf(placeOf('data', 'attributes', name));
  return fail('invalid-value', detail, { pointer }, { pointer: at });
}
