/** Breakages of the client, and of what the command writes for it. */
import type { Mutant } from './mutant.ts';

export const CLIENT: readonly Mutant[] = [
  {
    breaks: 'A save overwrites what others have changed',
    file: 'src/client/database.ts',
    find: 'force ? undefined : stateOf(document)?.etag',
    put: 'undefined',
    tests: ['client/documents'],
  },
  {
    breaks: 'Links that are added hide what others have changed',
    file: 'src/client/database.ts',
    find: 'answer = await send(undefined);',
    put: 'answer = await send(undefined); known = answer.etag;',
    tests: ['client/documents'],
  },
  {
    breaks: 'A create that is sent again is another request',
    file: 'src/client/database.ts',
    find: "const headers = { 'idempotency-key': requestKey() };",
    put: 'const headers = {};',
    tests: ['client/retries'],
  },
  {
    breaks: 'A change that the network lost is sent again',
    file: 'src/client/transport.ts',
    find: "const repeatable = method === 'GET' ||",
    put: "const repeatable = method !== 'POST' ||",
    tests: ['client/retries'],
  },
  {
    breaks: 'An answer without kinds of values is taken',
    file: 'src/client/transport.ts',
    find: "of('content-type')?.includes(PROFILE)",
    put: "of('content-type') !== null",
    tests: ['client/retries'],
  },
  {
    breaks: 'A field named __proto__ changes what the document is',
    file: 'src/client/documents.ts',
    find: 'Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });',
    put: 'Reflect.set(document, name, value);',
    tests: ['client/documents'],
  },
  {
    breaks: 'Large integers lose digits',
    file: 'src/client/values.ts',
    find: 'Number.isSafeInteger(Number(text))',
    put: 'Number.isFinite(Number(text))',
    tests: ['client/documents'],
  },
  {
    breaks: 'A value of which a member has changed is not sent',
    file: 'src/client/changes.ts',
    find: 'return isSame(now, then) ? [] : [[name, now]];',
    put: 'return isSame(now, then) || typeof now === "object" ? [] : [[name, now]];',
    tests: ['client/documents'],
  },
  {
    breaks: 'A token that has ended is kept',
    file: 'src/client/session.ts',
    find: 'if (ended && token !== null) this.#change(null);',
    put: '',
    tests: ['client/session'],
  },
  {
    breaks: 'A schema brings code into the types of an application',
    file: 'scripts/application-types.ts',
    find: 'VALUES.includes(tsType)',
    put: 'VALUES.length > 0',
    tests: ['client/application-types'],
  },
];
