/** The Worker with quick hashes, whose wrong logins are answered after hours. */
import './cheap-passwords.ts';
import { WRONG_LOGIN } from '../../src/auth/passwords.ts';

export { Collection, default, Session } from '../../src/index.ts';

Object.assign(WRONG_LOGIN, { lasts: 2 ** 31 - 1 });
