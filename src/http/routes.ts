/**
 * Hono's routes from the table of endpoints: a sub-application for each module, and the answer when no route takes a
 * request. The table decides which of several endpoints at one path applies, and whether a segment is valid: a route
 * that does not apply passes the request on.
 */
import { Hono, type Context, type MiddlewareHandler, type NotFoundHandler } from 'hono';
import type { Caller } from '../auth/identify.ts';
import { isId, storedId } from '../domain/ids.ts';
import { fail } from '../domain/problems.ts';
import { hintOf, shownName } from '../domain/names.ts';
import { coreTypesThat } from '../domain/types/facts.ts';
import { storedType } from '../domain/types.ts';
import { isFieldName } from '../domain/field-names.ts';
import { audienceOf, type Endpoint } from '../modules/endpoint.ts';
import { ENDPOINTS } from '../modules/endpoints.ts';
import { PathParameters } from '../modules/path-parameters.ts';
import { replyOfProblems } from './answer.ts';
import { preflight } from './headers.ts';
import type { Serving, Types } from './types.ts';

/** The routes of a module, to be mounted at the first segment of its paths. `handlerOf` tells what serves one. */
export function routesOf(
  endpoints: readonly Endpoint[],
  handlerOf: (endpoint: Endpoint) => Serving,
): Hono<Types> {
  const routes = new Hono<Types>();
  for (const endpoint of endpoints) {
    const handler = handlerOf(endpoint);
    routes.on(endpoint.method, patternOf(endpoint), (c, next) => {
      const parameters = parametersOf(endpoint, c, c.get('caller'));
      if (parameters === undefined) return next();
      c.set('parameters', parameters);
      c.set('route', endpoint.path);
      return handler(c);
    });
  }
  for (const [pattern, each] of Map.groupBy(endpoints, patternOf)) routes.all(pattern, noteMethods(each));
  return routes;
}

/** 405 with the methods of the path, or 404; and what OPTIONS answers. */
export const noEndpoint: NotFoundHandler<Types> = (c) => {
  const allow = c.get('allow');
  if (allow?.has('GET') === true) allow.add('HEAD');
  const methods = allow && { Allow: [...allow, 'OPTIONS'].sort().join(', ') };
  if (c.req.method === 'OPTIONS') return c.render(preflight(methods));
  const { path } = c.get('caller');
  if (methods === undefined) {
    return c.render(replyOfProblems(fail('not-found', noEndpointAt(path)).problems));
  }
  const segments = path.split('/').slice(1);
  const lacksBulk = MANY.has(c.req.method) && segments[0] === 'resources' && segments.length === 2;
  const cure = lacksBulk
    ? ` It does for keys whose permission has bulk beside ${c.req.method.toLowerCase()} among its methods: ` +
      'these change or delete many documents.'
    : '';
  const detail = `The endpoint ${path} does not know the method ${c.req.method}.${cure}`;
  const refusal = fail('method-not-allowed', detail);
  return c.render(replyOfProblems(refusal.problems, methods));
};

/** The methods that a collection has for keys with `bulk` alone. */
const MANY: ReadonlySet<string> = new Set(['PATCH', 'DELETE']);

/** Why there is nothing at a path: a word in it that the service owns may be meant to be another. */
function noEndpointAt(path: string): string {
  const detail = `There is no endpoint ${shownName(path)}.`;
  const [, module = '', type = ''] = path.split('/');
  if (!MODULES.includes(module)) {
    return `${detail}${hintOf(
      `/${module}`,
      MODULES.map((each) => `/${each}`),
    )}`;
  }
  const types = coreTypesThat((facts) => facts.module === module);
  return types.includes(type) ? detail : `${detail}${hintOf(type, types)}`;
}

/** The first segments of paths, for callers with a key. */
const MODULES: readonly string[] = [
  ...new Set(
    ENDPOINTS.filter((each) => audienceOf(each) === 'application').map(
      ({ path }) => path.split('/')[1] ?? '',
    ),
  ),
];

/**
 * Passes the request on, and notes the methods of the path. Hono's `methodNotAllowed` only knows the forms of paths: it
 * would answer 405 where no endpoint serves the type, or the segment cannot be an id.
 */
function noteMethods(endpoints: readonly Endpoint[]): MiddlewareHandler<Types> {
  return (c, next) => {
    const asker = c.req.method === 'OPTIONS' ? anybody(c.req.param('id')) : c.get('caller');
    const methods = endpoints
      .filter((endpoint) => parametersOf(endpoint, c, asker) !== undefined)
      .map(({ method }) => method);
    if (methods.length > 0) c.set('allow', new Set([...(c.get('allow') ?? []), ...methods]));
    return next();
  };
}

/** What decides whether an endpoint takes a request, beside the path. */
type Asker = Pick<Caller, 'me' | 'bulk'>;

/** Who asks for methods without credentials: `me` stands for some id. */
function anybody(id: string | undefined): Asker {
  return { me: id === 'me' ? '0'.repeat(24) : null, bulk: false };
}

/** The form of a path within its module, as Hono writes it. `{type}.acl` is a type, too: `serves` decides which. */
function patternOf({ path }: Endpoint): string {
  const [, , ...segments] = path.split('/');
  return `/${segments.map((segment) => segment.replace(/^\{(type|id|name|user|number)\}.*$/, ':$1')).join('/')}`;
}

/** The parameters of an endpoint from the segments of a path; undefined when a segment does not fit. */
function parametersOf(endpoint: Endpoint, c: Context<Types>, caller: Asker): PathParameters | undefined {
  const given = (name: string) => (endpoint.path.includes(`{${name}}`) ? c.req.param(name) : undefined);
  const [type, id, name] = [given('type'), caller.me ?? given('id'), given('name')];
  // Other ids are in lower case already.
  const [user, number] = [given('user')?.toLowerCase(), given('number')];
  const fits =
    (endpoint.bulk !== true || caller.bulk) &&
    (type === undefined || (endpoint.serves?.(type) ?? true)) &&
    (id === undefined || (endpoint.knowsId?.(id) ?? isId(id)));
  if (!fits || !(name === undefined || isFieldName(name))) return undefined;
  if (user !== undefined && !isId(user)) return undefined;
  if (number !== undefined && !/^[1-9][0-9]{0,14}$/.test(number)) return undefined;
  return new PathParameters(storedType(type ?? endpoint.path.split('/')[2] ?? ''), {
    ...{ id: id === undefined ? id : storedId(id), name, user },
    number: number === undefined ? undefined : Number(number),
  });
}
