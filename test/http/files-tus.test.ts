/** The protocol of tus 1.0 (docs/files.md), and requests that break its rules. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { digestOf, fetchContent, FILES, PNG, randomBytes } from '../support/files.ts';
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
import { may } from '../support/people.ts';

describe('a request that breaks the rules of tus', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create('broken');
  });

  test.each([
    ['no version', { 'tus-resumable': '0.2' }, '412 precondition-failed Tus-Resumable:'],
    ['no length', { 'upload-length': '' }, '400 invalid-header Upload-Length:'],
    ['a length that is none', { 'upload-length': '-1' }, '400 invalid-header Upload-Length:'],
    ['too many bytes', { 'upload-length': '5000000001' }, '413 body-too-large Upload-Length:'],
    [
      'more said of it than is kept',
      { 'upload-metadata': `other ${'A'.repeat(8_192)}` },
      '400 invalid-header Upload-Metadata:',
    ],
    [
      'a name that is not encoded',
      { 'upload-metadata': 'filename a.txt' },
      '400 invalid-header Upload-Metadata:',
    ],
    [
      'no media type',
      { 'upload-metadata': `filetype ${base64('png')}` },
      '415 unsupported-media-type Upload-Metadata:',
    ],
    [
      'a media type that is not encoded',
      { 'upload-metadata': 'filetype text/plain!' },
      '415 unsupported-media-type Upload-Metadata:',
    ],
  ])('begins nothing: %s', async (_, headers, fault) => {
    expect(faultsOf(await begin(client, 10, headers))).toEqual([fault]);
  });

  test.each([
    ['no version', 0, { 'tus-resumable': '' }, '412 precondition-failed Tus-Resumable:'],
    ['another media type', 0, { 'content-type': 'text/plain' }, '415 unsupported-media-type Content-Type:'],
    ['no offset', '', {}, '400 invalid-header Upload-Offset:'],
    ['another offset', 5, {}, '409 offset-conflict Upload-Offset:'],
    ['an unknown checksum', 0, { 'upload-checksum': 'md5 AAAA' }, '400 invalid-header Upload-Checksum:'],
    ['more bytes than it has', 0, {}, '413 body-too-large'],
  ])('goes on with nothing: %s', async (what, offset, headers, fault) => {
    const id = await begun(client, 10);
    const bytes = randomBytes(what === 'more bytes than it has' ? 11 : 4);
    expect(faultsOf(await send(client, id, offset, bytes, headers))).toEqual([fault]);
    expect(await offsetOf(client, id)).toBe(0);
  });

  test('but a type may be said that is empty, as browsers have it of files that they do not know', async () => {
    const id = await begun(client, 0, { 'upload-metadata': `filename ${base64('a.xyz')},filetype ` });
    const { attributes } = (await client.get(`${FILES}/${id}`)).body.data;
    expect(attributes).toMatchObject({ name: 'a.xyz', 'media-type': 'application/octet-stream' });
  });

  test('has more bytes than it said, and no length', async () => {
    const id = await begun(client, 10);
    const body = new Blob([new Uint8Array(11)]).stream();
    const headers = {
      ...VERSION,
      ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    };
    const sent = await client.send('PATCH', `${UPLOADS}/${id}`, { body, headers });
    expect(faultsOf(sent)).toEqual(['413 body-too-large']);
    expect(await offsetOf(client, id)).toBe(0);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['a\0\r\nb\u202Egpj.exe', 'abgpj.exe'],
    ['"; filename="b', '"; filename="b'],
  ])('names its file %j', async (filename, name) => {
    const id = await begun(client, 0, { 'upload-metadata': `filename ${base64(filename)}` });
    expect((await client.get(`${FILES}/${id}`)).body.data.attributes?.['name']).toBe(name);
    const { headers } = await fetchContent(client, id);
    expect(headers.get('content-disposition')).not.toMatch(/[\r\n\u202e]|[^\\]"; filename=/);
  });

  test('is told the version of tus, and OPTIONS tells what the service knows of it', async () => {
    const versionOf = ({ headers }: Reply) =>
      ['tus-resumable', 'tus-version'].map((name) => headers.get(name));
    const other = { 'tus-resumable': '0.2.2' };
    expect(versionOf(await begin(client, 10, other))).toEqual(['1.0.0', '1.0.0']);
    expect(versionOf(await send(client, NO_ID, 0, PNG))).toEqual(['1.0.0', null]);
    for (const path of [UPLOADS, `${UPLOADS}/${NO_ID}`]) {
      const asked = await fetch(`${client.url}${path}`, { method: 'OPTIONS' });
      expect([asked.status, Object.fromEntries(asked.headers)]).toMatchObject([
        204,
        {
          'tus-version': '1.0.0',
          'tus-extension': 'creation,expiration,checksum,termination',
          'tus-checksum-algorithm': 'sha1,sha256',
          'tus-max-size': '5000000000',
        },
      ]);
    }
  });

  test('says its method in a header, where a proxy lets no other than POST through', async () => {
    const id = await begun(client, 4);
    const posts = await client.withPermissions([may('post', '/files/.*')]);
    const asked = async (method: string, body?: string) =>
      (await posts.post(`${UPLOADS}/${id}`, body, { ...VERSION, 'x-http-method-override': method })).status;
    expect([await asked('PATCH'), await asked('GET')]).toEqual([403, 405]);
    // A body, which HEAD cannot have, is not looked at.
    expect([await asked('HEAD'), await asked('HEAD', 'x')]).toEqual([403, 403]);
    const uploadUrl = `${client.url}${UPLOADS}/${id}`;
    expect(await uploadBy(client, PNG.slice(0, 4), { uploadUrl, overridePatchMethod: true })).toBe(id);
    expect(await digestAt(client, id)).toBe(digestOf(PNG.slice(0, 4)));
    const elsewhere = { 'x-http-method-override': 'DELETE' };
    expect((await client.post(`${FILES}/${id}`, undefined, elsewhere)).status).toBe(405);
  });

  test.each([`filename ${base64('é.txt')}, other bnVsbA==,is_confidential`, null])(
    'is told what was said of the upload, as it was said: %s',
    async (said) => {
      const id = await begun(client, 2, said === null ? {} : { 'upload-metadata': said });
      const look = async () => {
        const { headers } = await client.send('HEAD', `${UPLOADS}/${id}`, { headers: VERSION });
        return ['upload-metadata', 'upload-length', 'upload-offset', 'cache-control'].map((name) =>
          headers.get(name),
        );
      };
      expect(await look()).toEqual([said, '2', '0', 'no-store']);
      await send(client, id, 0, PNG.slice(0, 1));
      expect(await look()).toEqual([said, '2', '1', 'no-store']);
    },
  );

  test.each([NO_ID])('finds no upload %s', async (id) => {
    expect(await offsetOf(client, id)).toBe(404);
    expect(faultsOf(await send(client, id, 0, PNG))).toEqual(['404 not-found']);
  });

  test('has a name that its key may not write', async () => {
    const permission = may('post', '/files/.*', { fields: { write: ['title'] } });
    const only = await client.withPermissions([permission]);
    const named = { 'upload-metadata': `filename ${base64('a.txt')}` };
    expect(faultsOf(await begin(only, 10, named))).toEqual(['403 field-not-permitted /data/attributes/name']);
  });
});
