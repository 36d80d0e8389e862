/** Uploads that lie, stop, take too much or are forbidden: they leave nothing (docs/files.md). */
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, operator, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import {
  contentsOf,
  digestOf,
  fetchContent,
  FILES,
  formOf,
  linkTo,
  PNG,
  randomBytes,
  upload,
  uploadForm,
} from '../support/files.ts';
import { HeldRequest, outwait } from '../support/held-request.ts';
import { OwnService, workerNamed } from '../support/own-service.ts';
import { makeUser, underAcl } from '../support/people.ts';
import { begin, begun, send, UPLOADS, VERSION } from '../support/resumable.ts';
import { newService } from '../support/scope.ts';

const TEN = new TextEncoder().encode('0123456789');
const base64 = (hex: string) => Uint8Array.fromHex(hex).toBase64();

/** Nothing is there: no document, and soon no content. */
async function expectNothing(client: Client): Promise<void> {
  expect((await client.get(FILES)).body.meta.count).toBe(0);
  await expect.poll(() => contentsOf(client)).toEqual([]);
}

describe('an upload with a digest', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('digests');
  });

  test.each([
    [`sha-256=:${base64('00'.repeat(32))}:`, '400 digest-differs Content-Digest:'],
    [`md5=:AAAA:, sha-256=:${base64('00'.repeat(32))}:`, '400 digest-differs Content-Digest:'],
    ['sha-256=:AAAA:', '400 invalid-header Content-Digest:'],
    ['sha-256=abc', '400 invalid-header Content-Digest:'],
  ])('of another content, %s, is not stored', async (digest, fault) => {
    expect(faultsOf(await upload(client, TEN, { 'content-digest': digest }))).toEqual([fault]);
    await expectNothing(client);
  });

  test('of its content, or of a kind that nobody knows, is stored', async () => {
    const own = await Client.create('right digests');
    const digest = `sha-256=:${base64(digestOf(TEN))}:`;
    expect((await upload(own, TEN, { 'content-digest': digest })).status).toBe(201);
    expect((await upload(own, TEN, { 'content-digest': 'crc32c=:AAAA:' })).status).toBe(201);
  });
});

