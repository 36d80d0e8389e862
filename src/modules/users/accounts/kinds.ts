/** The kinds of account settings and actions (docs/accounts.md). */
import {
  CONFIRMS,
  FACTOR,
  readAddress,
  SCOPE,
  SECOND_FACTORS,
  SIGN_UPS,
} from '../../../domain/accounts/settings.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { oneOf } from '../../../domain/names.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { ok, problem, type Problem } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { TOKEN_LIFETIME } from '../../../domain/types/facts.ts';
import { isList } from '../../../domain/values/tree.ts';
import type { Fields, Value } from '../../../domain/values/values.ts';
import { isNewFieldName } from '../../../domain/field-names.ts';
import { attributesOf } from '../../contents/own-attributes.ts';
import { checked, faultAt, orNone, type Check } from '../../documents/attributes.ts';
import type { DocumentKind } from '../../documents/kind.ts';
import { placeLinks } from '../../documents/linked/links.ts';
import { GROUPS_OF_SETTINGS } from './settings.ts';

const among = (name: string, values: readonly string[]) => (value: Value) =>
  values.some((each) => each === value) ? undefined : `The value of ${name} is ${oneOf(values, 'or')}.`;

const faultOfFlag = (value: Value) =>
  typeof value === 'boolean' ? undefined : 'This must be true or false.';

const wholeNumber = (least: number, most: number) => (value: Value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
    ? undefined
    : `This is a whole number from ${least} to ${most}.`;

const CHECKS: Readonly<Record<string, Check>> = {
  name: (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.accountName
      ? undefined
      : `The name is a text of 1 to ${LIMITS.accountName} characters.`,
  colour: (value) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value)
      ? undefined
      : 'The colour is one such as #2456b3.',
  sender: (value) => (readAddress(value) === undefined ? 'The sender is an e-mail address.' : undefined),
  'sign-up': among('sign-up', SIGN_UPS),
  confirm: among('confirm', CONFIRMS),
  [FACTOR]: among(FACTOR, SECOND_FACTORS),
  'log-in-by-mail': faultOfFlag,
  'erase-by-mail': faultOfFlag,
  fields: (value) =>
    isList(value) && value.every((each) => typeof each === 'string' && isNewFieldName(each))
      ? undefined
      : 'The fields are an array of names of attributes.',
  'password-length': wholeNumber(LIMITS.accountPassword, 100),
  minutes: wholeNumber(1, 24 * 60),
  'session-hours': wholeNumber(1, TOKEN_LIFETIME / 3_600),
  origins: (value) =>
    isList(value) && value.every(isPageOrigin)
      ? undefined
      : 'These are origins as browsers write them, such as https://shop.example; http is for localhost.',
  'return-to': (value) =>
    isList(value) && value.every(isReturnAddress)
      ? undefined
      : 'These are https addresses without a fragment; http is for localhost.',
};

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
        ? placeLinks(linkage, name, placeOf('data', 'relationships', name, 'data'))
            .filter(({ type }) => type !== CORE.userGroup)
            .map(({ type, place }) =>
              problem('invalid-relationship', `These are groups, not ${type}.`, {
                pointer: pointerOf(place),
              }),
            )
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

/** Attributes that the type does not have. */
export function faultsOfNames(type: string, attributes: Fields): readonly Problem[] {
  const names = attributesOf(type).map(({ name }) => name);
  return Object.keys(attributes)
    .filter((name) => !names.includes(name))
    .map((name) =>
      faultAt(pointerOf(placeOf(name)), `There is no such attribute here: ${oneOf(names, 'or')}.`),
    );
}

export function faultOfLinks(name: string, detail: string): Problem {
  return problem('invalid-relationship', detail, {
    pointer: pointerOf(placeOf('data', 'relationships', name)),
  });
}

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
  if (url === null || url.username !== '' || url.password !== '') return false;
  const isLocal = url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname);
  return url.protocol === 'https:' || isLocal;
}
