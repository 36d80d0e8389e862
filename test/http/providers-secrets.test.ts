/** The secret of a provider: whom it is shown to, and where it is sent. */
import { beforeEach, expect, test } from 'vitest';
import { faultsOf } from '../support/faults.ts';
import { useSites, type Site } from '../support/providers.ts';

const sites = useSites();
let site: Site;
beforeEach(() => {
  site = sites.site();
});

test('the secret of a provider is never shown, and users see no providers', async () => {
  const made = await site.addProvider({ name: 'other', 'client-secret': 'hush-hush' });
  expect([made.status, made.text.includes('hush-hush')]).toEqual([201, false]);
  expect((await site.client.get('/users/core.identity-provider')).text).not.toContain('hush-hush');
  expect((await site.web.get('/users/core.identity-provider')).status).toBe(403);
  // Nor is it found by guessing.
  const guess = 'filter[client-secret]={"$regex":"^hush"}';
  expect((await site.client.get(`/users/core.identity-provider?${guess}`)).body.data).toEqual([]);
  const sorted = await site.client.get('/users/core.identity-provider?sort=client-secret');
  expect(sorted.text).toContain('no-such-field');
});

test('no other address gets the secret of a provider that is there', async () => {
  const made = await site.addProvider({ name: 'other', 'client-secret': 'hush-hush' });
  const path = `/users/core.identity-provider/${made.body.data.id}`;
  const elsewhere = 'https://mallory.example';
  const update = (sent: object) => site.client.update(path, sent);
  const refused = ['422 invalid-attribute /data/attributes/client-secret'];
  for (const name of ['issuer', 'token-endpoint'])
    expect(faultsOf(await update({ attributes: { [name]: elsewhere } }))).toEqual(refused);
  expect((await update({ meta: { update: { $max: { issuer: elsewhere } } } })).status).toBe(422);
  expect((await update({ attributes: { issuer: site.issuer.url, scopes: ['openid'] } })).status).toBe(200);
  for (const secret of ['another', null])
    expect((await update({ attributes: { issuer: elsewhere, 'client-secret': secret } })).status).toBe(200);
  expect((await update({ attributes: { issuer: site.issuer.url } })).status).toBe(200);
});