describe('what a content is said to be', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('lies');
  });

  const text = (value: string) => new TextEncoder().encode(value);
  const HTML = text('<!doctype html><script>alert(1)</script>');
  const SVG = text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const GIF = text('GIF89a/*\x01\x00\x01\x00*/=1;alert(1)');
  const PDF = text('%PDF-1.7\n<script>alert(1)</script>');
  const EXE = text(`MZ${' '.repeat(100)}`);
  const OGG = text(`OggS${'\0'.repeat(24)}\x01vorbis${'\0'.repeat(40)}`);
  const ZIP = Uint8Array.fromHex('504b030414000000');
  const SEALED = new Uint8Array([...Uint8Array.fromHex('d0cf11e0a1b11ae1'), ...new Uint8Array(504)]);
  const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const FODT = 'application/vnd.oasis.opendocument.text-flat-xml';
  const THEME = 'application/vnd.openxmlformats-officedocument.theme+xml';
  const storedAs = async (bytes: Uint8Array, said: string) => {
    const made = await upload(client, bytes, said === '' ? {} : { 'content-type': said });
    if (made.status !== 201) return faultsOf(made);
    const { 'media-type': mediaType, width, height } = made.body.data.attributes ?? {};
    return [mediaType, width, height];
  };

  test.each<[string, Uint8Array, string]>([
    ['HTML, said to be a picture', HTML, 'image/png'],
    ['SVG, said to be another picture', SVG, 'image/webp'],
    ['nothing, said to be a picture', new Uint8Array(0), 'image/gif'],
    ['a picture, said to be another one', PNG, 'image/jpeg'],
    ['a picture, said to be text', PNG, 'text/html'],
    ['a picture and a script, said to be a script', GIF, 'text/javascript'],
    ['a program, said to be a film', EXE, 'video/mp4'],
    ['a page, said to be a PDF', HTML, 'application/pdf'],
    ['a program, said to be a PDF', EXE, 'application/pdf'],
    ['a picture, said to be a PDF', PNG, 'application/pdf'],
    ['text, said to be a zip', HTML, 'application/zip'],
    ['nothing, said to be a zip', new Uint8Array(0), 'application/zip'],
    ['a program, said to be a document', EXE, DOCX],
    ['what has a password, said to be a zip', SEALED, 'application/zip'],
  ])('is not believed of %s', async (_, bytes, said) => {
    expect(await storedAs(bytes, said)).toEqual(['415 unsupported-media-type Content-Type:']);
  });

  test.each<[string, Uint8Array, string, readonly unknown[]]>([
    ['a picture', PNG, 'image/png', ['image/png', 1, 1]],
    ['a picture that is cut off', text('GIF89a'), 'image/gif', ['image/gif']],
    ['a picture and a script, said to be the picture', GIF, 'image/gif', ['image/gif', 10799, 1]],
    ['a picture of which nothing is said', PNG, '', ['image/png', 1, 1]],
    ['text of which nothing is said', HTML, '', ['application/octet-stream']],
    ['a PDF', PDF, 'application/pdf', ['application/pdf']],
    ['a PDF of which nothing is said', PDF, '', ['application/pdf']],
    ['a PDF, said to be what is made of it', PDF, 'application/illustrator', ['application/illustrator']],
    ['a zip', ZIP, 'application/zip', ['application/zip']],
    ['a document, whose beginning says zip', ZIP, DOCX, [DOCX]],
    ['a document with a password', SEALED, DOCX, [DOCX]],
    ['a document that is XML', HTML, FODT, [FODT]],
    ['a part of a document, which is XML', HTML, THEME, [THEME]],
    ['sound in the form of films', OGG, 'video/ogg', ['video/ogg']],
    ['what nobody can tell', TEN, 'application/x-own', ['application/x-own']],
  ])('is believed of %s', async (_, bytes, said, stored) => {
    expect((await storedAs(bytes, said)).filter((each) => each !== undefined)).toEqual(stored);
  });
});

