/** The kind of applications: the operator's own documents. */
import { forgetIssuer, readIssuer } from '../../auth/issuers.ts';
import { refreshApplication } from '../../auth/applications.ts';
import { AUDIT_DAYS, ENDS, faultOfAuditDays } from '../../domain/applications/standing.ts';
import { APPLICATION_QUOTAS, readQuotas } from '../../domain/applications/quotas.ts';
import { PLACEMENT, readPlacement } from '../../domain/applications/placements.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { applicationId } from '../../domain/ids.ts';

export const APPLICATIONS: DocumentKind = {
  // A placement that comes back as it is changes nothing.
  validatesWhole: true,
  validate: ({ attributes }, whole, current) => {
    const name = memberOf(attributes, 'name');
    const fine = name === undefined ? !whole : typeof name === 'string' && name !== '';
    const faults = readIssuer(memberOf(attributes, 'oidc') ?? null).faults.map(({ member, detail }) =>
      fault(member === null ? ['oidc'] : ['oidc', member], detail),
    );
    const quotas = readQuotas(memberOf(attributes, 'quotas'), APPLICATION_QUOTAS).faults;
    for (const { member, detail } of quotas) {
      faults.push(fault(member === null ? ['quotas'] : ['quotas', member], detail));
    }
    const days = faultOfAuditDays(memberOf(attributes, AUDIT_DAYS) ?? null);
    if (days !== undefined) faults.push(fault([AUDIT_DAYS], days));
    if (memberOf(attributes, ENDS) !== undefined) faults.push(madeByService());
    const placement = faultOfPlacement(memberOf(attributes, PLACEMENT), whole, current);
    if (placement !== undefined) faults.push(fault([PLACEMENT], placement));
    return fine ? faults : [fault(['name'], 'The name must be a string that is not empty.'), ...faults];
  },

  changed: async (id, { environment }) => {
    const application = applicationId(id);
    forgetIssuer(application);
    await refreshApplication(environment, application);
  },
};

/** What is wrong with a placement, of a new application or in a change. */
function faultOfPlacement(
  value: Value | undefined,
  whole: boolean,
  current: Fields | null,
): string | undefined {
  if (value === undefined) return undefined;
  if (!whole) {
    const same = value === (memberOf(current ?? {}, PLACEMENT) ?? null);
    return same ? undefined : 'Where an application is, is said when it is made, and for ever.';
  }
  if (value === null) return undefined;
  const read = readPlacement(value);
  return 'fault' in read ? read.fault : undefined;
}

function madeByService(): Problem {
  const detail = 'The service says when an application ends: POST and DELETE of its deletion change that.';
  return problem('read-only-member', detail, { pointer: pointerOf(placeOf('data', 'attributes', ENDS)) });
}

function fault(steps: readonly string[], detail: string): Problem {
  return problem('invalid-attribute', detail, {
    pointer: pointerOf(placeOf('data', 'attributes', ...steps)),
  });
}
