/** The way out: credentials are forgotten, and a key that the dashboard has made for the operator is deleted. */
import { pathOf } from '../../client/paths.ts';
import { exchanges, ask } from './service.ts';
import { credentials, enter, forget } from './credentials.ts';

/** Leaves the dashboard. */
export async function leave(): Promise<void> {
  await dropKey();
  forget();
  exchanges.value = [];
  location.hash = '';
}

/** Leaves the application, for the list of all. */
export async function leaveApplication(): Promise<void> {
  await dropKey();
  const { secret } = credentials.value;
  enter(secret === undefined ? {} : { secret });
}

/** The last key of an application stays, and so does one that nobody reaches now: its name says whose it was. */
async function dropKey(): Promise<void> {
  const madeKey = credentials.value.application?.madeKey;
  if (madeKey !== undefined) await ask('DELETE', pathOf('core.api-key', madeKey)).catch(() => undefined);
}
