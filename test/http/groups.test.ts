/** The bounds of groups hold over HTTP, on every way into a group, and however many requests come at once. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { Client, type Link } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();
const [full, free] = await Promise.all([external(), external()]);

async function external(): Promise<Link> {
  const made = await client.create('/users/core.external-user');
  return { type: 'core.external-user', id: made.body.data.id };
}

const groupOf = (...members: readonly Link[]) => ({
  data: { type: 'core.user-group', relationships: { users: { data: members } } },
});

test('nobody is in more groups than one may be', async () => {
  const before = LIMITS.groupsOfIdentity - 5;
  for (let made = 0; made < before; made += 50) {
    const size = Math.min(50, before - made);
    await Promise.all(
      Array.from({ length: size }, () => client.post('/users/core.user-group', groupOf(full))),
    );
  }
  // All at once: as many as fit are made, and no more.
  const rest = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/users/core.user-group', groupOf(free, full))),
  );
  expect(rest.filter(({ status }) => status === 201)).toHaveLength(5);
  const refused = rest.filter(({ status }) => status !== 201);
  const fault = '422 invalid-relationship /data/relationships/users/data';
  expect(new Set(refused.flatMap(faultsOf))).toEqual(new Set([fault]));

  const other = (await client.post('/users/core.user-group', groupOf(free))).body.data;
  const path = `/users/core.user-group/${other.id}`;
  const body = { data: { id: other.id, ...groupOf(full).data } };
  expect(faultsOf(await client.patch(path, body))).toEqual([fault]);
  const listed = await client.get(
    `/users/core.user-group?filter[users.id]={"$oid":"${full.id}"}&page[limit]=1`,
  );
  expect(listed.body.meta.count).toBe(LIMITS.groupsOfIdentity);
  // One who leaves makes room.
  await client.delete(`/users/core.user-group/${listed.body.data[0]?.id ?? ''}`);
  expect((await client.patch(path, body)).status).toBe(200);
});
