/** The operator's endpoints for what is inside of an application, as the commands use them. */
import { Failure } from '../failure.ts';
import type { Operator } from '../operator.ts';

export interface User {
  readonly type: string;
  readonly id: string;
  /** What tells people who it is; '' for nothing. */
  readonly name: string;
}

/** What there is of a person, or what was erased of that, by type. */
export interface Traces {
  readonly types: readonly { readonly name: string; readonly owned: number; readonly named: number }[];
  readonly more: boolean;
  /** The types whose history still names them, because it is held. */
  readonly held?: readonly string[];
}

interface Finding {
  readonly document: string;
  readonly pointer: string;
  readonly detail: string;
}

interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

interface List {
  readonly data: readonly Resource[];
  readonly meta: { readonly count: number };
}

const HOLDERS = ['core.user', 'core.external-user'];

/** Documents that one request deletes. */
const AT_ONCE = 500;

export class Inside {
  readonly #operator: Operator;
  readonly #path: string;

  constructor(operator: Operator, application: string) {
    this.#operator = operator;
    this.#path = `/${encodeURIComponent(application)}`;
  }

  /** What is stored, and would not be taken now. */
  async findings(): Promise<readonly Finding[]> {
    const { meta } = (await this.#operator.ask('GET', `${this.#path}/findings`)) as {
      readonly meta: { readonly findings: readonly Finding[] };
    };
    return meta.findings;
  }

  async *users(): AsyncGenerator<User> {
    for (const type of HOLDERS) {
      for await (const { id, attributes } of this.#operator.all(`${this.#path}/users/${type}`))
        yield { type, id, name: nameIn(attributes) };
    }
  }

  async endTokens(user: string): Promise<void> {
    await this.#ofUser(user, (path) => this.#operator.ask('DELETE', `${path}/tokens`));
  }

  /** What there is of a person. */
  async traces(user: string): Promise<Traces> {
    return this.#ofUser(user, async (path) => tracesIn(await this.#operator.ask('GET', `${path}/data`)));
  }

  /** Erases some of that. */
  async erase(user: string): Promise<Traces> {
    return this.#ofUser(user, async (path) => tracesIn(await this.#operator.ask('DELETE', `${path}/data`)));
  }

  /** How many documents of a type a filter finds, and the first of them. */
  async matching(
    type: string,
    filter: string,
    first: number,
  ): Promise<{ readonly count: number; readonly documents: readonly Resource[] }> {
    const { data, meta } = await this.#list(type, filter, first);
    return { count: meta.count, documents: data };
  }

  /** Deletes the first documents that a filter finds, and tells how many; 0 where there are none. */
  async deleteSome(type: string, filter: string): Promise<number> {
    const { data } = await this.#list(type, filter, AT_ONCE);
    const last = data.at(-1);
    if (last === undefined) return 0;
    const upTo = JSON.stringify({ $lte: { $oid: last.id } });
    const query = new URLSearchParams([
      ['filter[*]', filter],
      ['filter[id]', upTo],
    ]);
    const limit = 2 * AT_ONCE;
    const path = `${this.#path}/resources/${encodeURIComponent(type)}?${query.toString()}`;
    const { meta } = (await this.#operator.ask('DELETE', path, { meta: { limit } })) as {
      readonly meta: { readonly count: number };
    };
    return meta.count;
  }

  async #list(type: string, filter: string, size: number): Promise<List> {
    const query = new URLSearchParams([
      ['filter[*]', filter],
      ['sort', 'id'],
      ['page[size]', String(size)],
      ['page[number]', '1'],
    ]);
    const path = `${this.#path}/resources/${encodeURIComponent(type)}?${query.toString()}`;
    return (await this.#operator.ask('GET', path)) as List;
  }

  /** A user of either type: ids do not say which. */
  async #ofUser<T>(user: string, ask: (path: string) => Promise<T>): Promise<T> {
    const [first = '', ...others] = HOLDERS.map(
      (type) => `${this.#path}/users/${type}/${encodeURIComponent(user)}`,
    );
    try {
      return await ask(first);
    } catch (error) {
      const [other] = others;
      if (!(error instanceof Failure) || other === undefined) throw error;
      return await ask(other);
    }
  }
}

function tracesIn(answer: unknown): Traces {
  return (answer as { readonly meta: Traces }).meta;
}

function nameIn(attributes: Resource['attributes']): string {
  const name = attributes?.['username'] ?? attributes?.['name'];
  return typeof name === 'string' ? name : '';
}
