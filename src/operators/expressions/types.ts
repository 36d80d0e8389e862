/** `$type`, `$isNumber`, `$convert` and its short forms: values of one kind from values of another. */
import { isNumber } from '../../query/order/numbers.ts';
import { convert, targetOf, type ConversionType } from '../core/convert.ts';
import { isNullish } from '../core/expression.ts';
import { stop, type Operand } from '../core/meter.ts';
import { aliasOf } from '../numbers/kinds.ts';
import { converting, REQUIRED, unary, type Operator, type Operators } from '../core/operator.ts';

/** `$toInt` and its kin: null for null, a stop for what cannot be converted. */
function to(target: ConversionType): Operator {
  return unary((value, _frame, name) => (isNullish(value) ? null : convert(value, target, name)));
}

/** The kind to convert to; undefined for one that nothing can be converted to. */
function kindOperand(kind: Operand, name: string): ConversionType | undefined | null {
  return isNullish(kind) ? null : targetOf(kind, name);
}

export const TYPES: Operators = {
  $type: unary((value: Operand) => aliasOf(value), { cheap: true }),
  $isNumber: unary((value) => isNumber(value), { cheap: true }),
  $convert: converting(
    { input: REQUIRED, to: REQUIRED, onError: undefined },
    ([kind], _frame, name) => kindOperand(kind, name),
    (input, target, _frame, name) =>
      target === null
        ? null
        : target === undefined
          ? stop(`${name} cannot convert to that kind.`)
          : convert(input, target, name),
    { to: kindOperand },
  ),
  $toBool: to('bool'),
  $toInt: to('int'),
  $toLong: to('long'),
  $toDouble: to('double'),
  $toDecimal: to('decimal'),
  $toString: to('string'),
  $toObjectId: to('objectId'),
  $toDate: to('date'),
};
