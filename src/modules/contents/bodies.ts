/** The bodies of requests: their schemas and examples. An endpoint names its own. */
import { LIMITS } from '../../domain/limits.ts';
import { CORE } from '../../domain/types.ts';
import { LINK_EXAMPLE, rightsOf, SENT_MEMBERS } from './envelope.ts';
import {
  either,
  listOf,
  named,
  NULL,
  objectOf,
  openObjectOf,
  sentObjectOf,
  STRING,
  text,
  type Json,
  type Schema,
} from './schema.ts';
import { PARAMETERS, SIZE_MEMBERS } from './parameters.ts';
import type { Subject } from './subjects.ts';

export interface Body {
  readonly schema: (subject: Subject) => Schema;
  readonly example: (subject: Subject) => Json;
  /** The same as the parts of a form. */
  readonly form?: Schema;
}

const LIMIT = objectOf({
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.bulk,
    description: 'How many documents may be found; if there are more, nothing is done.',
  },
});
const UPDATE = sentObjectOf({ 'update?': named('update-operators') });

/** A document; what libraries send beside it means nothing here. */
const sentDocument = (members: Readonly<Record<string, Schema>>): Schema =>
  sentObjectOf({
    data: sentObjectOf({ ...members, 'links?': { type: 'object' } }),
    ...SENT_MEMBERS,
    'jsonapi?': { type: 'object' },
    'included?': listOf({ type: 'object' }),
  });

export const BODIES = {
  create: {
    schema: ({ type, required, sent, links, demands }) => {
      const attributes = required.length > 0 ? { allOf: [sent, { required }] } : sent;
      const isAsked = required.length > 0 || demands.includes('attributes');
      return sentDocument({
        type,
        'id?': {
          type: ['string', 'null'],
          description: 'Only where the settings of the type let clients choose ids.',
        },
        'lid?': text('A local id, for links within the document.'),
        [isAsked ? 'attributes' : 'attributes?']: attributes,
        [demands.includes('relationships') ? 'relationships' : 'relationships?']: links,
        'meta?': sentObjectOf({ 'acl?': named('new-rights') }),
      });
    },
    example: ({ example }) => ({ data: { type: example.type, attributes: example.attributes } }),
  },
  update: {
    schema: ({ name, type, changed, changedLinks }) =>
      sentDocument({
        type,
        [name === CORE.user || name === CORE.externalUser ? 'id?' : 'id']: text(
          'That of the address, or `me`, which needs none.',
        ),
        'attributes?': changed,
        'relationships?': changedLinks,
        'meta?': UPDATE,
      }),
    example: ({ example: { type, id, attributes } }) => ({
      data: { type, id, attributes: Object.fromEntries(Object.entries(attributes).slice(0, 1)) },
    }),
  },
  'update many': {
    schema: ({ type, changed, changedLinks }) =>
      objectOf({
        meta: LIMIT,
        data: objectOf({
          type,
          'attributes?': changed,
          'relationships?': changedLinks,
          'meta?': UPDATE,
        }),
      }),
    example: ({ example: { type, attributes } }) => ({ meta: { limit: 100 }, data: { type, attributes } }),
  },
  'delete many': {
    schema: () => objectOf({ meta: LIMIT }),
    example: () => ({ meta: { limit: 100 } }),
  },
  redemption: {
    schema: () =>
      objectOf({
        meta: objectOf({
          'code?': text('The six digits of the mail, or the code of its link.'),
          'password?': text('The new one, for reset-password and invite.'),
          'username?': text('For invite.'),
          'response?': { type: 'object', description: 'What the browser made of the options of a passkey.' },
          'name?': text('Of a new passkey.'),
          'callback?': text('The query of the address to which a provider led.'),
        }),
      }),
    example: () => ({ meta: { code: '294613' } }),
  },
  'send again': {
    schema: () =>
      objectOf({ meta: objectOf({ ids: either({ const: '*' }, listOf(STRING, { minItems: 1 })) }) }),
    example: () => ({ meta: { ids: '*' } }),
  },
  question: {
    schema: ({ type }) =>
      objectOf({
        meta: objectOf({
          method: { enum: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] },
          path: text('The path of the request, without its query.'),
          'user?': either(NULL, named('link')),
        }),
        'data?': objectOf(
          { type, id: STRING, attributes: objectOf({ permissions: listOf({ type: 'object' }) }) },
          { description: 'Permissions that the key does not have yet, in the place of its own.' },
        ),
      }),
    example: () => ({
      meta: {
        method: 'GET',
        path: '/resources/articles/6b011e2f6aeea231a557b680',
        user: { type: CORE.user, id: '6b011e2f6aeea231a557b680' },
      },
    }),
  },
  linkage: {
    schema: () => objectOf({ data: named('sent-linkage') }),
    example: () => ({ data: LINK_EXAMPLE }),
  },
  links: {
    schema: () => objectOf({ data: listOf(named('sent-link')) }),
    example: () => ({ data: [LINK_EXAMPLE] }),
  },
  acl: {
    schema: () =>
      objectOf({
        data: objectOf({ type: STRING, id: STRING, 'attributes?': objectOf(rightsOf(named('grant'))) }),
      }),
    example: () => ({
      data: { type: 'articles.acl', id: '6b011e2f6aeea231a557b680', attributes: { read: '*', update: [] } },
    }),
  },
  operations: {
    schema: () =>
      openObjectOf({
        'atomic:operations': listOf(named('operation'), { minItems: 1, maxItems: LIMITS.operations }),
        'meta?': named('atomic'),
      }),
    example: () => ({
      'atomic:operations': [
        { op: 'add', data: { type: 'articles', attributes: { title: 'Dracula' } } },
        { op: 'remove', ref: { type: 'articles', id: '6b011e2f6aeea231a557b680' } },
      ],
    }),
  },
  link: {
    schema: () =>
      objectOf({
        meta: objectOf({
          'until?': {
            type: 'string',
            format: 'date-time',
            description: 'When the link ends: in a week at most.',
          },
          'public?': {
            const: true,
            description: 'In the place of until: as long as everybody may read the file.',
          },
          'download?': { type: 'boolean', description: 'Whether the content is to be saved, and not shown.' },
          ...Object.fromEntries(SIZE_MEMBERS.map((name) => [`${name}?`, PARAMETERS[name].schema])),
        }),
      }),
    example: () => ({ meta: { until: '2026-12-01T00:00:00Z' } }),
  },
  bytes: {
    schema: () => ({}),
    example: () => 'Hello',
  },
  contents: {
    schema: () =>
      objectOf({
        meta: objectOf({
          'from?': text('The application whose backup was restored; this one by default.'),
          'offset?': { type: 'integer', minimum: 0, description: 'Files that were looked at before.' },
        }),
      }),
    example: () => ({ meta: { from: '6b011e2f6aeea231a557b680' } }),
  },
  content: {
    schema: () => ({}),
    example: () => 'Hello',
    form: objectOf({
      content: { type: 'string', format: 'binary', description: 'The file.' },
      'document?': openObjectOf({ data: { type: 'object' } }),
    }),
  },
  lines: {
    schema: () => text('Lines of JSON.'),
    example: () => '{"type":"articles","id":"6b011e2f6aeea231a557b680"}\n',
  },
} as const satisfies Readonly<Record<string, Body>>;

export type BodyName = keyof typeof BODIES;
