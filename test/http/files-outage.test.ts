/** A bucket of files that does not answer: whoever needs it is told to come again; nothing is lost, nothing left. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import {
  contentPath,
  digestOf,
  FILES,
  formOf,
  linkTo,
  PNG,
  randomBytes,
  storePicture,
  upload,
  uploadForm,
} from '../support/files.ts';
import { OwnService, workerNamed } from '../support/own-service.ts';
import { begun, digestAt, offsetOf, send } from '../support/resumable.ts';

/** More than an isolate remembers. */
const large = randomBytes(200_000);

let own: OwnService;
let client: Client;
let file: string;
let href: string;
const fail = (code: string | null) =>
  fetch(`${own.url}/test/bucket${code === null ? '' : `?code=${code}`}`, { method: 'POST' });

beforeAll(async () => {
  own = await OwnService.start({ entry: workerNamed('broken-bucket') });
  client = own.client;
  file = await storePicture(client, new Uint8Array([...PNG, ...large]));
  href = String((await linkTo(client, file)).body.meta['href']).slice(own.url.length);
});
afterAll(() => own.stop());

/** A part of an upload, and what makes it one. */
const parts = randomBytes(5 * 1024 * 1024 + 10);
const bytes = randomBytes(10);

// Its own fault, too much to do, and too many requests for one object.
test.each(['10001', '10043', '10058'])(
  'that fails with %s is 503, and what was begun goes on',
  async (code) => {
    const [small, parted] = [await begun(client, bytes.length), await begun(client, parts.length)];
    await fail(code);
    const answers = {
      'an upload': await upload(client, bytes),
      'a large upload': await upload(client, large),
      'a form': await uploadForm(client, formOf([{ name: 'content', body: parts }])),
      'the last bytes of an upload': await send(client, small, 0, bytes),
      'a part of an upload': await send(client, parted, 0, parts),
      'a content': await client.get(contentPath(file)),
      'a size of a picture': await client.get(`${contentPath(file)}?width=64`),
      'a link': await client.get(href),
    };
    await fail(null);
    for (const [what, each] of Object.entries(answers)) {
      expect([what, ...faultsOf(each), each.headers.get('retry-after')]).toEqual([
        what,
        '503 unavailable',
        '10',
      ]);
    }
    expect((await client.get(FILES)).body.meta.count).toBe(1);
    for (const [id, all] of [
      [small, bytes],
      [parted, parts],
    ] as const) {
      const offset = await offsetOf(client, id);
      expect((await send(client, id, offset, all.slice(offset))).status).toBe(204);
      expect(await digestAt(client, id)).toBe(digestOf(all));
      await client.delete(`${FILES}/${id}`);
    }
  },
);
