/** The kind of applications: the operator's own documents. */
import { forgetIssuer, readIssuer } from '../../auth/issuers.ts';
import { refreshApplication } from '../../auth/applications.ts';
import { ENDS } from '../../domain/applications/standing.ts';
import { APPLICATION_QUOTAS } from '../../domain/applications/quotas.ts';
import { PLACEMENT, readPlacement } from '../../domain/applications/placements.ts';
import { CORE } from '../../domain/types.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { checked, faultAt, faultsOfName, faultsOfQuotas } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { applicationId } from '../../domain/ids.ts';

export const APPLICATIONS: DocumentKind = {
  // A placement that comes back as it is changes nothing.
  validatesWhole: true,
  validate: ({ attributes }, whole, current) => [
    ...faultsOfName(attributes, whole),
    ...readIssuer(memberOf(attributes, 'oidc') ?? null).faults.map(({ member, detail }) =>
      faultAt(member === null ? '/oidc' : `/oidc/${member}`, detail),
    ),
    ...faultsOfQuotas(attributes, APPLICATION_QUOTAS),
    ...checked(CORE.application, attributes, whole, {
      [ENDS]: () => 'The service says when an application ends: POST and DELETE of its deletion change that.',
      [PLACEMENT]: (value) => faultOfPlacement(value, whole, current),
    }),
  ],

  changed: async (id, { environment }) => {
    const application = applicationId(id);
    forgetIssuer(application);
    await refreshApplication(environment, application);
  },
};

/** What is wrong with a placement, of a new application or in a change. */
function faultOfPlacement(value: Value, whole: boolean, current: Fields | null): string | undefined {
  if (!whole) {
    const same = value === (memberOf(current ?? {}, PLACEMENT) ?? null);
    return same ? undefined : 'Where an application is, is said when it is made, and for ever.';
  }
  if (value === null) return undefined;
  const read = readPlacement(value);
  return 'fault' in read ? read.fault : undefined;
}