/** Sends the head of an upload and some bytes, and goes away. */
async function goAway(client: Client, length: number | null, sent: Uint8Array): Promise<void> {
  const { hostname, port } = new URL(client.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `POST ${FILES} HTTP/1.1`,
    `Host: ${hostname}`,
    `application-id: ${client.application}`,
    `api-key: ${client.key}`,
    ...(length === null ? ['transfer-encoding: chunked'] : [`content-length: ${length}`]),
    'content-type: text/plain',
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n`);
  await new Promise((resolve) => socket.write(sent, resolve));
  socket.end();
  socket.resume();
  await once(socket, 'close');
}

describe('an upload that stops', () => {
  test.each([0, 10, 5_000_000])('after %i bytes of more leaves nothing', async (bytes) => {
    const client = await Client.create('short');
    await upload(client, TEN);
    await client.delete(`${FILES}/${(await client.get(FILES)).body.data[0]?.id ?? NO_ID}`);
    await goAway(client, bytes + 1_000_000, randomBytes(bytes));
    await expectNothing(client);
  });

  test('is stored as far as it is said to go', async () => {
    const client = await Client.create('longer');
    await goAway(client, 4, TEN);
    const [file] = (await client.get(FILES)).body.data;
    expect(file?.attributes?.['size']).toBe(4);
    expect((await fetchContent(client, file?.id ?? '')).bytes).toEqual(TEN.slice(0, 4));
  });

  test('for a second is asked for its rights again', async () => {
    const client = await Client.create('revoked');
    const web = await underAcl(client);
    const ada = await makeUser(client, 'ada');
    const headers = { 'content-type': 'text/plain', ...ada.headers };
    const held = new HeldRequest(web, 'POST', FILES, 'x'.repeat(1_000), { declared: true, headers });
    await outwait(3_000, () => client.get(FILES));
    await client.update(`/users/core.user/${ada.link.id}`, { attributes: { name: 'Ada' } });
    expect((await held.finish()).status).toBe(401);
    await expectNothing(client);
  });

  test('for a second and goes on with another is asked for its rights again', async () => {
    const client = await Client.create('revoked part');
    const web = await underAcl(client);
    const ada = await makeUser(client, 'ada');
    const id = await begun(web, 1_002, ada.headers);
    const type = { 'content-type': 'application/offset+octet-stream' };
    const headers = { ...VERSION, ...type, 'upload-offset': '0', ...ada.headers };
    const path = `${UPLOADS}/${id}`;
    const held = new HeldRequest(web, 'PATCH', path, 'x'.repeat(1_000), { declared: true, headers });
    await outwait(3_000, () => client.get(FILES));
    await client.update(`/users/core.user/${ada.link.id}`, { attributes: { name: 'Ada' } });
    expect((await held.finish()).status).toBe(401);
    expect((await client.get(FILES)).body.meta.count).toBe(0);
    expect(await contentsOf(client)).toEqual([]);
  });
});

test('an upload whose beginning is another type is answered before the rest has come', async () => {
  const client = await Client.create('early');
  const headers = { 'content-type': 'image/png' };
  const html = '<script>alert(1)</script>'.repeat(12_000);
  const held = new HeldRequest(client, 'POST', FILES, html, { declared: true, headers });
  expect((await held.answer()).status).toBe(415);
  await expectNothing(client);
});

test('an upload that goes on after its application was erased leaves nothing', async () => {
  const client = await Client.create('erased');
  await upload(client, TEN);
  const headers = { 'content-type': 'text/plain' };
  const held = new HeldRequest(client, 'POST', FILES, 'x'.repeat(1_000), { declared: true, headers });
  await outwait(300, () => client.get(FILES));
  await operator().delete(client.application);
  expect((await held.finish()).status).toBeGreaterThanOrEqual(400);
  await expect.poll(() => contentsOf(client)).toEqual([]);
});

test('an upload without a length is refused, and read no further', async () => {
  const client = await Client.create('chunked');
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(TEN);
      controller.close();
    },
  });
  const refused = await client.send('POST', FILES, { body, headers: { 'content-type': 'text/plain' } });
  expect(faultsOf(refused)).toEqual(['411 length-required Content-Length:']);
});

test('an upload with an Idempotency-Key is refused: it would not be done once', async () => {
  const client = await Client.create('once');
  expect(faultsOf(await upload(client, TEN, { 'idempotency-key': 'k' }))).toEqual([
    '400 invalid-header Idempotency-Key:',
  ]);
});

describe('a quota of bytes', () => {
  test('is one for all ways of uploading, and is told before the bytes are taken', async () => {
    const client = await Client.create('full ways');
    await upload(client, TEN);
    const { meta } = (await operator().ask('GET', `/${client.application}/usage`)) as Usage;
    const size = 1_000_000;
    await operator().change(client.application, { quotas: { bytes: meta.bytes + 3.5 * size } });
    const bytes = randomBytes(size);
    const form = formOf([{ name: 'content', body: bytes }]);
    const ways = [() => upload(client, bytes), () => uploadForm(client, form), () => begin(client, size)];
    const answers = await Promise.all([...ways, ...ways, ...ways].map((each) => each()));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 507, 507, 507, 507, 507, 507]);
    const headers = { 'content-type': 'text/plain' };
    const held = new HeldRequest(client, 'POST', FILES, 'x'.repeat(size), { declared: true, headers });
    expect((await held.answer()).status).toBe(507);
  });

  test('counts contents exactly, also of uploads that race', async () => {
    const client = await Client.create('full');
    await upload(client, TEN);
    const usage = async () =>
      ((await operator().ask('GET', `/${client.application}/usage`)) as Usage).meta.bytes;
    const before = await usage();
    const size = 1_000_000;
    // Room for three, and for what the database takes beside them.
    await operator().change(client.application, { quotas: { bytes: before + 3.5 * size } });
    const bytes = randomBytes(size);
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(client, bytes)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const each of refused) expect(faultsOf(each)).toEqual(['507 quota-exceeded']);
    const [first] = answers.filter(({ status }) => status === 201);
    await client.delete(`${FILES}/${first?.body.data.id ?? ''}`);
    await expect.poll(() => contentsOf(client)).toHaveLength(3);
    const again = () => upload(client, bytes).then(({ status }) => status);
    await expect.poll(again, { interval: 300 }).toBe(201);
    expect(await again()).toBe(507);
  });
});

interface Usage {
  readonly meta: { readonly bytes: number };
}

describe('a service of its own settings', () => {
  let own: OwnService;
  beforeAll(async () => {
    own = await OwnService.start({ settings: { FILE_BYTES: '1000', BODY_DEADLINE: '400' } });
  });
  afterAll(() => own.stop());

  const refusalOf = ({ status, body }: Reply) => [status, body.errors[0]?.code];

  test('takes no larger file than FILE_BYTES says, and says so before it has come', async () => {
    expect((await upload(own.client, randomBytes(1_000))).status).toBe(201);
    for (const bytes of [1_001, 3_000_000]) {
      expect(refusalOf(await upload(own.client, randomBytes(bytes)))).toEqual([413, 'body-too-large']);
      const form = formOf([{ name: 'content', body: randomBytes(bytes) }]);
      expect(refusalOf(await uploadForm(own.client, form))).toEqual([413, 'body-too-large']);
    }
  });

  test('takes none of what says that it is larger, or not how large it is', async () => {
    const plain = { 'content-type': 'text/plain' };
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const statusOf = async (length: number, declared: boolean, headers: Readonly<Record<string, string>>) =>
      (await new HeldRequest(own.client, 'POST', FILES, 'x'.repeat(length), { declared, headers }).answer())
        .status;
    expect([await statusOf(1_001, true, plain), await statusOf(3_000_000, true, form)]).toEqual([413, 413]);
    expect([await statusOf(10, false, plain), await statusOf(10, false, form)]).toEqual([411, 411]);
  });

  test('gives up an upload that does not go on', async () => {
    const headers = { 'content-type': 'text/plain' };
    const held = new HeldRequest(own.client, 'POST', FILES, 'x'.repeat(500), { declared: true, headers });
    expect((await held.answer()).status).toBe(408);
    expect((await own.client.get(FILES)).body.meta.count).toBe(1);
  });

  test('keeps files over a restart', async () => {
    const bytes = randomBytes(900);
    const { id } = (await upload(own.client, bytes)).body.data;
    await own.restart();
    expect((await fetchContent(own.client, id)).bytes).toEqual(bytes);
  });
});

test('a service without a bucket says what to do', async () => {
  const own = await newService({
    entry: workerNamed('without-files'),
  });
  const { client } = own;
  const [document, uploads] = [`${FILES}/${NO_ID}`, `${UPLOADS}/${NO_ID}`];
  const answers = [
    await upload(client, TEN),
    await uploadForm(client, formOf([{ name: 'content', body: TEN }])),
    await client.get(`${document}/content`),
    await linkTo(client, NO_ID),
    await client.get(`${FILES}?until=${new Date(Date.now() + 60_000).toISOString()}`),
    await begin(client, 10),
    await client.get(uploads),
    await send(client, NO_ID, 0, TEN),
    await client.delete(uploads, undefined, VERSION),
    await client.get(`/content/${client.application}/x`),
  ];
  for (const each of answers) {
    expect(faultsOf(each)).toEqual(['501 not-configured']);
    expect(each.body.errors[0]?.detail).toContain('bind one as FILES in wrangler.toml');
  }
  expect((await own.client.get(FILES)).body.meta.count).toBe(0);
});
