/**
 * Checks answers against the OpenAPI document of the service under test, and the requests that were granted: what the
 * document does not describe is a fault of one of them. It reads what src/modules/contents makes; docs/contributing.md
 * says what to do about a difference.
 */
import { dereference, validate, type Schema } from '@cfworker/json-schema';

/** An answer as it came. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A request as it was sent. */
export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly address: URL;
  readonly mediaType: string;
  /** Null where it had none, or none that is text. */
  readonly text: string | null;
}

type Contents = Readonly<
  Record<
    string,
    {
      readonly schema: Schema | boolean;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, unknown>>;
    }
  >
>;

interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Contents;
}

interface Reference {
  readonly $ref: string;
}

export interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly properties?: object };
  }[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, Reference>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly examples: Readonly<Record<string, unknown>>;
  };
}

/** Documents of a list that are looked at, and characters of a body beyond which only those are. */
const LOOKED_AT = 20;
const LARGE = 100_000;

const BASE = new URL('https://openapi.invalid/');

export class Contract {
  readonly #document: OpenApi;
  readonly #lookup: ReturnType<typeof dereference> = {};
  /** Paths with parameters, as patterns, the most specific first. */
  readonly #patterns: readonly (readonly [RegExp, string])[];
  readonly #paths = new Map<string, string | null>();

  constructor(document: OpenApi) {
    this.#document = document;
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      dereference(schema, this.#lookup, BASE, `/components/schemas/${name}`);
    }
    this.#patterns = Object.keys(document.paths)
      .toSorted((one, other) => specificity(other) - specificity(one))
      .map((path) => [patternOf(path), path] as const);
  }

  /** What differs, in sentences; none for an answer that is as the document says. */
  faultsOf(method: string, path: string, answer: Answered): readonly string[] {
    const { status, headers, text } = answer;
    // Browsers are answered everywhere alike; a method that a path does not have is no operation of the document.
    if (method === 'OPTIONS') return status === 204 ? [] : [`OPTIONS ${path} answers 204, not ${status}`];
    const codes = codesOf(answer);
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const template = this.#templateOf(asked, path);
    const operation = template === null ? undefined : this.#document.paths[template]?.[asked];
    if (operation === undefined || template === null) return this.#outside(method, path, answer, codes);
    const where = `${method} ${template} (${path})`;
    const response = this.#responseOf(operation.responses[status]);
    if (response === undefined) {
      return BEFORE.some((code) => codes.includes(code))
        ? this.#errors(where, text)
        : [`${where} answers ${status} ${codes.join(' ')}, which is not declared. ${mend(codes)}`];
    }
    // Those that every answer of its kind has stand under a name of their own.
    const always = Object.entries(response.headers ?? {}).filter(([, header]) => '$ref' in header);
    const missing = always.map(([name]) => name).filter((name) => !headers.has(name));
    const [content] = Object.values(response.content ?? {});
    const strange = codes.filter(
      (code) => content?.examples !== undefined && !Object.hasOwn(content.examples, code),
    );
    return [
      ...missing.map((name) => `${where} answers ${status} without the header ${name}, which is declared.`),
      ...strange
        .filter((code) => !BEFORE.includes(code))
        .map((code) => `${where} answers ${status} ${code}, which is not declared. ${mend([code])}`),
      // The content of a file is anything.
      ...(Object.hasOwn(response.content ?? {}, '*/*')
        ? []
        : this.#body(where, status, method === 'HEAD' ? '' : text, content?.schema, headers)),
    ];
  }

  /** What differs in a request that the service has granted. */
  faultsOfRequest({ method, address, mediaType, text }: Asked): readonly string[] {
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const path = address.pathname;
    const template = this.#templateOf(asked, path);
    const operation = template === null ? undefined : this.#document.paths[template]?.[asked];
    if (operation === undefined) return [];
    const where = `${method} ${template} (${path}${address.search})`;
    const strange = [...address.searchParams.keys()].filter((name) => !isDeclared(operation, name));
    const faults = strange.map((name) => `${where} takes the parameter ${name}, which is not declared.`);
    if (text === null || text === '' || !mediaType.includes('json') || mediaType.includes('ndjson'))
      return faults;
    const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
    if (content === undefined || type === '*/*') return faults;
    return [...faults, ...this.differences(`${where} takes it, but`, content.schema, JSON.parse(text))];
  }

  /** Before an endpoint is found, and where there is none, there are only refusals. */
  #outside(
    method: string,
    path: string,
    { status, text }: Answered,
    codes: readonly string[],
  ): readonly string[] {
    const where = `${method} ${path}`;
    if (status < 400)
      return [`${where} answers ${status}, but no path and method of the document are these.`];
    if (method === 'HEAD') return [];
    return codes.every((code) => BEFORE.includes(code))
      ? this.#errors(where, text)
      : [`${where} answers ${status} ${codes.join(' ')}, but the document has no such operation.`];
  }

