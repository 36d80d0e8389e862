/** The kind of passkeys (docs/accounts.md#passkeys): their user changes the name alone. */
import { passkeyOf } from '../../../domain/accounts/ceremonies.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { problem } from '../../../domain/problems.ts';
import { withoutSecrets } from '../../../domain/secrets.ts';
import { CORE } from '../../../domain/types.ts';
import type { Value } from '../../../domain/values/values.ts';
import { faultAt, faultsOfLinks } from '../../documents/attributes.ts';
import type { DocumentKind } from '../../documents/kind.ts';

const NAME = 'name';

export const PASSKEYS: DocumentKind = {
  validate: ({ attributes, relationships }, _, __, context) => [
    // An import brings what the service has made.
    ...Object.keys(attributes)
      .filter((name) => context !== undefined && name !== NAME)
      .map((name) => faultAt(`/${name}`, 'The service makes it.', 'read-only-member')),
    ...(attributes[NAME] === undefined || isPasskeyName(attributes[NAME])
      ? []
      : [faultAt(`/${NAME}`, `The name is a text of 1 to ${LIMITS.accountName} characters.`)]),
    ...faultsOfLinks('A passkey', relationships),
  ],
  faultsOfStored: ({ attributes }) =>
    passkeyOf(attributes) === undefined
      ? [problem('invalid-attribute', 'This is no passkey.', { pointer: '/data/attributes' })]
      : [],
  attributes: ({ attributes }) => Promise.resolve(withoutSecrets(CORE.passkey, attributes)),
};

export function isPasskeyName(value: Value): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.accountName;
}
