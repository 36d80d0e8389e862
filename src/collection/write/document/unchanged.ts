/**
 * Values that a change leaves as they are: a value that comes back as an answer shows it keeps its kind (decisions,
 * section 2). Most clients read a document, change one field and send all of them back, in plain JSON.
 */
import { inside, type Place } from '../../../domain/pointer.ts';
import { textOfNumber } from '../../../domain/values/present.ts';
import {
  Decimal,
  Double,
  isFields,
  Long,
  longOf,
  ObjectId,
  Oversized,
  WrappedLong,
  type Fields,
  type Value,
} from '../../../domain/values/values.ts';
import { compareExact, exactOfText } from '../../../domain/values/exact.ts';
import { isNumber, type NumberValue } from '../../../query/order/numbers.ts';
import { memberOf, isList } from '../../../domain/values/tree.ts';

/** Called for each plain number that fits no kind and is not the stored one. */
export type ReportOversized = (place: Place, digits: string) => void;

/**
 * The value to store when `sent` replaces `stored`: at any depth, members of objects by name and items of arrays by
 * position. Wrapped values stay as sent. `stored` is undefined if there was no value.
 */
function keepUnchanged(stored: Value | undefined, sent: Value, place: Place, report: ReportOversized): Value {
  if (typeof sent === 'string') return isShownAs(stored, sent) ? stored : sent;
  if (sent instanceof WrappedLong) return longOf(sent.value) ?? sent;
  if (isPlainNumber(sent)) {
    if (stored !== undefined && isNumber(stored) && isSameNumber(stored, sent)) return stored;
    if (sent instanceof Oversized) report(place, sent.text);
    return sent;
  }
  if (isList(sent)) {
    const items = stored !== undefined && isList(stored) ? stored : [];
    return sent.map((item, index) => keepUnchanged(items[index], item, inside(place, index), report));
  }
  if (!isFields(sent)) return sent;
  return keepFields(stored !== undefined && isFields(stored) ? stored : {}, sent, place, report);
}

/** The same for the sent members of an object. */
export function keepFields(stored: Fields, sent: Fields, place: Place, report: ReportOversized): Fields {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      keepUnchanged(memberOf(stored, name), value, inside(place, name), report),
    ]),
  );
}

function isShownAs(stored: Value | undefined, text: string): stored is Date | ObjectId {
  if (stored instanceof Date) return stored.toISOString() === text;
  return stored instanceof ObjectId && stored.hex === text;
}

/**
 * True for a number that was sent without a wrapper: decimals always have a wrapper, and a plain integer beyond 2^53 is
 * a long object.
 */
function isPlainNumber(sent: Value): sent is number | Double | Long | Oversized {
  if (typeof sent === 'number' || sent instanceof Double || sent instanceof Oversized) return true;
  return sent instanceof Long && !Number.isSafeInteger(Number(sent.value));
}

/**
 * Whether a plain number is the one that an answer shows of the stored one. An integer is exact, so it must be equal to
 * the last digit. A number with a fraction or an exponent is a double, so the shown digits must read as that double: a
 * client that reads JSON numbers as doubles cannot send anything else.
 */
function isSameNumber(stored: NumberValue, sent: number | Double | Long | Oversized): boolean {
  if (typeof stored === 'number' && typeof sent === 'number') return stored === sent;
  const shown = textOfNumber(stored);
  const double = sent instanceof Double ? sent.value : sent;
  if (typeof double === 'number' && (sent instanceof Double || !Number.isInteger(double))) {
    return (stored instanceof Double || stored instanceof Decimal) && Number(shown) === double;
  }
  const one = exactOfText(shown);
  const other = exactOfText(textOfNumber(sent));
  return one !== undefined && other !== undefined && compareExact(one, other) === 0;
}
