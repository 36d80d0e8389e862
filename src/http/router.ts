/** Which endpoint a path and a method mean. Pure; made once from the table of endpoints. */
import { faultOfFieldName } from '../domain/wrappers.ts';
import { isId } from '../domain/documents.ts';
import type { Endpoint, PathParameters } from '../modules/endpoint.ts';

export type Route =
  | { readonly kind: 'found'; readonly endpoint: Endpoint; readonly parameters: PathParameters }
  /** The path is known, the method is not. */
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

type Step = { readonly literal: string } | { readonly parameter: keyof PathParameters };

interface Compiled {
  readonly endpoint: Endpoint;
  readonly steps: readonly Step[];
}

export class Router {
  /** By the number of segments: the cheapest test that most endpoints fail. */
  readonly #byLength: ReadonlyMap<number, readonly Compiled[]>;

  constructor(endpoints: readonly Endpoint[]) {
    const compiled = endpoints.map((endpoint) => ({ endpoint, steps: stepsOf(endpoint.path) }));
    this.#byLength = Map.groupBy(compiled, ({ steps }) => steps.length);
  }

  route(method: string, segments: readonly string[]): Route {
    const candidates = this.#byLength.get(segments.length) ?? [];
    const matching = candidates.flatMap(({ endpoint, steps }) => {
      const parameters = bind(endpoint, steps, segments);
      return parameters === undefined ? [] : [{ endpoint, parameters }];
    });
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = matching.find(({ endpoint }) => endpoint.method === wanted);
    if (found !== undefined) return { kind: 'found', ...found };
    if (matching.length === 0) return { kind: 'none' };
    return { kind: 'method', allow: allowed(matching.map(({ endpoint }) => endpoint.method)) };
  }
}

/** The methods for an `Allow` header: HEAD comes with GET, OPTIONS always. */
function allowed(methods: readonly string[]): readonly string[] {
  const all = new Set(methods);
  if (all.has('GET')) all.add('HEAD');
  return [...all.add('OPTIONS')].sort();
}

function stepsOf(path: string): readonly Step[] {
  return path
    .slice(1)
    .split('/')
    .map((segment) => {
      // `{type}.acl` is a type too: `serves` tells which.
      const [, parameter] = /^\{(type|id|name)\}/.exec(segment) ?? [];
      return parameter === 'type' || parameter === 'id' || parameter === 'name'
        ? { parameter }
        : { literal: segment };
    });
}

function bind(
  endpoint: Endpoint,
  steps: readonly Step[],
  segments: readonly string[],
): PathParameters | undefined {
  const bound = { type: segments[1] ?? '', id: '', name: '' };
  for (const [index, step] of steps.entries()) {
    const segment = segments[index] ?? '';
    if ('literal' in step) {
      if (step.literal !== segment) return undefined;
    } else {
      if (!fits(endpoint, step.parameter, segment)) return undefined;
      bound[step.parameter] = segment;
    }
  }
  return bound;
}

function fits(endpoint: Endpoint, parameter: keyof PathParameters, segment: string): boolean {
  switch (parameter) {
    case 'type':
      return endpoint.serves?.(segment) ?? true;
    case 'id':
      return endpoint.knowsId?.(segment) ?? isId(segment);
    case 'name':
      return faultOfFieldName(segment) === undefined;
  }
}
