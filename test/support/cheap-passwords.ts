/**
 * Hashes of passwords cost next to nothing in Workers that import this: they hold the thread of all tests, twice for
 * each user that a test makes. What hashes cost is tested where the service runs as it is (test/http/hashing.test.ts).
 */
import { COST, WRONG_LOGIN } from '../../src/auth/passwords.ts';

Object.assign(COST, { N: 2, p: 1 });
Object.assign(WRONG_LOGIN, { lasts: 0 });
