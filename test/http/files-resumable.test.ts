/** Uploads in several requests, by tus 1.0 (docs/files.md): by its own client, and by requests that break its rules. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import {
  contentsOf,
  digestOf,
  fetchContent,
  FILES,
  PNG,
  randomBytes,
  storePicture,
} from '../support/files.ts';
import { HeldRequest, outwait } from '../support/held-request.ts';
import { makeUser, may, underAcl } from '../support/people.ts';
import {
  base64,
  begin,
  begun,
  digestAt,
  offsetOf,
  send,
  uploadBy,
  UPLOADS,
  VERSION,
} from '../support/resumable.ts';
import { newService } from '../support/scope.ts';
import { workerNamed } from '../support/own-service.ts';

describe('an upload by tus-js-client', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('tus');
  });

  test('makes a file of its name and type', async () => {
    const id = await uploadBy(client, PNG, {
      metadata: { filename: 'é.png', filetype: 'image/png', other: 'x' },
    });
    expect((await client.get(`${FILES}/${id}`)).body.data.attributes).toMatchObject({
      name: 'é.png',
      'media-type': 'image/png',
      size: PNG.length,
      'sha-256': digestOf(PNG),
      width: 1,
    });
    expect((await fetchContent(client, id)).bytes).toEqual(PNG);
  });

  const MIB = 1024 * 1024;
  test.each([
    [0, Infinity],
    [12 * MIB + 3, Infinity],
    [12 * MIB + 3, 700_001],
    [10 * MIB, 5 * MIB],
    [300, 7],
  ])('of %i bytes in pieces of %i stores them all', async (size, chunkSize) => {
    const bytes = randomBytes(size);
    const id = await uploadBy(client, bytes, { chunkSize });
    expect(await digestAt(client, id)).toBe(digestOf(bytes));
    expect((await client.get(`${FILES}/${id}`)).body.data.attributes?.['size']).toBe(size);
  });

  test('goes on where it was cut off', async () => {
    const bytes = randomBytes(9 * MIB);
    const id = await begun(client, bytes.length);
    await send(client, id, 0, bytes.slice(0, 6 * MIB + 5));
    const uploadUrl = `${client.url}${UPLOADS}/${id}`;
    expect(await uploadBy(client, bytes, { uploadUrl, chunkSize: 2 * MIB })).toBe(id);
    expect(await digestAt(client, id)).toBe(digestOf(bytes));
    // Who has not heard that it is done asks again, and is told.
    expect(await offsetOf(client, id)).toBe(bytes.length);
    expect(await uploadBy(client, bytes, { uploadUrl })).toBe(id);
  });
});

describe('an upload', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('cut');
  });

  test('cut off at any byte keeps what has come, and no more', async () => {
    const text = new TextEncoder().encode('0123456789abcdef');
    for (let cut = 1; cut < text.length; cut += 1) {
      const id = await begun(client, text.length);
      expect((await send(client, id, 0, text.slice(0, cut))).headers.get('upload-offset')).toBe(String(cut));
      expect(await offsetOf(client, id)).toBe(cut);
      expect((await fetchContent(client, id)).status).toBe(404);
      const last = await send(client, id, cut, text.slice(cut));
      expect(last.headers.get('content-location')).toBe(`${client.url}${FILES}/${id}`);
      expect((await fetchContent(client, id)).bytes).toEqual(text);
    }
  });

  test('of a client that goes away keeps what has come', async () => {
    const whole = JSON.stringify('x'.repeat(2_000));
    const id = await begun(client, whole.length);
    const type = { 'content-type': 'application/offset+octet-stream' };
    const headers = { ...VERSION, ...type, 'upload-offset': '0' };
    const held = new HeldRequest(client, 'PATCH', `${UPLOADS}/${id}`, 'x'.repeat(2_000), {
      declared: true,
      headers,
    });
    await outwait(300, () => offsetOf(client, id));
    held.abandon();
    await expect.poll(() => offsetOf(client, id)).toBe(whole.length / 2);
    const rest = new TextEncoder().encode(whole.slice(whole.length / 2));
    expect((await send(client, id, whole.length / 2, rest)).status).toBe(204);
    expect(await digestAt(client, id)).toBe(digestOf(whole));
  });

  test('is continued by one request at a time', async () => {
    const bytes = randomBytes(11_000_000);
    const id = await begun(client, bytes.length);
    const answers = await Promise.all([1, 2, 3].map(() => send(client, id, 0, bytes)));
    const done = answers.filter(({ status }) => status === 204);
    expect(done.length).toBeGreaterThan(0);
    for (const each of answers.filter(({ status }) => status !== 204)) {
      expect(['409 offset-conflict Upload-Offset:', '404 not-found']).toContain(faultsOf(each)[0]);
    }
    expect(await digestAt(client, id)).toBe(digestOf(bytes));
  });

  test('is ended by DELETE, and leaves nothing', async () => {
    const own = await Client.create('ended');
    const id = await begun(own, 12_000_000);
    await send(own, id, 0, randomBytes(6_000_000));
    expect((await own.delete(`${UPLOADS}/${id}`, undefined, VERSION)).status).toBe(204);
    expect(await offsetOf(own, id)).toBe(404);
    expect(faultsOf(await send(own, id, 0, randomBytes(6)))).toEqual(['404 not-found']);
    await expect.poll(() => contentsOf(own)).toEqual([]);
  });

  test('ended by DELETE while its last bytes come leaves nothing', async () => {
    const own = await Client.create('ended late');
    const bytesOf = async () => {
      const usage = await operator().ask('GET', `/${own.application}/usage`);
      return (usage as { readonly meta: { readonly bytes: number } }).meta.bytes;
    };
    const id = await begun(own, 1_000_002);
    const reserved = await bytesOf();
    const type = { 'content-type': 'application/offset+octet-stream' };
    const headers = { ...VERSION, ...type, 'upload-offset': '0' };
    const body = 'x'.repeat(1_000_000);
    const held = new HeldRequest(own, 'PATCH', `${UPLOADS}/${id}`, body, { declared: true, headers });
    await outwait(300, () => offsetOf(own, id));
    expect((await own.delete(`${UPLOADS}/${id}`, undefined, VERSION)).status).toBe(204);
    await expect.poll(bytesOf).toBeLessThan(reserved - 900_000);
    expect((await held.finish()).status).toBe(408);
    await expect.poll(() => contentsOf(own)).toEqual([]);
  });

  test('whose last bytes two requests bring keeps its content', async () => {
    const own = await Client.create('twice');
    const id = await begun(own, 2_002);
    const type = { 'content-type': 'application/offset+octet-stream' };
    const headers = { ...VERSION, ...type, 'upload-offset': '0' };
    const options = { declared: true, headers };
    const [first, second] = ['x', 'y'].map(
      (each) => new HeldRequest(own, 'PATCH', `${UPLOADS}/${id}`, each.repeat(2_000), options),
    );
    await outwait(300, () => offsetOf(own, id));
    expect((await first?.finish())?.status).toBe(204);
    expect((await second?.finish())?.status).toBe(408);
    // What is due is swept together.
    const other = await storePicture(own, PNG);
    await own.delete(`${FILES}/${other}`);
    await expect.poll(() => contentsOf(own)).toEqual([id]);
    expect(await digestAt(own, id)).toBe(digestOf(JSON.stringify('x'.repeat(2_000))));
  });

  test('that never goes on counts as a whole, so that nobody begins more than there is room for', async () => {
    const own = await Client.create('unfinished');
    await begun(own, 10);
    const { meta } = (await operator().ask('GET', `/${own.application}/usage`)) as {
      readonly meta: { readonly bytes: number };
    };
    await operator().change(own.application, { quotas: { bytes: meta.bytes + 10_500_000 } });
    const answers = await Promise.all(Array.from({ length: 30 }, () => begin(own, 1_000_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const each of answers.filter(({ status }) => status !== 201)) {
      expect(faultsOf(each)).toEqual(['507 quota-exceeded']);
    }
  });

  test('says when it ends', async () => {
    const made = await begin(client, 10);
    const ends = Date.parse(made.headers.get('upload-expires') ?? '');
    expect(ends - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });

  test('is that of its user', async () => {
    const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    const web = await underAcl(client);
    const id = await begun(web, 10, ada.headers);
    expect(await offsetOf(web, id, ada.headers)).toBe(0);
    for (const headers of [eve.headers]) {
      expect(await offsetOf(web, id, headers)).toBe(404);
      expect(faultsOf(await send(web, id, 0, randomBytes(10), headers))).toEqual(['404 not-found']);
      expect((await web.delete(`${UPLOADS}/${id}`, undefined, { ...VERSION, ...headers })).status).toBe(404);
    }
    expect((await send(web, id, 0, randomBytes(10), ada.headers)).status).toBe(204);
    expect((await fetchContent(web, id, ada.headers)).status).toBe(200);
    expect((await fetchContent(web, id, eve.headers)).status).toBe(403);
    expect(await offsetOf(web, id, eve.headers)).toBe(404);
  });

  test('obeys the rules of the key, and the first bytes', async () => {
    const rule = may('post patch get', '/files/.*', { check: { 'media-type': 'image/png' } });
    const only = await client.withPermissions([rule]);
    const id = await begun(only, 10);
    expect(faultsOf(await send(only, id, 0, randomBytes(10)))[0]).toMatch(/^403 rule-violated/);
    expect(await offsetOf(only, id)).toBe(404);
    const lie = await begun(client, 10, { 'upload-metadata': `filetype ${base64('image/png')}` });
    expect(faultsOf(await send(client, lie, 0, randomBytes(10)))).toEqual([
      '415 unsupported-media-type Content-Type:',
    ]);
  });
});

test('of two last requests that find nothing yet, the content of the first is kept', async () => {
  const entry = workerNamed('racing-bucket');
  const own = await newService({ entry });
  const { client } = own;
  const id = await begun(client, 10);
  const both = ['x', 'y'].map((each) => send(client, id, 0, new TextEncoder().encode(each.repeat(10))));
  expect((await Promise.race(both)).status).toBe(204);
  await fetch(`${client.url}/test/go`);
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([204, 408]);
  const { attributes } = (await client.get(`${FILES}/${id}`)).body.data;
  expect(await digestAt(client, id)).toBe(attributes?.['sha-256']);
});

describe('a checksum', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('checksums');
  });
  const sha1 = async (bytes: Uint8Array<ArrayBuffer>) =>
    `sha1 ${new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).toBase64()}`;

  test('keeps other bytes out, in parts too, and lets the right ones in', async () => {
    const bytes = new Uint8Array(randomBytes(11_000_000));
    const id = await begun(client, bytes.length);
    const right = { 'upload-checksum': await sha1(bytes) };
    const other = new Uint8Array(bytes);
    other[7] = (other[7] ?? 0) ^ 1;
    expect(faultsOf(await send(client, id, 0, other, right))).toEqual([
      '460 checksum-differs Upload-Checksum:',
    ]);
    expect(await offsetOf(client, id)).toBe(0);
    const first = new Uint8Array(bytes.slice(0, 6_000_000));
    await send(client, id, 0, first, { 'upload-checksum': await sha1(first) });
    const rest = new Uint8Array(bytes.slice(6_000_000));
    expect((await send(client, id, 6_000_000, rest, { 'upload-checksum': await sha1(rest) })).status).toBe(
      204,
    );
    expect(await digestAt(client, id)).toBe(digestOf(bytes));
  });

  test('of SHA-256 is known', async () => {
    const id = await begun(client, PNG.length);
    const header = `sha256 ${Uint8Array.fromHex(digestOf(PNG)).toBase64()}`;
    expect((await send(client, id, 0, PNG, { 'upload-checksum': header })).status).toBe(204);
  });
});
