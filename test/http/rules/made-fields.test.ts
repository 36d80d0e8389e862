/** What the service makes (secret ids, tokens, times) is a field, too: a rule hides it unless it names it. */
import { describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { operate } from '../../support/operations.ts';
import { EVERY_METHOD, makeExternalUser, may } from '../../support/people.ts';

const trusted = await Client.create();

describe('what the service makes is a field, too', () => {
  test('the secure-id of a key is not shown by a rule that does not name it', async () => {
    const limited = await trusted.withPermissions([
      may(EVERY_METHOD, '/api-keys/core\\.api-key.*', { fields: { read: ['name'] } }),
    ]);
    const listed = await limited.get('/api-keys/core.api-key');
    // The first key of the application, and this one.
    expect(listed.body.meta.count).toBe(2);
    for (const { attributes } of listed.body.data) expect(Object.keys(attributes ?? {})).toEqual(['name']);
    const made = await limited.create('/api-keys/core.api-key', {
      attributes: { name: 'k', permissions: [] },
    });
    expect(Object.keys(made.body.data.attributes ?? {})).toEqual(['name']);
  });

  test('nor is the token of an external user, and it is shown by one that does', async () => {
    await makeExternalUser(trusted);
    const shown = async (read: readonly string[]) => {
      const limited = await trusted.withPermissions([
        may('get', '/users/core\\.external-user\\.token.*', { fields: { read } }),
      ]);
      const listed = await limited.get('/users/core.external-user.token');
      return listed.body.data.map(({ attributes, relationships }) =>
        [...Object.keys(attributes ?? {}), ...Object.keys(relationships ?? {})].sort(),
      );
    };
    expect(await shown(['created', 'user', 'holder-version'])).toEqual([['created', 'user']]);
    expect(await shown(['token'])).toEqual([['token']]);
  });

  test('what the service knows of a document is not told of what is added in a list', async () => {
    const limited = await trusted.withPermissions([
      may(EVERY_METHOD, '/resources/.*', { where: { a: 1 }, fields: { read: ['a'] } }),
      may('post', '/operations'),
    ]);
    for (const a of [1, 2]) {
      const added = await operate(
        limited,
        [{ op: 'add', data: { type: 'added', attributes: { a, b: 1 } } }],
        {},
        '?fields[added]=a,b,$created,$creator',
      );
      const { type, attributes, ...rest } = added.results[0]?.data ?? expect.fail();
      expect({ type, attributes }).toEqual({ type: 'added', attributes: a === 1 ? { a } : undefined });
      expect(Object.keys(rest).sort()).toEqual(['id', 'links']);
    }
  });
});
