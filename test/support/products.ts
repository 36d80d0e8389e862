/**
 * What the tests of products share: people who use a client of the API, and what a malicious one comes to. Each attempt
 * has one outcome that the product promises; a snapshot by the trusted key tells whether anything has changed.
 */
import { expect } from 'vitest';
import type { Client, Link, Options, Reply } from './client.ts';
import { operateWith, type Operation, type Results } from './operations.ts';
import type { Person } from './people.ts';

/** Paths of one document, for the patterns of permissions. */
export const ONE = '/[0-9a-f]{24}';

/** The user of the request, as the value of a link in a rule. */
export const VIEWER = { type: '$$viewer.type', id: '$$viewer.id' };

/** A permission with a rule, without ACL. */
export const may = (methods: string, path: string, rule: object = {}) => ({
  path,
  methods: methods.split(' '),
  ...rule,
});

/** The login, which every public client needs. */
export const LOG_IN = may('post', '/users/core\\.user\\.token');

/** A link as the value of a relationship. */
export const to = (...[one, ...more]: readonly Link[]) => ({
  data: one === undefined ? null : more.length === 0 ? linkTo(one) : [one, ...more].map(linkTo),
});

/** Type and id of something. */
const linkTo = ({ type, id }: Link): Link => ({ type, id });

export const at = ({ type, id }: Link, rest = ''): string => `/resources/${type}/${id}${rest}`;

/** The members of a change: attributes, or operators. */
export const set = (attributes: object) => ({ attributes });
export const doing = (update: object) => ({ meta: { update } });

/** A list that meets a filter. */
export const found = (type: string, filter: object, rest = ''): string =>
  `/resources/${type}?filter[*]=${encodeURIComponent(JSON.stringify(filter))}${rest}`;

/** Somebody, or nobody, with a client. */
export class Member {
  readonly #client: Client;
  readonly #headers: Readonly<Record<string, string>>;
  readonly link: Link;

  constructor(client: Client, { link, headers }: Person) {
    this.#client = client;
    this.#headers = headers;
    this.link = link;
  }

  send(method: string, path: string, body?: unknown, headers?: Options['headers']): Promise<Reply> {
    return this.#client.send(method, path, {
      headers: { ...this.#headers, ...headers },
      ...(body !== undefined && { body }),
    });
  }

  get(path: string, headers?: Options['headers']): Promise<Reply> {
    return this.send('GET', path, undefined, headers);
  }

  /** Creates a document; `more` are other members of its `data`. */
  create(
    type: string,
    attributes: object,
    relationships: object = {},
    { headers, ...more }: { readonly headers?: Options['headers']; readonly meta?: object } = {},
  ): Promise<Reply> {
    const data = { type, attributes, relationships, ...more };
    return this.send('POST', `/resources/${type}`, { data }, headers);
  }

  /** A document that is created, and must be. */
  async make(type: string, attributes: object, relationships: object = {}): Promise<Link> {
    const made = await this.create(type, attributes, relationships);
    if (made.status !== 201) throw new Error(made.text);
    return linkTo(made.body.data);
  }

  /** Changes a document: `data` are members of the body's. */
  change(link: Link, data: object, headers?: Options['headers']): Promise<Reply> {
    return this.send('PATCH', at(link), { data: { ...linkTo(link), ...data } }, headers);
  }

  delete(link: Link, headers?: Options['headers']): Promise<Reply> {
    return this.send('DELETE', at(link), undefined, headers);
  }

  /** Sends a list of operations, of which each is done or not. */
  operate(operations: readonly Operation[], headers?: Options['headers'], atomic = false): Promise<Results> {
    const body = { ...(!atomic && { meta: { atomic } }), 'atomic:operations': operations };
    return operateWith(this.#client, body, { ...this.#headers, ...headers });
  }
}

/** What somebody tries, how, and what comes of it: see `outcomeOf`. */
export type Attempt<T> = readonly [what: string, how: (scene: T) => Promise<Reply>, outcome: string];

/** The status with the codes of errors, the number of matches, or what became of each operation. */
export function outcomeOf({ status, body }: Reply): string {
  const { 'atomic:results': results } = body as { readonly 'atomic:results'?: readonly Done[] };
  const details =
    results?.map(({ meta }) => meta?.errors?.map(({ code }) => code).join('+') ?? 'done') ??
    (body as Partial<typeof body>).errors?.map(({ code }) => code) ??
    ((body as Partial<typeof body>).meta?.count === undefined ? [] : ['of', String(body.meta.count)]);
  return [String(status), ...details].join(' ');
}

interface Done {
  readonly meta?: { readonly errors?: readonly { readonly code: string }[] };
}

/** An attempt comes to what it must, and its answer holds none of the secrets. */
export async function expectRefused<T>(
  scene: T,
  [, how, outcome]: Attempt<T>,
  secrets: readonly string[],
): Promise<void> {
  const reply = await how(scene);
  expect(outcomeOf(reply), reply.text).toBe(outcome);
  // `self` holds the words that the sender asked by.
  const { links, ...rest } = reply.body;
  const text = JSON.stringify({ ...rest, links: { ...links, self: null } });
  for (const secret of secrets) expect(text).not.toContain(secret);
}

/** All that is stored, of these types and of the service's, with rights and times, as a trusted key sees it. */
export async function snapshotOf(trusted: Client, resources: readonly string[]): Promise<unknown> {
  const types = [...resources, ...Object.keys(MODULES)];
  const read = async (path: string) => (await trusted.get(path)).text;
  return Promise.all(
    types.map(async (type) => {
      const module = type.startsWith('core.') ? MODULES[type] : '/resources';
      const list = `${module}/${type}?page[limit]=1000`;
      const { data } = (await trusted.get(list)).body;
      const rights = data.flatMap(({ id }) => [`.acl/${id}`, `.acl.acl/${id}`]);
      const paths = [
        list,
        `${list}&fields[${type}]=$creator,$created,$updated`,
        ...rights.map((each) => `${module}/${type}${each}`),
      ];
      return Promise.all(paths.map(read));
    }),
  );
}

/** The service's own types that are looked at, and where. */
const MODULES: Readonly<Record<string, string>> = {
  'core.user': '/users',
  'core.user-group': '/users',
  'core.api-key': '/api-keys',
  'core.schema': '/schemas',
  'core.type': '/schemas',
  'core.aggregate': '/aggregates',
};

/** Gives a type a schema: these attributes and relationships and no others, one link in each relationship. */
export async function shape(
  trusted: Client,
  target: string,
  attributes: Readonly<Record<string, object>>,
  relationships: Readonly<Record<string, string>>,
  required: readonly string[] = [],
): Promise<void> {
  const links = Object.entries(relationships).map(([name, type]): [string, object] => {
    const data = { type: 'object', properties: { type: { const: type } } };
    return [name, { type: 'object', required: ['data'], properties: { data } }];
  });
  const names = Object.keys(relationships);
  const content = {
    required: [
      ...(required.length > 0 ? ['attributes'] : []),
      ...(names.length > 0 ? ['relationships'] : []),
    ],
    properties: {
      attributes: { properties: attributes, required, additionalProperties: false },
      relationships: { properties: Object.fromEntries(links), required: names, additionalProperties: false },
    },
  };
  await configure(trusted, '/schemas/core.schema', { target, content });
}

/** Stores a document of the service by the operator's key. */
export async function configure(trusted: Client, path: string, attributes: object): Promise<void> {
  const type = path.slice(path.lastIndexOf('/') + 1);
  const made = await trusted.post(path, { data: { type, attributes } });
  if (made.status !== 201) throw new Error(made.text);
}
