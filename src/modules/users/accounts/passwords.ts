/** Which passwords account settings take (NIST SP 800-63B-4, 3.1.1.2): a least length, and none that are guessed first. */
import { COMMON } from './common-passwords.ts';
import type { Problem } from '../../../domain/problems.ts';
import { faultAt } from '../../documents/attributes.ts';

/** `own`: the name and the address of the account. */
export function faultsOfPassword(
  password: string,
  length: number,
  own: readonly (string | null | undefined)[],
): readonly Problem[] {
  const fault = (detail: string) => [faultAt('/password', detail)];
  if (Array.from(password).length < length)
    return fault(`A password has at least ${length} characters here.`);
  const plain = password.normalize('NFKC').toLowerCase();
  const isOwn = own.some((each) => each?.toLowerCase() === plain);
  if (isOwn) return fault('The password is the name or the address of the account.');
  return COMMON.has(plain) ? fault('The password is one of those that are guessed first.') : [];
}
