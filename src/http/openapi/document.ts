/**
 * The OpenAPI document of the service, made from the tables that it runs on: endpoints, what they carry, problems,
 * pages; and of an application, also its own types.
 */
import { MODULE_TITLES, ANY, OUTPUT, subjectOf, type Subject } from '../../modules/contents/subjects.ts';
import { errorObject, PROBLEMS, type ProblemCode } from '../../domain/problems.ts';
import { mapFields } from '../../domain/values/tree.ts';
import { EXAMPLE_BASE } from '../../modules/contents/answers.ts';
import { ENVELOPE, resourceOf } from '../../modules/contents/envelope.ts';
import { RESPONSE_HEADERS } from '../../modules/contents/parameters.ts';
import type { Json } from '../../modules/contents/schema.ts';
import type { Endpoint, LoginScheme } from '../../modules/endpoint.ts';
import { ENDPOINTS, MODULES } from '../../modules/endpoints.ts';
import type { DescribedTypes } from '../../modules/schemas/described.ts';
import { operationOf, type Members } from './operation.ts';
import { PAGES, pathsOfPages, type PageContent } from './pages.ts';
import { Shared } from './shared.ts';

type Name = 'application-id' | 'api-key' | 'token' | 'operator' | LoginScheme;

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** How callers say who they are. */
const SECURITY = {
  'application-id': header('application-id', 'The id of the application.'),
  'api-key': header('api-key', 'The `secure-id` of one of its API keys.'),
  token: header('Authorization', '`Token <token>`: the user behind the request, after a login.'),
  password: { type: 'http', scheme: 'basic', description: 'The name and the password of a user.' },
  refresh: header('Authorization', '`Refresh <refresh token>` of a login.'),
  'external-user': header('Authorization', '`External <base64 of id:ID>`, with the id of an external user.'),
  'id-token': { type: 'http', scheme: 'bearer', description: 'An id token of the OpenID Connect issuer.' },
  operator: { type: 'http', scheme: 'bearer', description: 'The operator secret.' },
} as const satisfies Readonly<Record<Name, unknown>>;

interface Described {
  /** The start of addresses: scheme, host, port, and the path of a public address. */
  readonly base: string;
  /** By path. */
  readonly pages: Readonly<Record<string, PageContent>>;
  /** The types of an application that have schemas; none without its credentials. */
  readonly types: DescribedTypes;
}

/** An endpoint, what its documents are, and the group it is shown in. */
interface Listed {
  readonly endpoint: Endpoint;
  readonly subject: Subject;
  readonly tag: string;
}

export function openApiOf({ base, pages, types }: Described): Members {
  const listed = [...endpointsOfTypes(types), ...ENDPOINTS.map((endpoint) => listedOf(endpoint, types))];
  const subjects = [ANY, OUTPUT, ...listed.map(({ subject }) => subject)];
  const shared = new Shared({
    ...ENVELOPE,
    ...types.components,
    ...Object.fromEntries(
      subjects.map((subject) => [
        subject.name,
        { description: subject.says, ...resourceOf(subject.type, subject.shown) },
      ]),
    ),
  });
  const paths: Record<string, Record<string, Json | undefined>> = {};
  for (const { endpoint, subject, tag } of listed) {
    const operation = operationOf(endpoint, subject, tag, shared);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation };
  }
  const all = { ...paths, ...pathsOfPages(pages, shared) };
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: base }],
    tags: [...Array.from(types.resources.keys(), tagOfType), ...Object.values(MODULE_TITLES), PAGES].map(
      (name) => ({ name }),
    ),
    paths: all,
    components: {
      ...shared.components,
      headers: mapFields(RESPONSE_HEADERS, (schema) => ({ required: true, schema })),
      examples: EXAMPLES,
      securitySchemes: SECURITY,
    },
  };
}

const INFO: Members = {
  title: 'Foredge',
  version: '0.2.0',
  summary: 'A document store with a JSON:API over HTTP.',
  description: [
    'Every path with `GET` also has `HEAD`, which answers the same without a body, ' +
      'and every path answers `OPTIONS` with `Allow`.',
    'A method that a path does not have is 405 with `Allow`.',
    'Send the headers `application-id` and `api-key` with every request, ' +
      'and `Authorization: Token …` where a user counts.',
  ].join(' '),
  license: { name: 'MIT', identifier: 'MIT' },
};

const EXAMPLES: Members = Object.fromEntries(
  Object.keys(PROBLEMS).map((name) => {
    const code = name as ProblemCode;
    const [, title] = PROBLEMS[code];
    return [
      code,
      { summary: title, value: { errors: [errorObject({ code, detail: `${title}.` }, EXAMPLE_BASE)] } },
    ];
  }),
);

function listedOf(endpoint: Endpoint, { core }: DescribedTypes): Listed {
  const [, module = '', segment = ''] = endpoint.path.split('/');
  // A related document may be of any type, and so may those that clients choose.
  const isAny = /\/\{name\}$|.\/core\..*\/\{type\}$/.test(endpoint.path);
  const type = isAny ? null : (endpoint.documents ?? segment);
  const output = module === 'aggregates' && segment === '{type}' && type !== null;
  const subject = output ? OUTPUT : type === null ? ANY : (core.get(type) ?? subjectOf(type));
  return { endpoint, subject, tag: MODULE_TITLES[module] ?? module };
}

/** The group of a type of an application: no module has such a name. */
function tagOfType(type: string): string {
  return `/resources/${type}`;
}

/** The endpoints of collections and documents, written out for each type that has a schema. */
function endpointsOfTypes({ resources }: DescribedTypes): readonly Listed[] {
  const general = MODULES.resources.filter(({ path }) => /^\/resources\/\{type\}(\/\{id\})?$/.test(path));
  return Array.from(resources).flatMap(([type, subject]) =>
    general.map((endpoint) => ({
      endpoint: { ...endpoint, path: endpoint.path.replace('{type}', type) },
      subject,
      tag: tagOfType(type),
    })),
  );
}
