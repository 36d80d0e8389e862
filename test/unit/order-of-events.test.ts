/** What holds whatever comes first: a right password after wrong ones, a late answer on a key, reads of one type. */
import { describe, expect, test } from 'vitest';
import { signerOf } from '../../src/auth/credentials.ts';
import { authenticate, refreshKey } from '../../src/auth/keys.ts';
import { hashPassword } from '../../src/auth/passwords.ts';
import type { Document } from '../../src/domain/documents.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { answerRead, type Findings } from '../../src/modules/documents/answer/answers.ts';
import type { TagList } from '../../src/modules/documents/tags/etag.ts';
import { loginUser } from '../../src/modules/users/login.ts';
import { APPLICATION, environmentOf, contextOf, held } from '../support/exchange.ts';
import type { Lookup } from '../../src/collection/rpc/maintenance/lookup.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { idOf, typeOf } from '../support/names.ts';

describe('of guesses that come all at once', () => {
  test('the right one is refused, too, when the wrong ones had used up the limit before it was answered', async () => {
    const password = 'a password of hers';
    const stored = {
      id: '1'.repeat(24),
      version: 1,
      body: encodeText({ username: 'besieged', password: (await hashPassword(password)) ?? '' }),
      relationships: null,
      aclVersion: 1,
    };
    const late = held<typeof stored>();
    const finds = [() => late.answer, () => stored];
    const environment = environmentOf(
      {
        // There are no account settings.
        findUnique: (name: string) => (name === 'username' ? finds.shift()?.() : null),
        create: () => expect.unreachable('No token may be made.'),
      },
      undefined,
      { LOGIN_FAILURES_BY_USER: '1' },
    );
    const attempt = (guess: string) =>
      loginUser(contextOf({ environment, authorization: `Basic ${btoa(`besieged:${guess}`)}` }));

    const right = attempt(password);
    expect(await attempt('wrong')).toMatchObject({ ok: false });
    late.release(stored);
    expect(await right).toMatchObject({ ok: false, problems: [{ code: 'too-many-requests' }] });
  });
});

describe('what is known of a key after a change', () => {
  const everything = encodeText({ permissions: [{ path: '.*', methods: ['get'] }] });
  const before: Lookup = { state: 'current', body: everything };
  const gone: Lookup = { state: 'gone' };

  async function credentialOf(id: DocumentId): Promise<Headers> {
    const signer = await signerOf(environmentOf({}));
    const claims = { kind: 'api-key', application: APPLICATION, id } as const;
    return new Headers({ 'application-id': APPLICATION, 'api-key': await signer.sign(claims) });
  }

  test('is not replaced by an older copy that KV gives late', async () => {
    const id = idOf('2'.repeat(24));
    const headers = await credentialOf(id);
    const copy = held<Lookup>();
    const asked = held<null>();
    const environment = environmentOf({ current: () => gone }, () => {
      asked.release(null);
      return copy.answer;
    });
    const early = authenticate(environment, headers);
    await asked.answer;
    await refreshKey(environment, APPLICATION, id);
    copy.release(before);
    expect((await early).ok).toBe(true);
    expect((await authenticate(environment, headers)).ok).toBe(false);
  });

  test('is not replaced by the late answer to an earlier question', async () => {
    const id = idOf('3'.repeat(24));
    const headers = await credentialOf(id);
    const first = held<Lookup>();
    const answers = [first.answer, gone];
    const environment = environmentOf({ current: () => answers.shift() });
    const earlier = refreshKey(environment, APPLICATION, id);
    await refreshKey(environment, APPLICATION, id);
    first.release(before);
    await earlier;
    expect((await authenticate(environment, headers)).ok).toBe(false);
  });
});

describe('where two reads of one request ask the same type, and it changes in between', () => {
  const ada = (version: number): Document => ({
    type: typeOf('people'),
    id: idOf('4'.repeat(24)),
    version,
    aclVersion: 1,
    attributes: {},
    relationships: {},
  });
  const findings = (version: number, first: number, second: number): Findings => ({
    primary: [ada(version)],
    reached: { documents: [], stamps: [], counters: new Map([['people', second]]) },
    counters: new Map([['people', first]]),
    set: null,
  });
  const read = async (found: Findings, ifNoneMatch: TagList = null) => {
    const answer = await answerRead(contextOf({ ifNoneMatch }), found, () => Promise.resolve({}));
    if (!answer.ok || answer.value.tag === undefined) return expect.unreachable('A read has a tag.');
    return { status: answer.value.status, tags: [answer.value.tag] };
  };

  test.each([
    ['the primary one first', 5, 6],
    ['the primary one last', 6, 5],
  ])('the tag keeps the older counter: %s', async (_, first, second) => {
    const { tags } = await read(findings(5, first, second));
    expect((await read(findings(5, 6, 6), tags)).status).toBe(304);
    // What became the sixth change may not be in the answer.
    expect((await read(findings(6, 6, 6), tags)).status).toBe(200);
  });
});
