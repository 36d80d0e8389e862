/**
 * The quotas of an application, looked up as its keys are: from this isolate's memory, else from the copy of the
 * application's document in KV. So a change reaches every isolate within 60 seconds, and no request pays a call for it.
 */
import type { Environment } from '../collection/rpc/environment.ts';
import { keptId, SYSTEM_APPLICATION, type ApplicationId } from '../domain/ids.ts';
import { APPLICATION_QUOTAS, NO_QUOTAS, readQuotas, type Quotas } from '../domain/quotas.ts';
import { CORE } from '../domain/types.ts';
import { decodeFields } from '../domain/values/codec.ts';
import { memberOf } from '../domain/values/tree.ts';
import { Lookups, type Looked } from './lookups.ts';

const applications = new Lookups<Quotas>(CORE.application, (_, body) => {
  return readQuotas(memberOf(decodeFields(body), 'quotas'), APPLICATION_QUOTAS).quotas;
});

/** A failure limits nobody: quotas keep nobody's data safe. */
export async function quotasOf(environment: Environment, application: ApplicationId): Promise<Quotas> {
  const looked = lookedOf(application);
  const known = applications.recall(looked);
  const quotas =
    known ?? (known === null ? null : await applications.find(environment, looked).catch(() => null));
  return quotas ?? NO_QUOTAS;
}

/** To be called after the document of an application was changed or deleted: the next request here uses the change. */
export async function refreshQuotas(environment: Environment, application: ApplicationId): Promise<void> {
  await applications.refresh(environment, lookedOf(application));
}

/** The operator's own application has the documents of all. */
function lookedOf(application: ApplicationId): Looked {
  return { application: SYSTEM_APPLICATION, id: keptId(application) };
}
