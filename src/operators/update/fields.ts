/** `$unset`, `$rename`, `$currentDate`: fields as a whole. */
import { isParsedObject, memberAt } from '../../domain/values/json.ts';
import { inside } from '../../domain/pointer.ts';
import { refuseUpdate, type UpdateOperator } from './operator.ts';
import { readTarget } from './paths.ts';

/** Whatever it is given: MongoDB's clients send an empty string. */
export const unset: UpdateOperator<'$unset'> = {
  creates: false,
  read: () => true,
  apply: () => undefined,
};

/** Only the whole document decides its effect (apply.ts): it is an `$unset` here, and a value there. */
export const rename: UpdateOperator<'$rename'> = {
  creates: false,
  read: (json, at) => {
    if (typeof json !== 'string') return refuseUpdate(at, '$rename takes the new path as a string.');
    const to = readTarget(json);
    return typeof to === 'string' ? refuseUpdate(at, to) : { to };
  },
  apply: () => undefined,
};

export const currentDate: UpdateOperator<'$currentDate'> = {
  creates: true,
  read: (json, at) => {
    if (typeof json === 'boolean') return true;
    const names = isParsedObject(json) ? Object.keys(json) : [];
    const type = memberAt(json, '$type');
    if (names.length === 1 && type === 'date') return true;
    const place = type === undefined ? at.place : inside(at.place, '$type');
    return refuseUpdate({ ...at, place }, '$currentDate takes true, or {"$type": "date"}.');
  },
  apply: (_operand, _current, { now }) => now,
};
