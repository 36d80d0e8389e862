/** `refused` of `foredge/testing`: that a rule refuses something, and which one. For any runner of tests. */
import type { ForedgeError } from '../src/client/index.ts';
import { refuserOf } from '../src/domain/explained.ts';
import type { Refused } from './testing-types.ts';

export const refused: Refused = async (promise, { code, by, which }) => {
  const wanted = wordsOf(code, by, which);
  const error = await promise.then(
    () => null,
    (reason: unknown) => {
      if (isRefusal(reason)) return reason;
      throw reason;
    },
  );
  if (error === null) throw new Error(`It was done, and should have been refused: ${wanted}.`);
  const { meta = {} } = error.errors[0] ?? {};
  const refuser = refuserOf({ code: error.code, meta });
  const reason = [meta['right'], meta['check'], meta['pointer']].find((each) => typeof each === 'string');
  if (error.code === code && (by ?? refuser) === refuser && (which ?? reason) === reason) return error;
  throw new Error(
    `It was refused as ${wordsOf(error.code, refuser, reason)}, not as ${wanted}: ${error.message}`,
    { cause: error },
  );
};

/** The client of whoever is tested may be another copy of the module. */
function isRefusal(error: unknown): error is ForedgeError {
  return error instanceof Error && 'errors' in error && 'code' in error;
}

function wordsOf(code: string, by?: string | null, which?: string): string {
  return [code, ...(by ? ['by', by] : []), ...(which === undefined ? [] : [which])].join(' ');
}
