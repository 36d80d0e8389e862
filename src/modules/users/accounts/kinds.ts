/** The kinds of account settings and actions (docs/accounts.md). */
import { GROUPS_OF_SETTINGS, readAddress, SCOPE } from '../../../domain/accounts/settings.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { oneOf } from '../../../domain/names.ts';
import { ok } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { isList } from '../../../domain/values/tree.ts';
import type { Value } from '../../../domain/values/values.ts';
import { isNewFieldName } from '../../../domain/field-names.ts';
import { isReference } from '../../../schema/validation/uri.ts';
import {
  type AttributeCheck,
  checked,
  faultOfLinks,
  faultsOfNames,
  orNone,
} from '../../documents/attributes.ts';
import type { DocumentKind } from '../../documents/kind.ts';
import { faultsOfTypes } from '../../documents/linked/links.ts';

const faultOfFields: AttributeCheck = (value) =>
  isList(value) && value.every((each) => typeof each === 'string' && isNewFieldName(each))
    ? undefined
    : 'The fields are an array of names of attributes.';

const CHECKS: Readonly<Record<string, AttributeCheck>> = {
  name: faultOfName,
  colour: (value) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value)
      ? undefined
      : 'The colour is one such as #2456b3.',
  sender: (value) => (readAddress(value) === undefined ? 'The sender is an e-mail address.' : undefined),
  fields: faultOfFields,
  required: faultOfFields,
  origins: (value) =>
    isList(value) && value.every(isPageOrigin)
      ? undefined
      : 'These are origins as browsers write them, such as https://shop.example; http is for localhost.',
  'return-to': (value) =>
    isList(value) && value.every(isReturnAddress)
      ? undefined
      : 'These are https addresses in ASCII, without a fragment; http is for localhost.',
};

/** Of settings and of passkeys. */
export function faultOfName(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.accountName
    ? undefined
    : `The name is a text of 1 to ${LIMITS.accountName} characters.`;
}

export const ACCOUNT_SETTINGS: DocumentKind = {
  validate: ({ attributes, relationships }, whole, _, context) => [
    ...faultsOfNames(CORE.accountSettings, attributes),
    ...checked(CORE.accountSettings, attributes, whole, {
      // An import brings what was made.
      scope: (value) =>
        context === undefined && value === SCOPE.value ? undefined : 'The service makes it.',
      ...orNone(CHECKS),
    }),
    ...Object.entries(relationships).flatMap(([name, linkage]) =>
      GROUPS_OF_SETTINGS.some((each) => each === name)
        ? faultsOfTypes(name, linkage, (type) => type === CORE.userGroup, 'These are groups')
        : [
            faultOfLinks(
              name,
              `Account settings have the relationships ${oneOf(GROUPS_OF_SETTINGS, 'and')} alone.`,
            ),
          ],
    ),
  ],
  prepare: async ({ attributes, relationships }, current) => {
    const isNew = (await current()) === null;
    const made = isNew ? { [SCOPE.name]: SCOPE.value } : {};
    return ok({ content: { attributes: { ...attributes, ...made }, relationships }, asSent: null });
  },
};

/** An address of numbers has no passkeys. */
function isPageOrigin(value: Value): boolean {
  if (typeof value !== 'string') return false;
  const url = URL.parse(value);
  if (url?.origin !== value || /[\d\]]$/.test(url.hostname)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost');
}

function isReturnAddress(value: Value): boolean {
  if (typeof value !== 'string' || value.length > LIMITS.webhookUrl || value.includes('#')) return false;
  const url = URL.parse(value);
  // Parsing mends what is no reference, and has read what is in brackets.
  if (url === null || !isReference(value, () => true) || url.username !== '' || url.password !== '')
    return false;
  const isLocal = url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname);
  return url.protocol === 'https:' || isLocal;
}
