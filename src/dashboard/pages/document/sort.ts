/** Words for the documents of a type, so that one page shows any of them: those of the service's own types, too. */
import type { ComponentChildren } from 'preact';
import type { Members } from '../../parts/fields/json.ts';
import { FILE } from '../../session/files.ts';
import type { Facts, Open } from './stored.ts';

/** A document that is open; `reload` reads it anew. */
export type Opened = Open & { readonly reload: () => void };

/** A part of the page of a document; `id` is undefined for a new one. */
type Part = (open: Opened, id: string | undefined) => ComponentChildren;

export interface Sort extends Facts {
  /** The words for the route of all. */
  readonly all: string;
  /** It is not deleted as documents are. */
  readonly isUndeletable?: boolean;
  readonly title?: (attributes: Members, id: string | undefined) => string | undefined;
  readonly actions?: Part;
  /** More of the form, and what stands below it. */
  readonly form?: Part;
  readonly below?: Part;
}

/** Documents of a type of the application's. */
export function documentsOf(type: string): Sort {
  return { type, steps: ['documents', type], all: type === FILE ? 'All files' : type, what: 'document' };
}

export function isOwn({ steps: [first] }: Sort): boolean {
  return first !== 'documents';
}
