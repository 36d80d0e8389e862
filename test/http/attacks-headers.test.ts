/** Attacks by header: doubled, foreign, enormous or broken ones, the login above all. */
import { describe, expect, test } from 'vitest';
import { moveIn, requestText, sendRaw, settle } from '../support/attack.ts';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const LOGIN = '/users/core.user.token';

const town = await settle();

const raw = async (lines: readonly string[], target = '/resources/notes', client = town.web) =>
  (await sendRaw(client.url, requestText(client, 'GET', target, { lines }))).status;

const asMallory = () => `Authorization: ${town.mallory.headers.authorization}`;

describe('a header that is sent twice, or holds what no header holds, opens nothing', () => {
  test.each<[string, () => readonly string[], number]>([
    ['nothing but what is right', () => [asMallory()], 200],
    ['another api-key after the first', () => [asMallory(), `api-key: ${town.service.key}`], 401],
    ['the same api-key again', () => [asMallory(), `api-key: ${town.web.key}`], 401],
    ['another application-id', () => [asMallory(), 'application-id: system'], 401],
    ['two tokens', () => [asMallory(), `Authorization: ${town.ada.headers.authorization}`], 401],
    ['a login and a token', () => [`Authorization: Basic eDp5`, asMallory()], 401],
    ['a folded header', () => ['Authorization: Token', ` ${town.ada.token}`], 400],
    ['a header without a colon', () => [asMallory(), 'api-key'], 400],
    ['a header with a space in its name', () => [asMallory(), 'api key: x'], 400],
    ['a NUL in a token', () => [`${asMallory()}\0`], 400],
    ['a carriage return in a token', () => [`${asMallory()}\rX: y`], 400],
    ['bytes above ASCII in a token', () => [`${asMallory()}\xe4`], 401],
    ['bytes above ASCII for a token', () => ['Authorization: Token \xff\xfe\xfd'], 401],
    ['bytes above ASCII in an unknown header', () => [asMallory(), 'X-Name: \xe4\xf6\xfc'], 200],
    ['60 KB of a token', () => [`Authorization: Token ${'x'.repeat(60_000)}`], 401],
    ['a header of 200 KB', () => [asMallory(), `X-Long: ${'x'.repeat(200_000)}`], 200],
    [
      '5,000 headers',
      () => [asMallory(), ...Array.from({ length: 5000 }, (_, n) => `X-${n}: ${'y'.repeat(20)}`)],
      200,
    ],
    ['an If-None-Match of 50 KB', () => [asMallory(), `If-None-Match: ${'"AAAA",'.repeat(7000)}`], 200],
    ['an If-None-Match that never ends', () => [asMallory(), `If-None-Match: "${'A'.repeat(50_000)}`], 400],
    ['an If-None-Match of blanks', () => [asMallory(), `If-None-Match: ""${' '.repeat(50_000)}x`], 400],
    ['an If-None-Match of commas', () => [asMallory(), `If-None-Match: ${','.repeat(50_000)}`], 200],
    ['an Accept of 50 KB', () => [asMallory(), `Accept: ${'a/b;q=0.1,'.repeat(5000)}*/*`], 200],
    ['an Accept of semicolons', () => [asMallory(), `Accept: ${';'.repeat(50_000)}`], 406],
    ['a request id with a line break', () => [asMallory(), 'X-Request-Id: a\\nb'], 200],
  ])('%s', async (_, lines, status) => {
    expect(await raw(lines())).toBe(status);
  });

  test.each(['a b', '[', '%', 'a:99999', 'a:-1', '\xe4'])('the host %s', async (host) => {
    const text = requestText(town.service, 'GET', '/resources/notes').replace(/Host: .*/, `Host: ${host}`);
    const answered = await sendRaw(town.service.url, text);
    expect([answered.status, answered.text]).toEqual([400, expect.not.stringContaining('"pin"')]);
  });
});

