/** Static assets: scripts and pages that need no key, with headers of ours (issue: a pleasure to use). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { ASSETS, buildAssets } from '../../scripts/build-assets.ts';
import { faultsOf } from '../support/faults.ts';
import { Client, MEDIA_TYPE } from '../support/client.ts';
import { newFolder } from '../support/scope.ts';

const nobody = new Client(inject('url'), '', '');
const SCRIPT = '/assets/openapi-explorer.js';

describe('a static asset', () => {
  test('is served as it was made, with its media type and a policy that lets nothing in', async () => {
    const answer = await nobody.get(SCRIPT);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(readFileSync(join(ASSETS, 'openapi-explorer.js'), 'utf8'));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cache-control': 'public, no-cache',
      etag: expect.stringMatching(/^"[\w-]{27}"$/) as unknown,
    });
  });

  test('is asked for again each time, unless its name has its hash', async () => {
    const names = readdirSync(ASSETS).filter((name) => name.startsWith('dashboard'));
    const of = async (name: string) => (await nobody.get(`/assets/${name}`)).headers.get('cache-control');
    const [chunk = ''] = names.filter((name) => name !== 'dashboard.js' && name.endsWith('.js'));
    expect(await of(chunk)).toBe('public, max-age=31536000, immutable');
    expect(await of('dashboard.js')).toBe('public, no-cache');
  });

  test('is 304 under its tag, and whole under another', async () => {
    const { etag } = await nobody.get(SCRIPT);
    for (const list of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await nobody.get(SCRIPT, { 'if-none-match': list });
      expect([again.status, again.text, again.etag]).toEqual([304, '', etag]);
    }
    expect((await nobody.get(SCRIPT, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('has the same head by HEAD', async () => {
    const [get, head] = [await nobody.get(SCRIPT), await nobody.send('HEAD', SCRIPT)];
    expect([head.status, head.text, head.etag]).toEqual([200, '', get.etag]);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });

  test.each([
    '/assets/none.js',
    '/assets/manifest.json',
    '/assets/..%2fpackage.json',
    '/assets/%2e%2e%2fpackage.json',
    '/assets/__proto__',
    '/assets/.js',
  ])('%s is 404 in JSON:API', async (path) => {
    const answer = await nobody.get(path);
    expect(faultsOf(answer)).toEqual(['404 not-found']);
    expect(answer.headers.get('content-type')).toBe(MEDIA_TYPE);
  });

  test.each(['POST', 'PATCH', 'DELETE', 'PUT'])('knows no %s: 405 with Allow', async (method) => {
    const answer = await nobody.send(method, SCRIPT);
    expect(faultsOf(answer)).toEqual(['405 method-not-allowed']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe('building', () => {
  const folder = newFolder();
  const group = (name: string, files: Readonly<Record<string, string>>, input = 'package.json') => ({
    name,
    inputs: [input],
    make: () => Promise.resolve(new Map(Object.entries(files))),
  });

  test('makes only what has changed, and removes what is no longer made', async () => {
    const [a, b] = [group('a', { 'a.js': '1', 'b.js': '2' }), group('b', { 'c.js': '3' })];
    expect(await buildAssets([a, b], folder)).toEqual(['a', 'b']);
    expect(await buildAssets([a, b], folder)).toEqual([]);
    expect(await buildAssets([group('a', { 'a.js': '4' }, 'README.md'), b], folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a.js'), 'utf8')).toBe('4');
    expect(existsSync(join(folder, 'b.js'))).toBe(false);
    expect(await buildAssets([a], folder)).toEqual(['a']);
    expect(existsSync(join(folder, 'c.js'))).toBe(false);
  });
});
