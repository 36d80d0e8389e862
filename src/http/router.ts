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
  /** By the number of segments and the first one, which is the module: the cheapest test, and most endpoints fail it. */
  readonly #byModule: ReadonlyMap<string, readonly Compiled[]>;

  constructor(endpoints: readonly Endpoint[]) {
    const compiled = endpoints.map((endpoint) => ({ endpoint, steps: stepsOf(endpoint.path) }));
    this.#byModule = Map.groupBy(compiled, ({ steps }) => {
      const [module] = steps;
      if (module === undefined || !('literal' in module)) throw new Error('A path begins with its module.');
      return `${steps.length} ${module.literal}`;
    });
  }

  route(method: string, segments: readonly string[]): Route {
    const candidates = this.#byModule.get(`${segments.length} ${segments[0] ?? ''}`) ?? [];
    const wanted = method === 'HEAD' ? 'GET' : method;
    for (const { endpoint, steps } of candidates) {
      if (endpoint.method !== wanted) continue;
      const parameters = bind(endpoint, steps, segments);
      if (parameters !== undefined) return { kind: 'found', endpoint, parameters };
    }
    const others = candidates.filter(({ endpoint, steps }) => bind(endpoint, steps, segments) !== undefined);
    if (others.length === 0) return { kind: 'none' };
    return { kind: 'method', allow: allowed(others.map(({ endpoint }) => endpoint.method)) };
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
  let index = 0;
  for (const step of steps) {
    const segment = segments[index] ?? '';
    index += 1;
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