describe('no header changes what a request is', () => {
  test.each([
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-HTTP-Method', 'DELETE'],
    ['X-Method-Override', 'PATCH'],
    ['X-Original-URL', '/users/core.user'],
    ['X-Rewrite-URL', '/users/core.user'],
    ['X-Forwarded-Host', 'elsewhere.example'],
    ['X-Forwarded-Proto', 'https'],
    ['Forwarded', 'host=elsewhere.example'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-User', 'ada'],
    ['Remote-User', 'ada'],
    ['Cookie', 'token=x'],
    ['Upgrade', 'websocket'],
    ['Expect', '100-continue'],
    ['Range', 'bytes=0-1'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Origin', 'null'],
  ])('%s: %s', async (name, value) => {
    const path = `/resources/notes/${town.note.id}`;
    const plain = await sendRaw(town.web.url, requestText(town.web, 'GET', path, { lines: [adaLine()] }));
    const changed = await sendRaw(
      town.web.url,
      requestText(town.web, 'GET', path, { lines: [adaLine(), `${name}: ${value}`] }),
    );
    expect([changed.status, bodyOf(changed.text)]).toEqual([200, bodyOf(plain.text)]);
  });

  const adaLine = () => `Authorization: ${town.ada.headers.authorization}`;
  const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n'));
});

describe('a login that is none is 401', () => {
  const attempt = (authorization: string | undefined, address: string) =>
    town.web.post(LOGIN, undefined, {
      ...(authorization !== undefined && { authorization }),
      'cf-connecting-ip': address,
    });
  const pair = (text: string) => `Basic ${btoa(text)}`;

  test.each<[string, string | undefined]>([
    ['no header', undefined],
    ['nothing', ''],
    ['the scheme alone', 'Basic'],
    ['the scheme and a space', 'Basic '],
    ['no base64', 'Basic ada:password'],
    ['base64 of nothing', pair('')],
    ['no colon', pair('ada')],
    ['no name', pair(":ada's password")],
    ['no password', pair('ada:')],
    ['a wrong password', pair('ada:password')],
    ['the password in upper case', pair("ada:ADA'S PASSWORD")],
    ['a space after the password', pair("ada:ada's password ")],
    ['a NUL after the password', pair("ada:ada's password\0")],
    ['a NUL after the name', pair("ada\0:ada's password")],
    ['the name in upper case', pair("ADA:ada's password")],
    ['a space before the name', pair(" ada:ada's password")],
    ['a name that every object has', pair('__proto__:password')],
    ['a pattern for a name', pair('{"$ne":null}:password')],
    ['SQL for a name', pair("ada' OR '1'='1:password")],
    ['a name that is a list', pair("['ada']:ada's password")],
    ['bytes that are no UTF-8', pair('ada:\xff\xfe')],
    ['a byte order mark', pair("\xef\xbb\xbfada:ada's password")],
    ['two logins', `${pair("ada:ada's password")}, ${pair("ada:ada's password")}`],
    ['the password of another', pair("ada:mallory's password")],
    ['6 KB of a password', pair(`ada:${'x'.repeat(6000)}`)],
    ['6 KB of a name', pair(`${'x'.repeat(6000)}:ada's password`)],
    ['20 KB of a login', pair(`ada:${'x'.repeat(15_000)}`)],
    ['the scheme of external users', `External ${btoa('ada:x')}`],
    ['a token', 'Token x'],
    ['an id token', 'Bearer a.b.c'],
  ])('%s', async (name, authorization) => {
    // Each from an address and, where it can be, against a user of its own: failures are counted for both.
    const user = `ada-${name.replaceAll(/[^a-z0-9]/gi, '-')}`;
    expect(faultsOf(await attempt(authorization, `login ${user}`))).toEqual([
      '401 invalid-login Authorization:',
    ]);
  });

  test('neither words nor headers tell an unknown name from a wrong password', async () => {
    const answers = [await attempt(pair('ada-2:wrong'), 'one'), await attempt(pair('mallory:wrong'), 'one')];
    const [unknown, wrong] = answers.map(({ status, text, headers }) => {
      const rest = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
      return { status, text, rest };
    });
    expect(unknown).toEqual(wrong);
  });

  test('the hash is no password', async () => {
    const { attributes } = (await town.service.get(`/users/core.user/${town.mallory.id}`)).body.data;
    const hash = String(attributes?.['password']);
    expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/);
    expect((await attempt(pair(`mallory:${hash}`), 'two')).status).toBe(401);
  });

  test('after guesses sent all at once, not even the right one is taken', async () => {
    const { name, password } = await moveIn(town.service, 'besieged');
    const guess = (text: string) => attempt(pair(`${name}:${text}`), 'three');
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(`guess ${n}`)));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
    // Which of them is looked at first, nobody says: the right one comes after them.
    const right = await guess(password);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    await town.keep();
  });

  test('a siege of one name shuts out no other', async () => {
    const client = new Client(town.web.url, town.web.application, town.web.key);
    const other = await client.post(LOGIN, undefined, {
      authorization: pair("mallory:mallory's password"),
      'cf-connecting-ip': 'four',
    });
    expect(other.status).toBe(201);
  });
});

test('after all of this nothing is changed, and Ada reads her note', () => town.expectUntouched());
