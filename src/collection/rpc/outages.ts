/** The texts of errors that an object throws when it cannot answer at all: across RPC, errors keep only their text. */

/** Thrown when one object more would be too many. */
export const TOO_MANY_OBJECTS = 'Too many collections are in use at a time.';

/** Thrown when data were lost; the name of their collection follows. */
export const DATA_LOST = 'All data of this collection are lost:';

/** The reason of an object that ends itself, to begin again with a restored storage. */
export const BEGINS_AGAIN = 'The collection goes back to a former moment.';

/** Thrown by a write that has waited for too long. */
export const NOT_DECIDED = 'A list of several types keeps others from writing.';

/** Thrown by a read of schemas while a push cannot reach their target. */
export const NOT_IN_FORCE = 'A schema that was written is not in force yet.';
