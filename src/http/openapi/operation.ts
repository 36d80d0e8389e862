/** An endpoint of the table as an operation of OpenAPI: what it takes, what it answers, and how it refuses. */
import { PROBLEMS, type ProblemCode } from '../../domain/problems.ts';
import { mapFields } from '../../domain/values/tree.ts';
import type { AnswerContent } from '../../modules/contents/example.ts';
import { ANSWERS } from '../../modules/contents/answers.ts';
import { BODIES, type Body } from '../../modules/contents/bodies.ts';
import {
  PARAMETERS,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type ResponseHeader,
} from '../../modules/contents/parameters.ts';
import { problemsOf } from '../../modules/contents/problems.ts';
import { named, type Json } from '../../modules/contents/schema.ts';
import type { Subject } from '../../modules/contents/subjects.ts';
import { audienceOf, type Audience, type Endpoint } from '../../modules/endpoint.ts';
import { PREFERENCES } from '../../modules/preferences.ts';
import { FORM, CSV, EVENTS, LINES, mediaTypeOf, MEDIA_TYPE } from '../negotiation.ts';
import type { Shared } from './shared.ts';

export type Members = Readonly<Record<string, Json | undefined>>;

/** How callers say who they are, by the names of the security schemes. */
const CALLERS: readonly Members[] = [
  { 'application-id': [], 'api-key': [] },
  { 'application-id': [], 'api-key': [], token: [] },
];

export function operationOf(endpoint: Endpoint, subject: Subject, tag: string, shared: Shared): Members {
  const { method, path, summary, extension, lines, content, file, answers } = endpoint;
  const media = (part: typeof lines) =>
    content === 'stream' && part === 'body'
      ? 'application/offset+octet-stream'
      : part === content
        ? '*/*'
        : part === 'answer' && file !== undefined
          ? file
          : lines === part
            ? LINES
            : mediaTypeOf(extension);
  return {
    operationId: `${method.toLowerCase()} ${path}`.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/-$/, ''),
    ...summaryOf(summary),
    tags: [tag],
    security: securityOf(audienceOf(endpoint), endpoint.logins),
    ...parametersOf(endpoint, subject),
    ...requestBodyOf(endpoint, subject, media('body'), shared),
    responses: {
      ...mapFields(answers, (answer) =>
        shared.response(`${answer}.${subject.name}`, success(answer, subject, media('answer'), shared)),
      ),
      ...refusalsOf(problemsOf(endpoint), shared),
    },
  };
}

/** Its first clause is shown in lists. */
function summaryOf(text: string): Members {
  const [first = text] = text.split(/[:;]/);
  return { summary: first.replaceAll('`', ''), ...(first !== text && { description: `${text}.` }) };
}

export function securityOf(audience: Audience, logins?: Endpoint['logins']): readonly Members[] {
  if (audience === 'operator') return [{ operator: [] }];
  return logins?.map((scheme) => ({ 'application-id': [], 'api-key': [], [scheme]: [] })) ?? CALLERS;
}

/** What stands in a path. */
const SEGMENTS: Readonly<Record<string, Members>> = {
  type: { description: 'The type of the documents.', schema: { type: 'string' } },
  id: {
    description: 'The id of the document: 24 hexadecimal digits, or `me` for the user behind the token.',
    schema: { type: 'string' },
  },
  user: { description: 'The id of a user of the application.', schema: { type: 'string' } },
  name: { description: 'The name of a relationship.', schema: { type: 'string' } },
  number: {
    description: 'The number of a version of the document.',
    schema: { type: 'integer', minimum: 1 },
  },
};

function parametersOf(endpoint: Endpoint, subject: Subject): Members {
  const { path, parameters = [], headers = [], preferences = [] } = endpoint;
  const examples: Readonly<Record<string, string | number>> = {
    type: subject.example.type,
    id: subject.example.id,
    name: 'author',
    user: subject.example.id,
    number: 2,
  };
  const all: readonly Members[] = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      ...SEGMENTS[name],
      example: examples[name],
    })),
    ...parameters.map((family) => {
      const { name = family, description, schema, example } = PARAMETERS[family];
      const isObject = schema['type'] === 'object';
      return {
        name,
        in: 'query',
        description,
        style: isObject ? 'deepObject' : 'form',
        explode: isObject,
        schema,
        examples: { example: { value: family === 'fields' ? fieldsOf(subject) : example } },
      };
    }),
    ...headers.map((name) => {
      const { description, schema } = REQUEST_HEADERS[name];
      return { name, in: 'header', description, schema };
    }),
    ...(preferences.length === 0
      ? []
      : [
          {
            name: 'Prefer',
            in: 'header',
            description: preferences.map((name) => PREFERENCES[name].says).join(' '),
            schema: { type: 'string' },
          },
        ]),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

/** Some fields of the documents that the endpoint is about. */
function fieldsOf({ example: { type, shown } }: Subject): Json {
  const names = Object.keys(shown).slice(0, 2);
  return { [type]: names.length === 0 ? 'title' : names.join(',') };
}

function requestBodyOf({ body }: Endpoint, subject: Subject, media: string, shared: Shared): Members {
  if (body === undefined) return {};
  const { schema, example, form }: Body = BODIES[body];
  const content = {
    schema: shared.schema(`${body}.${subject.name}`, schema(subject)),
    example: example(subject),
  };
  const forms = form === undefined ? {} : { [FORM]: { schema: form } };
  return { requestBody: { required: true, content: { [media]: content, ...forms } } };
}

function success(answer: keyof typeof ANSWERS, subject: Subject, media: string, shared: Shared): Members {
  const { says, headers, sometimes, events, csv, schema, example }: AnswerContent = ANSWERS[answer];
  return {
    description: says.charAt(0).toUpperCase() + says.slice(1),
    headers: headersOf(headers, sometimes),
    ...(schema !== undefined && {
      content: {
        [media]: {
          schema: shared.schema(`${answer}.${subject.name}`, schema(subject)),
          ...(example !== undefined && { example: example(subject) }),
        },
        ...(events !== undefined && { [EVENTS]: { schema: { type: 'string', description: events } } }),
        ...(csv === true && { [CSV]: { schema: { type: 'string' } } }),
      },
    }),
  };
}

/** Every answer has an id. */
export function headersOf(
  names: readonly ResponseHeader[],
  sometimes: readonly ResponseHeader[] = [],
): Members {
  return Object.fromEntries([
    ...(['X-Request-Id', ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ...sometimes.map((name) => [name, { schema: RESPONSE_HEADERS[name] }]),
  ]) as Members;
}

const OF_STATUS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
};

/** Refusals by status: each has an example for every code that it may have. */
export function refusalsOf(codes: readonly ProblemCode[], shared: Shared): Members {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code][0]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, of]) => {
      const sorted = of.toSorted();
      const refusal = {
        description: sorted.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}.`).join(' '),
        headers: headersOf(OF_STATUS[status] ?? []),
        content: {
          [MEDIA_TYPE]: {
            schema: named('errors'),
            examples: Object.fromEntries(
              sorted.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      };
      return [status, shared.response(String(status), refusal)];
    }),
  );
}
