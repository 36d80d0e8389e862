/** `refused` of `foredge/testing`: that a rule refuses something, and which one. For any runner of tests. */
import type { ForedgeError } from '../src/client/index.ts';
import type { Refused, Refuser } from './testing-types.ts';

export const refused: Refused = async (promise, { code, by }) => {
  const wanted = `${code}${by === undefined ? '' : ` by ${by}`}`;
  const error = await promise.then(
    () => null,
    (reason: unknown) => {
      if (isRefusal(reason)) return reason;
      throw reason;
    },
  );
  if (error === null) throw new Error(`It was done, and should have been refused: ${wanted}.`);
  const refuser = refuserOf(error);
  if (error.code === code && (by === undefined || by === refuser)) return error;
  const told = `${error.code}${refuser === null ? '' : ` by ${refuser}`}`;
  throw new Error(`It was refused as ${told}, not as ${wanted}: ${error.message}`, { cause: error });
};

/** The client of whoever is tested may be another copy of the module. */
function isRefusal(error: unknown): error is ForedgeError {
  return error instanceof Error && 'errors' in error && 'code' in error;
}

/** Who has decided; null where it is none of the rules of an application, or one that the key may not know. */
function refuserOf({ code, errors: [first] }: ForedgeError): Refuser | null {
  if (code === 'forbidden') return first?.source?.header === 'api-key' ? 'key' : 'rights';
  if (code === 'rule-violated') {
    if (first?.meta?.['check'] !== undefined) return 'check';
    return first?.meta?.['pointer'] === undefined ? null : 'key';
  }
  if (code === 'field-not-permitted') return 'key';
  return code === 'schema-violation' ? 'schema' : null;
}
