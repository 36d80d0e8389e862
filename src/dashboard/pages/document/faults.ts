/** What the service would refuse in any document: values that do not read, names that no field may have. */
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers, type Members, type Fault } from '../../parts/json.ts';
import { ID, isoOf, kindOf, textOf } from '../../parts/kinds.ts';

const LONG_FROM = -(2n ** 63n);
const LONG_TO = 2n ** 63n - 1n;
const DECIMAL_DIGITS = 34;

/** A pointer (RFC 6901) one step deeper. */
export function below(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What is wrong with the attributes, at any depth. */
export function faultsOfMembers(members: Members, pointer: string): readonly Fault[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const at = below(pointer, name);
    const fault = pointer === '/attributes' ? faultOfField(name) : faultOfName(name);
    return [...(fault === undefined ? [] : [{ pointer: at, message: fault }]), ...faultsOf(value, at)];
  });
}

/** What was found in a value that has parts: most of a large document stays as it is from key to key. */
const known = new WeakMap<object, { readonly pointer: string; readonly faults: readonly Fault[] }>();

function faultsOf(value: Json, pointer: string): readonly Fault[] {
  if (typeof value !== 'object' || value === null) return faultsInside(value, pointer);
  const before = known.get(value);
  if (before?.pointer === pointer) return before.faults;
  const faults = faultsInside(value, pointer);
  known.set(value, { pointer, faults });
  return faults;
}

function faultsInside(value: Json, pointer: string): readonly Fault[] {
  const message = faultOfValue(value);
  if (message !== undefined) return [{ pointer, message }];
  if (isItems(value)) return value.flatMap((item, index) => faultsOf(item, below(pointer, index)));
  const kind = kindOf(value);
  return isMembers(value) && (kind === 'object' || kind === 'geometry')
    ? faultsOfMembers(value, pointer)
    : [];
}

function faultOfValue(value: Json): string | undefined {
  const text = textOf(value).trim();
  switch (kindOf(value)) {
    case 'number':
      return Number.isFinite(value) ? undefined : 'This is not a number.';
    case 'long':
      if (!/^[-+]?\d+$/.test(text)) return 'A long is digits alone.';
      return BigInt(text) >= LONG_FROM && BigInt(text) <= LONG_TO ? undefined : 'A long has 64 bits.';
    case 'decimal':
      if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return 'This is not a decimal number.';
      return digitsOf(text) <= DECIMAL_DIGITS ? undefined : 'A decimal has at most 34 digits.';
    case 'date':
      return isoOf(value) === undefined ? 'This is not a date.' : undefined;
    case 'id':
      return ID.test(text) ? undefined : 'An object id has 24 hexadecimal digits.';
    default:
      return undefined;
  }
}

function digitsOf(text: string): number {
  return text.replace(/e.*$/i, '').replaceAll(/[^\d]/g, '').replace(/^0+/, '').length;
}

/** Why no field of a document can have the name (docs/documents.md, Names). */
export function faultOfField(name: string): string | undefined {
  if (name === 'id' || name === 'type') return `No field is called ${name}.`;
  if (name !== name.trim()) return 'A name has no blanks at its ends.';
  // oxlint-disable-next-line no-control-regex
  if (/[,/[\]\u0000-\u001f\u007f]/.test(name))
    return 'A name has no comma, slash, brackets or control characters.';
  return faultOfName(name);
}

function faultOfName(name: string): string | undefined {
  if (name === '') return 'A name is not empty.';
  if (name.startsWith('$')) return 'A name does not begin with $.';
  return name.includes('.') ? 'A name has no dots.' : undefined;
}
