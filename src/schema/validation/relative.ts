/** Numbers that no double shows, in a form that the library compares: differences from the bound, which becomes 0. */
import { compareNums, isMultiple, type Num } from '../num.ts';
import type { Bound } from './level.ts';
import { librarySchema, type LibrarySchema } from './library.ts';

/** The question whether a number keeps to a bound; `beside` holds the flags of draft-04. */
export function relativeTo(name: Bound, argument: Num, value: Num, beside: LibrarySchema) {
  if (name === 'multipleOf') {
    return { schema: librarySchema({ multipleOf: 1 }), instance: isMultiple(value, argument) ? 1 : 0.5 };
  }
  const instance = compareNums(value, argument);
  const flag = name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const isFlagged = beside[flag] === true && name !== flag;
  return { schema: librarySchema({ [name]: 0, ...(isFlagged && { [flag]: true }) }), instance };
}
