/** Ids of documents and of applications: texts that were read as such, and no other text passes for one. */
import { LIMITS } from './limits.ts';

declare const brand: unique symbol;

/**
 * The id of a document: 24 lower-case hexadecimal digits of a stored one; of an aggregate's, any text of its pipeline.
 * Only this file makes them.
 */
export type DocumentId = string & { readonly [brand]: 'DocumentId' };

const ID = /^[0-9a-f]{24}$/;

/** True for the id of a stored document, in its one form. */
export function isId(text: string): text is DocumentId {
  return ID.test(text);
}

/** The id of an application: that of its document, or `system`. Only `isApplicationId` makes them. */
export type ApplicationId = string & { readonly [brand]: 'ApplicationId' };

const APPLICATION_ID = /^(system|[0-9a-f]{24})$/;

/** True for the id of an application, in its one form. */
export function isApplicationId(text: string): text is ApplicationId {
  return APPLICATION_ID.test(text);
}

/** The id of an application that its document, or storage, holds. Throws for another text. */
export function applicationId(text: string): ApplicationId {
  if (!isApplicationId(text)) throw new TypeError(`${text} is the id of no application.`);
  return text;
}

/** The application that holds the operator's own documents, the applications. */
export const SYSTEM_APPLICATION = applicationId('system');

/** The second since 1970 in which an id was made, about: ids ascend whatever the clock does. */
export function secondsOf(id: DocumentId): number {
  return parseInt(id.slice(0, 8), 16);
}

/** The id of a second since 1970 that ends so: the first one, if nothing is said. */
export function idOfSecond(seconds: number, rest = '0'.repeat(16)): DocumentId {
  return storedId(`${Math.max(0, seconds).toString(16).padStart(8, '0')}${rest}`);
}

/** The id that a client writes, in either case; undefined for a text that is none. */
export function readId(text: string): DocumentId | undefined {
  const lower = text.toLowerCase();
  return ID.test(lower) ? (lower as DocumentId) : undefined;
}

/** The id that storage, a signed credential or an object id holds: it was read as one before it went there. */
export function storedId(text: string): DocumentId {
  return text as DocumentId;
}

/** Whether a text may be the id of an aggregate's document. A path must be able to hold it. */
export function isOutputId(text: string): boolean {
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) return false;
  return encodeURIComponent(text).length <= LIMITS.outputId;
}

/** The id that a pipeline made. */
export function madeId(text: string): DocumentId {
  return text as DocumentId;
}
