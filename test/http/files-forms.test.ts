/** Files that come in forms: multipart/form-data with a content and a document (docs/files.md). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { joined } from '../../src/domain/values/bytes.ts';
import { Client, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import {
  BOUNDARY,
  contentsOf,
  digestOf,
  fetchContent,
  FILES,
  formOf,
  PNG,
  randomBytes,
  upload,
  uploadForm,
  type Part,
} from '../support/files.ts';
import { makeUser, may, underAcl } from '../support/people.ts';

const client = await Client.create('forms');

const documentOf = (members: object = {}): Part => ({
  name: 'document',
  body: JSON.stringify({ data: { type: 'core.file', ...members } }),
});
const CONTENT: Part = { name: 'content', body: PNG, filename: 'ada.png', head: ['Content-Type: image/png'] };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const HEAD = 'Content-Disposition: form-data; name="content"';
const base64 = (hex: string) => Uint8Array.fromHex(hex).toBase64();

describe('a form', () => {
  test.each([
    ['before', [documentOf({ attributes: { title: 'Ada' } }), CONTENT]],
    ['after', [CONTENT, documentOf({ attributes: { title: 'Ada' } })]],
  ])('has a document %s its content', async (_, parts) => {
    const made = await uploadForm(client, formOf(parts));
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toEqual({
      name: 'ada.png',
      title: 'Ada',
      'media-type': 'image/png',
      size: PNG.length,
      'sha-256': digestOf(PNG),
      created: expect.stringMatching(/Z$/) as string,
      ...{ width: 1, height: 1 },
    });
    expect((await fetchContent(client, made.body.data.id)).bytes).toEqual(PNG);
  });

  test('as browsers send it is taken', async () => {
    const form = new FormData();
    form.append('document', JSON.stringify({ data: { type: 'core.file', attributes: { title: 'É' } } }));
    form.append('content', new File([PNG], 'é "1" €.png', { type: 'image/png' }));
    const sent = new Response(form);
    const type = sent.headers.get('content-type') ?? '';
    const made = await upload(client, await sent.bytes(), { 'content-type': type });
    expect(made.body.data.attributes).toMatchObject({
      name: 'é "1" €.png',
      title: 'É',
      'media-type': 'image/png',
    });
  });

  test('brings relationships, rights and another name', async () => {
    const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
    const person = await client.make('people', {});
    const web = await underAcl(client);
    const document = documentOf({
      attributes: { name: 'other.png' },
      relationships: { shows: { data: { type: 'people', id: person.id } } },
      meta: { acl: { read: [eve.link] } },
    });
    const made = await uploadForm(web, formOf([document, CONTENT]), ada.headers);
    expect(made.body.data.attributes?.['name']).toBe('other.png');
    const shown = await client.get(`${FILES}/${made.body.data.id}?include=shows`);
    expect(shown.body.included.map(({ id }) => id)).toEqual([person.id]);
    expect((await fetchContent(web, made.body.data.id, eve.headers)).status).toBe(200);
  });

  test.each([0, 1, 5 * 1024 * 1024 - 1, 5 * 1024 * 1024, 5 * 1024 * 1024 + 1, 17_000_000])(
    'has a content of %i bytes, and is counted as that',
    async (size) => {
      const own = await Client.create('sizes');
      const bytes = randomBytes(size);
      const before = await usage(own);
      const made = await uploadForm(own, formOf([{ name: 'content', body: bytes }, documentOf()]));
      expect(made.body.data.attributes).toMatchObject({ size, 'sha-256': digestOf(bytes) });
      expect(digestOf((await fetchContent(own, made.body.data.id)).bytes)).toBe(digestOf(bytes));
      const after = await usage(own);
      expect(after - before).toBeGreaterThanOrEqual(size);
      expect(after - before).toBeLessThan(size + 400_000);
      await own.delete(`${FILES}/${made.body.data.id}`);
      await expect.poll(() => contentsOf(own)).toEqual([]);
    },
  );

  test('counts as its content alone, whatever stands around that', async () => {
    const own = await Client.create('around');
    await uploadForm(own, formOf([CONTENT]));
    const before = await usage(own);
    const around = joined(new Uint8Array(1_000_000).fill(32), new TextEncoder().encode('\r\n'));
    const made = await uploadForm(own, joined(around, formOf([{ name: 'content', body: 'x' }])));
    expect(made.body.data.attributes?.['size']).toBe(1);
    expect((await usage(own)) - before).toBeLessThan(500_000);
  });

  test.each([
    ['a line break before no delimiter', `\r\n--${BOUNDARY.slice(0, -1)}y`],
    ['the beginning of a delimiter at its end', '\r\n----'],
    ['nothing but line ends', '\r'.repeat(10_000)],
    ['the delimiter inside a line', `x--${BOUNDARY}--`],
  ])('has a content with %s', async (_, body) => {
    const made = await uploadForm(client, formOf([{ name: 'content', body }]));
    const { bytes } = await fetchContent(client, made.body.data.id);
    expect(new TextDecoder().decode(bytes)).toBe(body);
  });

  const DELIMITER = `--${BOUNDARY}`;
  test.each([
    ['text before and after it', `Hello\r\n${DELIMITER}\r\n${HEAD}\r\n\r\nx\r\n${DELIMITER}--\r\nBye`],
    ['blanks after its delimiters', `${DELIMITER} \t\r\n${HEAD}\r\n\r\nx\r\n${DELIMITER}-- \r\n`],
    ['no line after its end', `${DELIMITER}\r\n${HEAD}\r\n\r\nx\r\n${DELIMITER}--`],
  ])('may have %s', async (_, form) => {
    const made = await uploadForm(client, bytesOf(form));
    expect(made.body.data.attributes?.['size']).toBe(1);
  });

  test.each([
    ['Multipart/Form-Data;charset=utf-8;  Boundary=x', 'x'],
    ['multipart/form-data; boundary="a b"', 'a b'],
  ])('is said as %s', async (type, boundary) => {
    const form = `--${boundary}\r\n${HEAD}\r\n\r\nx\r\n--${boundary}--\r\n`;
    const made = await upload(client, bytesOf(form), { 'content-type': type });
    expect(made.body.data.attributes).toMatchObject({ 'media-type': 'application/octet-stream', size: 1 });
  });

  test('may come byte by byte', async () => {
    const own = await Client.create('bytes');
    const form = formOf([
      documentOf({ attributes: { title: 'x' } }),
      { name: 'content', body: 'a\r\n-\r\n--' },
    ]);
    const { hostname, port } = new URL(own.url);
    const socket = connect(Number(port), hostname).setNoDelay(true);
    await once(socket, 'connect');
    const head = [
      `POST ${FILES} HTTP/1.1`,
      `Host: ${hostname}`,
      'connection: close',
      `application-id: ${own.application}`,
      `api-key: ${own.key}`,
      `content-length: ${form.length}`,
      `content-type: multipart/form-data; boundary="${BOUNDARY}"`,
    ].join('\r\n');
    socket.write(`${head}\r\n\r\n`);
    for (const byte of form) await new Promise((resolve) => socket.write(Uint8Array.of(byte), resolve));
    socket.resume();
    await once(socket, 'close');
    const [file] = (await own.get(FILES)).body.data;
    expect(file?.attributes).toMatchObject({ title: 'x', size: 8 });
  });

  test('has the digest of its content in the part', async () => {
    const head = [`Content-Digest: sha-256=:${base64(digestOf(PNG))}:`];
    expect((await uploadForm(client, formOf([{ ...CONTENT, head }]))).status).toBe(201);
  });
});

const usage = async ({ application }: Client) =>
  ((await operator().ask('GET', `/${application}/usage`)) as { meta: { bytes: number } }).meta.bytes;

describe('a form that is wrong leaves nothing', () => {
  let own: Client;
  beforeAll(async () => {
    own = await Client.create('wrong forms');
  });

  const wrongDigest = [`Content-Digest: sha-256=:${base64('00'.repeat(32))}:`];
  const big = 'x'.repeat(1024 * 1024 + 1);
  test.each<[string, Uint8Array, string]>([
    ['no content', formOf([documentOf()]), '400 invalid-body'],
    ['two contents', formOf([CONTENT, CONTENT]), '400 invalid-body'],
    ['two documents', formOf([CONTENT, documentOf(), documentOf()]), '400 invalid-body'],
    ['another part', formOf([CONTENT, { name: 'more', body: 'x' }]), '400 invalid-body'],
    ['no end', formOf([CONTENT], ''), '400 invalid-body'],
    ['another boundary', formOf([CONTENT]).slice(1), '400 invalid-body'],
    [
      'lines that end in LF',
      bytesOf(new TextDecoder().decode(formOf([CONTENT])).replaceAll('\r', '')),
      '400 invalid-body',
    ],
    ['a part without headers', bytesOf(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`), '400 invalid-body'],
    [
      'words after a delimiter',
      bytesOf(`--${BOUNDARY} x\r\n${HEAD}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`),
      '400 invalid-body',
    ],
    ['nothing but its end', bytesOf(`--${BOUNDARY}--`), '400 invalid-body'],
    ['no bytes', new Uint8Array(), '400 invalid-body'],
    ['a document that is no JSON', formOf([CONTENT, { ...documentOf(), body: '{' }]), '400 invalid-json'],
    ['an empty document', formOf([CONTENT, { ...documentOf(), body: '' }]), '400 missing-body'],
    ['a document of no object', formOf([CONTENT, { ...documentOf(), body: '1' }]), '400 invalid-body /data'],
    ['a document that is too large', formOf([CONTENT, { ...documentOf(), body: big }]), '413 body-too-large'],
    ['endless headers', formOf([{ ...CONTENT, head: [`X: ${'x'.repeat(20_000)}`] }]), '400 invalid-body'],
    [
      'no media type',
      formOf([{ ...CONTENT, head: ['Content-Type: png'] }]),
      '415 unsupported-media-type Content-Type:',
    ],
    ['another digest', formOf([{ ...CONTENT, head: wrongDigest }]), '400 digest-differs Content-Digest:'],
    [
      'a digest that it makes itself',
      formOf([CONTENT, documentOf({ attributes: { 'sha-256': '0'.repeat(64) } })]),
      '422 read-only-member /data/attributes/sha-256',
    ],
    [
      'another media type in its document',
      formOf([CONTENT, documentOf({ attributes: { 'media-type': 'text/html' } })]),
      '422 read-only-member /data/attributes/media-type',
    ],
    ['an id', formOf([CONTENT, documentOf({ id: '0'.repeat(24) })]), '403 client-id /data/id'],
    [
      'another type',
      formOf([CONTENT, { name: 'document', body: '{"data":{"type":"people"}}' }]),
      '409 type-conflict /data/type',
    ],
  ])('for %s', async (_, form, fault) => {
    expect(faultsOf(await uploadForm(own, form))).toEqual([fault]);
    expect((await own.get(FILES)).body.meta.count).toBe(0);
    await expect.poll(() => contentsOf(own)).toEqual([]);
  });

  test.each([
    ...['', '; boundary=', '; boundary=""', `; boundary=${'b'.repeat(71)}`, '; boundary="\xe9"'].map(
      (said): [string, Readonly<Record<string, string>>, string] => [
        `the boundary ${said}`,
        { 'content-type': `multipart/form-data${said}` },
        '415 unsupported-media-type Content-Type:',
      ],
    ),
    [
      'a digest of the whole',
      { 'content-digest': `sha-256=:${base64(digestOf(PNG))}:` },
      '400 invalid-header Content-Digest:',
    ],
  ])('for %s in its headers', async (_, headers, fault) => {
    expect(faultsOf(await uploadForm(own, formOf([CONTENT]), headers))).toEqual([fault]);
  });

  test('for fields that the key may not write', async () => {
    const permission = may('post', '/files/.*', { fields: { write: ['title'] } });
    const only = await own.withPermissions([permission]);
    const bare = { name: 'content', body: PNG };
    const form = formOf([bare, documentOf({ attributes: { title: 'x', name: 'y' } })]);
    expect(faultsOf(await uploadForm(only, form))).toEqual(['403 field-not-permitted /data/attributes/name']);
    await expect.poll(() => contentsOf(own)).toEqual([]);
    const fine = formOf([bare, documentOf({ attributes: { title: 'x' } })]);
    expect((await uploadForm(only, fine)).status).toBe(201);
  });
});
