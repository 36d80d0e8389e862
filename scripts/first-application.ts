/** The first application of a server on this machine, with a key that works, whatever became of it and its secrets. */
import './older-node.ts';
import { claimsOf, Signer } from '../src/auth/credentials.ts';
import type { FirstApplication } from './data-folder.ts';
import type { Operator } from './operator.ts';

/**
 * The application of the first start, with its key as the current secret signs it. A key that is gone is replaced by a
 * new one, an application that is gone or about to go, or of which nothing was kept, by a new application.
 */
export async function firstApplication(
  operator: Operator,
  credentialSecrets: string,
  saved: FirstApplication | null,
): Promise<FirstApplication> {
  if (saved !== null) {
    const { application_id } = saved;
    const key = await signedAnew(credentialSecrets, saved);
    if (key !== null && (await operator.isKnown(application_id, key)))
      return { application_id, api_key: key };
    const all = await operator.list();
    if (all.some(({ id, ends }) => id === application_id && ends === undefined)) {
      return { application_id, api_key: await operator.key(application_id, 'first key') };
    }
  }
  const { id, apiKey } = await operator.create('First application');
  return { application_id: id, api_key: apiKey };
}

/** Whoever knows the secrets may sign what an old one has signed, even once that one was taken away. */
async function signedAnew(credentialSecrets: string, { api_key }: FirstApplication): Promise<string | null> {
  const claims = claimsOf(api_key);
  return claims === undefined ? null : (await Signer.from(credentialSecrets)).sign(claims);
}
