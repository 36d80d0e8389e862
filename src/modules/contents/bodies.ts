/** The bodies of requests: their schemas and examples. An endpoint names its own. */
import { LIMITS } from '../../domain/limits.ts';
import { CORE } from '../../domain/types.ts';
import { LINK_EXAMPLE, rightsOf, SENT_MEMBERS } from './envelope.ts';
import * as s from './schema.ts';
import { PARAMETERS, SIZE_MEMBERS } from './parameters.ts';
import type { Subject } from './subjects.ts';

export interface Body {
  readonly schema: (subject: Subject) => s.Schema;
  readonly example: (subject: Subject) => s.Json;
  /** The same as the parts of a form. */
  readonly form?: s.Schema;
}

const LIMIT = s.objectOf({
  limit: s.described(
    s.integer(1, LIMITS.bulk),
    'How many documents may be found; if there are more, nothing is done.',
  ),
});
const UPDATE = s.sentObjectOf({ 'update?': s.named('update-operators') });

/** A document; what libraries send beside it means nothing here. */
const sentDocument = (members: Readonly<Record<string, s.Schema>>): s.Schema =>
  s.sentObjectOf({
    data: s.sentObjectOf({ ...members, 'links?': s.OBJECT }),
    ...SENT_MEMBERS,
    'jsonapi?': s.OBJECT,
    'included?': s.listOf(s.OBJECT),
  });

export const BODIES = {
  create: {
    schema: ({ type, required, sent, links, demands }) => {
      const attributes = required.length > 0 ? { allOf: [sent, { required }] } : sent;
      const isAsked = required.length > 0 || demands.includes('attributes');
      return sentDocument({
        type,
        'id?': s.described(
          s.nullable('string'),
          'Only where the settings of the type let clients choose ids.',
        ),
        'lid?': s.text('A local id, for links within the document.'),
        [isAsked ? 'attributes' : 'attributes?']: attributes,
        [demands.includes('relationships') ? 'relationships' : 'relationships?']: links,
        'meta?': s.sentObjectOf({ 'acl?': s.named('new-rights') }),
      });
    },
    example: ({ example }) => ({ data: { type: example.type, attributes: example.attributes } }),
  },
  update: {
    schema: ({ name, type, changed, changedLinks }) =>
      sentDocument({
        type,
        [name === CORE.user || name === CORE.externalUser ? 'id?' : 'id']: s.text(
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
      s.objectOf({
        meta: LIMIT,
        data: s.objectOf({
          type,
          'attributes?': changed,
          'relationships?': changedLinks,
          'meta?': UPDATE,
        }),
      }),
    example: ({ example: { type, attributes } }) => ({ meta: { limit: 100 }, data: { type, attributes } }),
  },
  'delete many': {
    schema: () => s.objectOf({ meta: LIMIT }),
    example: () => ({ meta: { limit: 100 } }),
  },
  redemption: {
    schema: () =>
      s.objectOf({
        meta: s.objectOf({
          'code?': s.text('The six digits of the mail, or the code of its link.'),
          'password?': s.text('The new one, for reset-password and invite.'),
          'username?': s.text('For invite.'),
          'attributes?': s.described(s.OBJECT, 'Of a new account: what the account settings let it give.'),
          'response?': s.described(s.OBJECT, 'What the browser made of the options of a passkey.'),
          'name?': s.text('Of a new passkey.'),
          'callback?': s.text('The query of the address to which a provider led.'),
        }),
      }),
    example: () => ({ meta: { code: '294613' } }),
  },
  'send again': {
    schema: () =>
      s.objectOf({
        meta: s.objectOf({ ids: s.either({ const: '*' }, s.listOf(s.STRING, { minItems: 1 })) }),
      }),
    example: () => ({ meta: { ids: '*' } }),
  },
  question: {
    schema: ({ type }) =>
      s.objectOf({
        meta: s.objectOf({
          method: { enum: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] },
          path: s.text('The path of the request, without its query.'),
          'user?': s.either(s.NULL, s.named('link')),
        }),
        'data?': s.objectOf(
          { type, id: s.STRING, attributes: s.objectOf({ permissions: s.listOf(s.OBJECT) }) },
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
    schema: () => s.objectOf({ data: s.named('sent-linkage') }),
    example: () => ({ data: LINK_EXAMPLE }),
  },
  links: {
    schema: () => s.objectOf({ data: s.listOf(s.named('sent-link')) }),
    example: () => ({ data: [LINK_EXAMPLE] }),
  },
  acl: {
    schema: () =>
      s.objectOf({
        data: s.objectOf({
          type: s.STRING,
          id: s.STRING,
          'attributes?': s.objectOf(rightsOf(s.named('grant'))),
        }),
      }),
    example: () => ({
      data: { type: 'articles.acl', id: '6b011e2f6aeea231a557b680', attributes: { read: '*', update: [] } },
    }),
  },
  operations: {
    schema: () =>
      s.openObjectOf({
        'atomic:operations': s.listOf(s.named('operation'), { minItems: 1, maxItems: LIMITS.operations }),
        'meta?': s.named('atomic'),
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
      s.objectOf({
        meta: s.objectOf({
          'until?': {
            type: 'string',
            format: 'date-time',
            description: 'When the link ends: in a week at most.',
          },
          'public?': {
            const: true,
            description: 'In the place of until: as long as everybody may read the file.',
          },
          'download?': s.flag('Whether the content is to be saved, and not shown.'),
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
      s.objectOf({
        meta: s.objectOf({
          'from?': s.text('The application whose backup was restored; this one by default.'),
          'offset?': s.described(s.integer(0), 'Files that were looked at before.'),
        }),
      }),
    example: () => ({ meta: { from: '6b011e2f6aeea231a557b680' } }),
  },
  content: {
    schema: () => ({}),
    example: () => 'Hello',
    form: s.objectOf({
      content: { type: 'string', format: 'binary', description: 'The file.' },
      'document?': s.openObjectOf({ data: s.OBJECT }),
    }),
  },
  lines: {
    schema: () => s.text('Lines of JSON.'),
    example: () => '{"type":"articles","id":"6b011e2f6aeea231a557b680"}\n',
  },
} as const satisfies Readonly<Record<string, Body>>;

export type BodyName = keyof typeof BODIES;
