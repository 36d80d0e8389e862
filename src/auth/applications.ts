/**
 * The standing of an application, looked up as its keys are: from this isolate's memory, else from the copy of the
 * application's document in KV. So a change reaches every isolate within 60 seconds, and no request pays a call for it.
 */
import type { Environment } from '../collection/rpc/environment.ts';
import { storedId, SYSTEM_APPLICATION, type ApplicationId } from '../domain/ids.ts';
import { PLAIN_STANDING, standingOf, type ApplicationStanding } from '../domain/applications/standing.ts';
import { CORE } from '../domain/types.ts';
import { decodeFields } from '../domain/values/codec.ts';
import { Lookups, type Looked } from './lookups.ts';

const applications = new Lookups<ApplicationStanding>(CORE.application, (_, body) =>
  standingOf(decodeFields(body)),
);

/** What this isolate knows of it, without a call; undefined where that is nothing. */
export function recallStanding(application: ApplicationId): ApplicationStanding | undefined {
  const known = applications.recall(lookedOf(application));
  return known === null ? PLAIN_STANDING : known;
}

/** If nothing can be known, nothing is forbidden: its keys say who may do what, and those of a deleted one are gone. */
export async function standingOfApplication(
  environment: Environment,
  application: ApplicationId,
): Promise<ApplicationStanding> {
  const standing = await applications.find(environment, lookedOf(application)).catch(() => null);
  return standing ?? PLAIN_STANDING;
}

/** To be called after the document of an application was changed or deleted: the next request here uses the change. */
export async function refreshApplication(
  environment: Environment,
  application: ApplicationId,
): Promise<void> {
  await applications.refresh(environment, lookedOf(application));
}

/** The operator's own application has the documents of all. */
function lookedOf(application: ApplicationId): Looked {
  return { application: SYSTEM_APPLICATION, id: storedId(application) };
}