  #body(
    where: string,
    status: number,
    text: string,
    schema: Schema | boolean | undefined,
    headers: Headers,
  ): readonly string[] {
    if (text === '') return [];
    if (schema === undefined) return [`${where} answers ${status} with a body, and none is declared.`];
    const type = headers.get('content-type') ?? '';
    if (!type.includes('json')) return [];
    // Lines of JSON are no JSON: the document says of them that they are text.
    const value = type.includes('ndjson') ? text : shortened(text);
    return this.differences(`${where} ${status}`, schema, value);
  }

  #errors(where: string, text: string): readonly string[] {
    return text === ''
      ? []
      : this.differences(where, this.#document.components.schemas['errors'] ?? {}, JSON.parse(text));
  }

  /** How a value differs from a schema of the document. */
  differences(where: string, schema: Schema | boolean, value: unknown): readonly string[] {
    dereferenceOnce(schema, this.#lookup);
    const { valid } = validate(value, schema, '2020-12', this.#lookup, true);
    if (valid) return [];
    const { errors } = validate(value, schema, '2020-12', this.#lookup, false);
    const told = errors.filter(
      ({ keyword }) => keyword !== 'properties' && keyword !== '$ref' && keyword !== 'items',
    );
    const shown = told.slice(0, 6).map(({ instanceLocation, error }) => `  ${instanceLocation}: ${error}`);
    return [
      `${where}: the body is not as declared.\n${shown.join('\n')}\n  ${JSON.stringify(value).slice(0, 600)}`,
    ];
  }

  /** The most specific path that has the method: a word below a document may also be the name of a relationship. */
  #templateOf(method: string, path: string): string | null {
    const key = `${method} ${path}`;
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const matching = this.#patterns.filter(([pattern]) => pattern.test(path)).map(([, template]) => template);
    const has = (template: string) => this.#document.paths[template]?.[method] !== undefined;
    const found = matching.find(has) ?? matching[0] ?? null;
    this.#paths.set(key, found);
    return found;
  }

  #responseOf(reference: Reference | undefined): Response | undefined {
    const name = reference?.$ref.split('/').at(-1);
    return name === undefined ? undefined : this.#document.components.responses[name];
  }
}

/** Refusals that any path may have, there or not: they come before it is known which endpoint is meant. */
const BEFORE: readonly string[] = [
  'missing-application',
  'missing-api-key',
  'invalid-api-key',
  'operator-required',
  'token-required',
  'forbidden',
  'invalid-path',
  'path-too-long',
  'not-found',
  'method-not-allowed',
  'internal-error',
  'unavailable',
  'data-lost',
  'too-many-requests',
  'rate-exceeded',
];

function mend(codes: readonly string[]): string {
  return codes.length === 0
    ? 'Declare it in `answers` of the endpoint (src/modules/contents/answers.ts).'
    : `Add ${codes.join(', ')} to \`problems\` of the endpoint, or to src/modules/contents/problems.ts.`;
}

/** `page[size]` is a member of `page`, which names its members or takes any. */
function isDeclared({ parameters = [] }: Operation, name: string): boolean {
  const [, family = '', member] = /^([^[]*)(?:\[(.*)\])?$/s.exec(name) ?? [];
  return parameters.some(
    (each) =>
      each.in === 'query' &&
      each.name === family &&
      (member === undefined || each.schema.properties === undefined || member in each.schema.properties),
  );
}

/** Fixed segments count for more than parameters, and parameters with a fixed part for more than others. */
function specificity(path: string): number {
  return path
    .split('/')
    .reduce((sum, segment) => sum * 3 + (segment.includes('{') ? (segment.endsWith('}') ? 0 : 1) : 2), 1);
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    // ACLs of ACLs are those endpoints, too.
    if (segment === '{type}.acl') return '[^/]+?\\.acl(?:\\.acl)?';
    return segment.startsWith('{') ? '[^/]+' : segment.replaceAll('.', '\\.');
  });
  return new RegExp(`^${segments.join('/')}$`);
}

function codesOf({ status, text }: Answered): readonly string[] {
  if (status < 400 || !text.startsWith('{')) return [];
  const { errors = [] } = JSON.parse(text) as { readonly errors?: readonly { readonly code?: string }[] };
  return [...new Set(errors.map(({ code = 'none' }) => code))];
}

/** The body, and of a large list only its first documents. */
function shortened(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (text.length < LARGE || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Array.isArray(member) ? (member as unknown[]).slice(0, LOOKED_AT) : (member as unknown),
    ]),
  );
}

const done = new WeakSet<object>();

/** The schema that a response holds is a reference: it needs its address once. */
function dereferenceOnce(schema: Schema | boolean, lookup: ReturnType<typeof dereference>): void {
  if (typeof schema === 'boolean' || done.has(schema)) return;
  done.add(schema);
  dereference(schema, lookup, BASE, `/responses/${Object.keys(lookup).length}`);
}
