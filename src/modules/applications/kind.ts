/** The kind of applications: the operator's own documents. */
import { forgetIssuer, readIssuer } from '../../auth/issuers.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { applicationId } from '../../domain/ids.ts';

export const APPLICATIONS: DocumentKind = {
  validate: ({ attributes }, whole) => {
    const name = memberOf(attributes, 'name');
    const fine = name === undefined ? !whole : typeof name === 'string' && name !== '';
    const faults = readIssuer(memberOf(attributes, 'oidc') ?? null).faults.map(({ member, detail }) =>
      fault(member === null ? ['oidc'] : ['oidc', member], detail),
    );
    return fine ? faults : [fault(['name'], 'The name must be a string that is not empty.'), ...faults];
  },

  changed: (id) => {
    forgetIssuer(applicationId(id));
  },
};

function fault(steps: readonly string[], detail: string): Problem {
  return problem('invalid-attribute', detail, {
    pointer: pointerOf(placeOf('data', 'attributes', ...steps)),
  });
}
