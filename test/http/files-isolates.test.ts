/** Uploads that are begun in one isolate and ended in another, as requests reach different places of the edge. */
import { expect, test } from 'vitest';
import { digestOf, randomBytes } from '../support/files.ts';
import { inTwoIsolates } from '../support/isolates.ts';
import { begun, digestAt, offsetOf, send, uploadBy, UPLOADS } from '../support/resumable.ts';

test('an upload goes on from another isolate', async () => {
  const [here, there] = await inTwoIsolates();
  const bytes = randomBytes(8_000_000);
  const id = await begun(here, bytes.length);
  await send(here, id, 0, bytes.slice(0, 6_000_000));
  expect(await offsetOf(there, id)).toBe(6_000_000);
  expect(await uploadBy(there, bytes, { uploadUrl: `${there.url}${UPLOADS}/${id}` })).toBe(id);
  for (const client of [here, there]) expect(await digestAt(client, id)).toBe(digestOf(bytes));
});
