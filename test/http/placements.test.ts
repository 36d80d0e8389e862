/** Applications that are made with a placement (docs/guides/deploying.md). */
import { inject } from 'vitest';
import { describe, expect, test } from 'vitest';
import { Client, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { callOperator, exported, imported } from '../support/transfer.ts';

const placed = (placement: unknown) => ({
  data: { type: 'core.application', attributes: { name: 'placed', placement } },
});

describe('an application near a region', () => {
  test('works as others do, and shows its placement', async () => {
    const { id, apiKey } = await operator().create('near', 'weur');
    expect(id).toMatch(/^[0-9a-f]{8}87/);
    const client = new Client(inject('url'), id, apiKey);
    const made = await client.make('things', { a: 1 });
    expect((await client.get(`/resources/things/${made.id}`)).status).toBe(200);
    expect((await callOperator('GET', id)).body.data.attributes).toEqual({
      name: 'near',
      placement: 'weur',
    });
    expect((await operator().list()).filter((each) => each.id === id)).toHaveLength(1);
    // The next application is anywhere.
    expect((await operator().create('anywhere')).id).toMatch(/^[0-9a-f]{8}[0-7]/);
  });

  test('stays where it is', async () => {
    const { id } = await operator().create('stays', 'oc');
    const patch = (attributes: object) =>
      callOperator('PATCH', id, { data: { type: 'core.application', id, attributes } });
    expect((await patch({ name: 'renamed', placement: 'oc' })).status).toBe(200);
    for (const placement of ['weur', null]) {
      expect(faultsOf(await patch({ placement }))).toEqual([
        '422 invalid-attribute /data/attributes/placement',
      ]);
    }
    const { id: anywhere } = await operator().create('anywhere');
    const moved = { data: { type: 'core.application', id: anywhere, attributes: { placement: 'weur' } } };
    expect(faultsOf(await callOperator('PATCH', anywhere, moved))).toEqual([
      '422 invalid-attribute /data/attributes/placement',
    ]);
  });
});

test.each(['europe', 1, ['eu'], { region: 'weur' }, ''])('%j is no placement', async (placement) => {
  expect(faultsOf(await callOperator('POST', '', placed(placement)))).toEqual([
    '422 invalid-attribute /data/attributes/placement',
  ]);
});

test('null is none', async () => {
  expect((await callOperator('POST', '', placed(null))).status).toBe(201);
});

test('on one machine there are no jurisdictions', async () => {
  const refused = await callOperator('POST', '', placed('eu'));
  expect(faultsOf(refused)).toEqual(['422 invalid-attribute /data/attributes/placement']);
  expect(refused.body.errors[0]?.detail).toContain('one machine');
});

test('an application of a jurisdiction can be imported on one machine', async () => {
  const seconds = (Math.floor(Date.now() / 1000) - 10).toString(16).padStart(8, '0');
  const id = `${seconds}80${crypto.getRandomValues(new Uint8Array(7)).toHex()}`;
  const attributes = { name: 'from elsewhere', placement: 'eu' };
  const line = JSON.stringify({ type: 'core.application', id, attributes });
  expect((await imported(id, 'core.application', [line])).status).toBe(200);
  const client = new Client(inject('url'), id, await operator().key(id, 'key'));
  await client.make('things', { a: 1 });
  expect(await exported(id, 'things')).toContain('"a":1');
});
