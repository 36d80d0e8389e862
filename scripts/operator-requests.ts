/** Requests under the operator's secret, and what the service says where it refuses one. */
import { Failure } from './failure.ts';

const APPLICATIONS = '/applications/core.application';
export const DOCUMENT = { 'content-type': 'application/vnd.api+json' };

interface ErrorObject {
  readonly title: string;
  readonly detail: string;
  readonly source?: { readonly pointer?: string };
  readonly meta?: { readonly line?: number };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export class OperatorRequests {
  readonly base: string;
  readonly #secret: string;

  constructor(base: string, secret: string) {
    this.base = base;
    this.#secret = secret;
  }

  /** To an address below the applications. */
  send(method: string, path: string, body?: string | Blob, headers = {}): Promise<Response> {
    return fetch(`${this.base}${APPLICATIONS}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#secret}`, ...headers },
      ...(body !== undefined && { body }),
    });
  }

  nobody(cause: unknown): Failure {
    return new Failure(`There is no server at ${this.base}.`, { cause });
  }
}

export function okay<A extends Answer>(answer: A): A {
  if (answer.status < 400) return answer;
  const [error] = errorsOf(answer);
  throw new Failure(
    error === undefined ? `The service answered ${answer.status}.` : `${error.title}: ${error.detail}`,
  );
}

export function errorsOf({ text }: Answer): readonly ErrorObject[] {
  try {
    return (JSON.parse(text) as { readonly errors?: readonly ErrorObject[] }).errors ?? [];
  } catch {
    return [];
  }
}
