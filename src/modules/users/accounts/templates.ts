/** The kind of templates of mails (docs/accounts.md#templates), and how one looks. */
import {
  filled,
  LANGUAGE,
  MAIL_KINDS,
  namesIn,
  PLACEHOLDERS,
  proves,
  templateOf,
  type Values,
} from '../../../domain/accounts/templates.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { oneOf } from '../../../domain/names.ts';
import { fail, ok, type Problem } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import type { Fields, Value } from '../../../domain/values/values.ts';
import { checked, faultAt, faultsOfLinks, faultsOfNames, orNone } from '../../documents/attributes.ts';
import type { DocumentKind } from '../../documents/kind.ts';
import type { Handler } from '../../endpoint.ts';
import { textAt } from '../../../domain/values/tree.ts';

const NAME = new RegExp(`^(${MAIL_KINDS.join('|')})([.]${LANGUAGE})?$`);

export const TEMPLATES: DocumentKind = {
  validatesWhole: true,
  validate: ({ attributes, relationships }, whole, current) => [
    ...faultsOfNames(CORE.mailTemplate, attributes),
    ...checked(CORE.mailTemplate, attributes, whole, {
      name: (value) =>
        typeof value === 'string' && NAME.test(value)
          ? undefined
          : `The name is ${oneOf(MAIL_KINDS, 'or')}, and may end with a language: log-in.de.`,
      subject: (value) => faultOfTemplate(value, LIMITS.mailSubject),
      text: (value) => faultOfTemplate(value, LIMITS.mailTemplate),
      ...orNone({ html: (value) => faultOfTemplate(value, LIMITS.mailTemplate) }),
    }),
    ...faultsOfProof({ ...current, ...attributes }),
    ...faultsOfLinks('A template', relationships),
  ],
};

/** Else nobody could do what the mail is for. */
function faultsOfProof(attributes: Fields): readonly Problem[] {
  const [name, text] = ['name', 'text'].map((each) => textAt(attributes, each));
  if (name === undefined || text === undefined || !proves(name.replace(/[.].*/, ''))) return [];
  const isProof = namesIn(text).some((each) => each === 'code' || each === 'link');
  return isProof ? [] : [faultAt('/text', 'The text has {{code}} or {{link}}.')];
}

function faultOfTemplate(value: Value, most: number): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value.length > most)
    return `This is a text of 1 to ${most} characters.`;
  const strange = namesIn(value).find((name) => !PLACEHOLDERS.some((each) => each === name));
  return strange === undefined
    ? undefined
    : `Nothing is known as {{${strange.slice(0, 50)}}}: there is ${oneOf(PLACEHOLDERS, 'and')}.`;
}

const EXAMPLE: Values = {
  name: 'Bookshop',
  username: 'ada',
  address: 'ada@example.org',
  code: '123456',
  link: 'https://shop.example/account#kind=log-in&action=6b011e2f6aeea231a557b680&code=example',
  validity: '30 minutes',
};

export const previewTemplate: Handler = async (context) => {
  const { id } = context.parameters;
  const read = await collectionOf(context, CORE.mailTemplate).read(id, context.access);
  const template = read.state === 'found' ? templateOf(read.document.attributes) : undefined;
  if (template === undefined) return fail('document-not-found', `There is no template ${id}.`);
  return ok({ status: 200, document: { meta: filled(template, EXAMPLE) }, confidential: true });
};
