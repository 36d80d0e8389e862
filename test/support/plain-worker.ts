/** The Worker as it is, but that hashes of passwords cost next to nothing. */
import './cheap-passwords.ts';

export { Collection, default, Session } from '../../src/index.ts';
