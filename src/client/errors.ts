/** What goes wrong, as exceptions that say what, where and in which request. */

/** An error object of JSON:API, as the service sends it (docs/errors.md). */
export interface ErrorObject {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string };
  readonly links?: { readonly about?: string };
  readonly meta?: { readonly [name: string]: unknown };
}

/** A request that failed. The members are those of the first fault; `errors` has all of them. */
export class ForedgeError extends Error {
  override readonly name: string = 'ForedgeError';
  /** The status of the answer; 0 where there was no answer. */
  readonly status: number;
  /** A stable word of docs/errors.md; `unreachable` without an answer, `unexpected-answer` if not the service's. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** The place in the body that was sent. */
  readonly pointer: string | undefined;
  /** The parameter of the query that is wrong. */
  readonly parameter: string | undefined;
  readonly errors: readonly ErrorObject[];
  /** What the log of the service calls the request. */
  readonly requestId: string | undefined;

  constructor(
    status: number,
    errors: readonly ErrorObject[],
    options?: { readonly requestId?: string | undefined; readonly cause?: unknown },
  ) {
    const [first] = errors;
    const title = first?.title ?? `Status ${status}`;
    super(first?.detail ?? title, options);
    this.status = status;
    this.code = first?.code ?? 'unexpected-answer';
    this.title = title;
    this.detail = first?.detail ?? '';
    this.pointer = first?.source?.pointer;
    this.parameter = first?.source?.parameter;
    this.errors = errors;
    this.requestId = options?.requestId;
  }
}

/** The document has changed since it was read: nothing was done. */
export class ConflictError<Document = unknown> extends ForedgeError {
  override readonly name = 'ConflictError';
  /** The document as it now is; null when it was deleted, or may no longer be read. */
  readonly current: Document | null;

  constructor(error: ForedgeError, current: Document | null) {
    super(error.status, error.errors, { requestId: error.requestId, cause: error });
    this.current = current;
  }
}
