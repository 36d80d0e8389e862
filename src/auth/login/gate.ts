/**
 * Limits on failed logins, per user name and per client address (decisions, section 4). This isolate counts its own
 * failures exactly; the rate-limit bindings carry the count between the isolates of an edge location.
 */
import { fail } from '../../domain/problems.ts';
import { Lru } from '../../domain/caching/lru.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import type { Login } from './schemes.ts';

const WINDOW = 60_000;

/** Times of failures, oldest first; the last may be in the future, if a binding says so. */
const failures = new Lru<string, readonly number[]>(50_000);

const LOGINS = 'failed logins';

/** `counted`: what there were too many of, in words. */
export function loginGate(
  { application, address, environment }: Omit<Login, 'authorization'>,
  username: string,
  counted = LOGINS,
) {
  const { LOGINS_BY_USER, LOGINS_BY_ADDRESS } = environment;
  const { loginFailuresByUser, loginFailuresByAddress } = settingsOf(environment);
  const byUser = {
    key: `${application}/${counted}/${username}`,
    most: loginFailuresByUser,
    binding: LOGINS_BY_USER,
  };
  const byAddress = {
    key: `${application}/address/${address}`,
    most: loginFailuresByAddress,
    binding: LOGINS_BY_ADDRESS,
  };
  // Failed logins from unknown addresses count together: else anybody could guess one password for all names.
  const limits = address === null && counted !== LOGINS ? [byUser] : [byUser, byAddress];
  const recentOf = (key: string, now: number) =>
    (failures.get(key) ?? []).filter((time) => time > now - WINDOW);
  return {
    /** 429 when there were too many failures already, whatever the password is. */
    refusal() {
      const now = Date.now();
      const waits = limits.map(({ key, most }) => {
        const recent = recentOf(key, now);
        const [oldest] = recent.slice(-most);
        return recent.length >= most && oldest !== undefined ? oldest + WINDOW - now : 0;
      });
      const wait = Math.ceil(Math.max(...waits) / 1000);
      return wait === 0 ? null : tooMany(wait, counted);
    },

    /** Counts a failure; 429 when other isolates have counted too many. */
    async failed() {
      const now = Date.now();
      // Counts here before anything is awaited, because other logins check the count meanwhile.
      for (const { key } of limits) {
        failures.set(key, [...recentOf(key, now), now]);
      }
      const verdicts = await Promise.all(
        limits.map(async ({ key, most, binding }) => {
          const open = (await binding?.limit({ key }))?.success ?? true;
          // When a binding refuses, logins are refused here for the rest of its window.
          if (!open)
            failures.set(
              key,
              Array.from({ length: most }, () => now),
            );
          return open;
        }),
      );
      return verdicts.every(Boolean) ? null : tooMany(WINDOW / 1000, counted);
    },
  };
}

function tooMany(seconds: number, counted: string) {
  return fail('too-many-requests', `There were too many ${counted}.`, undefined, {
    'retry-after': seconds,
  });
}
