/** The texts of what an object throws when it can not answer at all: errors keep nothing else on their way out. */

/** What is thrown where one object more would be too many. Errors keep nothing but their text on the way out. */
export const TOO_MANY_OBJECTS = 'Too many collections are in use at a time.';

/** What is thrown where data were lost, before the name of their collection. Errors keep nothing but their text. */
export const DATA_LOST = 'All data of this collection are lost:';

/** What a read of schemas throws while their target can not be told. Errors keep nothing but their text on the way out. */
export const NOT_IN_FORCE = 'A schema that was written is not in force yet.';
