/** `$type`, `$isNumber`, `$convert` and its short forms: values of one kind from values of another. */
import { isFields, type Value } from '../../domain/values/values.ts';
import { isNumber } from '../../query/order/numbers.ts';
import { convert, isOtherKind, targetOf, type Target } from '../core/convert.ts';
import { isNullish } from '../core/expression.ts';
import { isCaught, stop, type Operand } from '../core/meter.ts';
import { aliasOf } from '../numbers/kinds.ts';
import { named, REQUIRED, unary, type Operator, type Operators } from '../core/operator.ts';

/** `$toInt` and its kin: null for null, a stop for what cannot be converted. */
function to(target: Target): Operator {
  return unary((value, _frame, name) => (isNullish(value) ? null : convert(value, target, name)));
}

/** With `onError` and `onNull` in place of what would be a stop or null. */
const converting: Operator = (argument, at) => {
  const hasOnError = isFields(argument) && Object.hasOwn(argument, 'onError');
  return named(
    { input: REQUIRED, to: REQUIRED, onError: undefined, onNull: null },
    ([input, kind, onError, onNull], frame, name) => {
      const target = isNullish(kind) ? undefined : kindOperand(kind, name);
      if (isNullish(input)) return onNull;
      if (isNullish(kind)) return null;
      try {
        return target === undefined
          ? stop(`${name} cannot convert to that kind.`)
          : convert(input, target, name);
      } catch (error) {
        if (!hasOnError || !isCaught(error, frame.meter)) throw error;
        return onError;
      }
    },
    { checks: { to: kindOperand } },
  )(argument, at);
};

/** The kind to convert to; undefined for one that nothing can be converted to. */
function kindOperand(kind: Value, name: string): Target | undefined {
  const target = targetOf(kind);
  return target === undefined && !isOtherKind(kind)
    ? stop(`${name} does not know the kind to convert to.`)
    : target;
}

export const TYPES: Operators = {
  $type: unary((value: Operand) => aliasOf(value), { cheap: true }),
  $isNumber: unary((value) => isNumber(value), { cheap: true }),
  $convert: converting,
  $toBool: to('bool'),
  $toInt: to('int'),
  $toLong: to('long'),
  $toDouble: to('double'),
  $toDecimal: to('decimal'),
  $toString: to('string'),
  $toObjectId: to('objectId'),
  $toDate: to('date'),
};
