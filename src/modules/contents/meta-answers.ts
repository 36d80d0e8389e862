/** What keys decide, and what webhooks deliver: answers of facts in `meta`. */
import { KINDS } from '../../domain/accounts/settings.ts';
import { EVERYONE, RIGHTS } from '../../domain/rights.ts';
import { WRITE_EVENTS } from '../../domain/webhooks.ts';
import { facts, NUMBER_OF, type AnswerContent } from './answer-content.ts';
import { DATE } from './envelope.ts';
import * as s from './schema.ts';

const DELIVERY = s.objectOf({
  id: s.text('What the header `webhook-id` says, whenever it is sent.', {
    examples: ['3f1c1a8e-6f0e-4c55-9a53-1f6cf3f1d0a4'],
  }),
  state: { enum: ['waiting', 'dead'] },
  event: { enum: [...WRITE_EVENTS, ...KINDS] },
  document: s.named('link'),
  created: DATE,
  tries: NUMBER_OF,
  failure: {
    ...s.described(s.nullable('string'), 'What the last try came to.'),
    examples: ['It answered 500.'],
  },
  'given-up?': DATE,
});
const DOCUMENT_DECIDED = s.objectOf({
  type: s.STRING,
  id: s.STRING,
  right: s.enumOf(RIGHTS),
  granted: s.described(
    s.nullable('boolean'),
    'Null where there is no such document, or the asker may not be told.',
  ),
  where: s.described(
    s.nullable('boolean'),
    'Whether the document meets the rule `where` of the permission; null where it has none.',
  ),
  reasons: s.listOf(
    s.objectOf({
      setting: {
        type: ['string', 'null'],
        description: "The entry of the type's settings that gives the right; null for the document's ACL.",
        examples: ['$channel'],
      },
      through: s.listOf(s.objectOf({ type: s.STRING, id: s.STRING, right: s.enumOf(RIGHTS) }), {
        description: 'The linked documents that the right comes through, and the right on each.',
      }),
      identity: s.either({ const: EVERYONE }, s.named('link')),
    }),
    { description: 'What gives the right, 20 at most.' },
  ),
});
export const META_ANSWERS = {
  deliveries: facts(
    { waiting: NUMBER_OF, dead: NUMBER_OF, deliveries: s.listOf(DELIVERY) },
    ': how many wait and how many were given up, the last of these and the first of those',
  ),
  decision: facts({
    admitted: s.BOOLEAN,
    acl: s.flag('Whether the rights of the user on documents are asked for.'),
    paths: s.listOf(s.named('decided-path'), {
      description: 'The path that was asked, and what `me` stands for.',
    }),
    document: s.either(s.NULL, DOCUMENT_DECIDED),
    errors: s.listOf(s.named('error'), { description: 'Those of the refusal.', examples: [[]] }),
  }),
} as const satisfies Readonly<Record<string, AnswerContent>>;
