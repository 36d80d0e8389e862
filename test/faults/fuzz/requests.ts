/** Random requests, built from the table of endpoints: right in most parts, and wrong in some. */
import fc from '../../support/fast-check.ts';
import type { Endpoint } from '../../../src/modules/endpoint.ts';
import { ATOMIC_MEDIA_TYPE, MEDIA_TYPE } from '../../support/client.ts';
import { bodyOf } from './bodies.ts';
import { queryOf } from './queries.ts';
import { field, id, mostly, placeholder, type } from './values.ts';

/** A request with placeholders for what the service has answered before. */
export interface Drawn {
  /** The endpoint that was meant. */
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const contentType = fc.oneof(
  { weight: 25, arbitrary: fc.constant(MEDIA_TYPE) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json',
      `${MEDIA_TYPE}; charset=utf-8`,
      `${MEDIA_TYPE};profile="x"`,
      ATOMIC_MEDIA_TYPE,
      'x',
      '',
    ),
  },
);

const tag = mostly(placeholder('tag'), 12);
const tags = fc.oneof(
  { weight: 6, arbitrary: tag },
  { weight: 1, arbitrary: fc.tuple(tag, tag).map((both) => both.join(', ')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('*', '""', '"x"', 'W/"AAAA"', 'x', '"', '"AAAA"x', `"${'A'.repeat(9000)}"`),
  },
);

const authorization = fc.oneof(
  { weight: 6, arbitrary: placeholder('token').map((each) => `Token ${each}`) },
  { weight: 1, arbitrary: mostly(placeholder('token'), 1).map((each) => `Token ${each}`) },
  { weight: 1, arbitrary: placeholder('id').map((each) => `External <base64 id:${each}>`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'Basic',
      'Basic !',
      'Bearer a.b.c',
      'External x',
      'Token',
      `Bearer ${'o'.repeat(40)}`,
    ),
  },
);

function headersOf(endpoint: Endpoint): fc.Arbitrary<Readonly<Record<string, string>>> {
  const { body, extension } = endpoint;
  return fc
    .record(
      {
        'content-type':
          body === undefined
            ? fc.constant('')
            : extension === undefined
              ? contentType
              : fc.oneof(
                  { weight: 20, arbitrary: fc.constant(ATOMIC_MEDIA_TYPE) },
                  { weight: 1, arbitrary: contentType },
                ),
        accept: fc.constantFrom(
          '*/*',
          MEDIA_TYPE,
          'application/*',
          `${MEDIA_TYPE};profile="http://127.0.0.1/profiles/extended-json"`,
          ATOMIC_MEDIA_TYPE,
          'text/html',
          ';',
          `${MEDIA_TYPE};q=0`,
        ),
        'if-match': tags,
        'if-none-match': tags,
        authorization,
        'api-key': mostly(placeholder('key'), 12),
        'x-request-id': fc.constantFrom('mine', 'a b', 'x'.repeat(300)),
        'foredge-explain': fc.constantFrom('x', 'o'.repeat(40)),
        origin: fc.constantFrom('https://app.example.com', 'null'),
      },
      { requiredKeys: ['content-type'] },
    )
    .chain((headers) => {
      const others = Object.entries(headers).filter(([name]) => name !== 'content-type');
      // Most requests have no headers of their own.
      const some = fc.oneof(
        { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
        { weight: 2, arbitrary: fc.subarray(others, { maxLength: Math.min(2, others.length) }) },
      );
      // Only the operator reads and makes applications; nobody deletes one that others are in.
      const operator: [string, string][] = endpoint.path.startsWith('/applications')
        ? [['authorization', 'Bearer <operator:0>']]
        : [];
      return some.map((own) =>
        Object.fromEntries([...operator, ...own, ['content-type', headers['content-type']]]),
      );
    })
    .map((headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')));
}

/** The address of an endpoint with its parameters filled in, and the type that it names. */
function addressOf({ path }: Endpoint): fc.Arbitrary<{ readonly path: string; readonly own: string }> {
  return fc.record({ type, id, field }).map(({ type: each, id: one, field: name }) => {
    const isAggregate = path.startsWith('/aggregates/{type}');
    const named = isAggregate
      ? 'agt.sums'
      : path.includes('{type}.acl')
        ? each.replace(/\.acl.*$/, '')
        : each;
    const typed = path.replace('{type}', encodeURIComponent(named));
    const own = decodeURIComponent(typed.split('/')[2] ?? '');
    const stored = own.replace(/(\.acl)+$/, '');
    const known = one.replace('<id:', isAggregate ? '<aggregate:' : `<of ${stored}:`);
    const filled = typed
      .replace('{id}', one.startsWith('<') ? known : encodeURIComponent(one))
      .replace('{name}', encodeURIComponent(name.toWellFormed()));
    return { path: filled, own };
  });
}

const method = (meant: string) =>
  fc.oneof(
    { weight: 25, arbitrary: fc.constant(meant) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS') },
  );

function requestTo(endpoint: Endpoint): fc.Arbitrary<Drawn> {
  return addressOf(endpoint).chain(({ path, own }) =>
    fc
      .record({
        method: method(endpoint.method),
        path: mostly(fc.constant(path), 30),
        query: queryOf(endpoint),
        headers: headersOf(endpoint),
        body: bodyOf(endpoint, own),
      })
      .map(({ query, path: address, ...rest }) => ({
        ...rest,
        endpoint: `${endpoint.method} ${endpoint.path}`,
        path: `${address}${query}`,
      })),
  );
}

/** A request to any of the endpoints. */
export function anyRequest(endpoints: readonly Endpoint[]): fc.Arbitrary<Drawn> {
  return fc.oneof(...endpoints.map(requestTo));
}
