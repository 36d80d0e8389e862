/** Pictures in sizes, as they are kept beside the content (docs/files.md): for how long. */
import { describe, expect, test } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { erase } from '../support/app.ts';
import { Client, NO_ID, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentPath, contentsOf, FILES, linkTo, PNG, storePicture } from '../support/files.ts';
import { SECRETS, workerNamed } from '../support/own-service.ts';
import { makeUser, underAcl } from '../support/people.ts';
import { fetchSize, picturesOf, pngOf } from '../support/pictures.ts';
import { begun } from '../support/resumable.ts';
import { newService } from '../support/scope.ts';

describe('the pictures made of a file', () => {
  const made = async (own: Client, file: string, headers = {}) => {
    for (const query of ['width=64', 'width=128', 'width=128&format=webp']) {
      expect((await fetchSize(own, file, query, headers)).status).toBe(200);
    }
  };

  test('go with it, and with nothing else', async () => {
    const own = await Client.create('picture ends');
    const [one, other] = [await storePicture(own, pngOf(300, 200)), await storePicture(own, pngOf(300, 200))];
    await made(own, one);
    await made(own, other);
    expect(await picturesOf(own)).toHaveLength(6);
    await own.delete(`${FILES}/${one}`);
    await expect.poll(() => picturesOf(own)).toHaveLength(3);
    expect((await picturesOf(own)).every((key) => key.startsWith(`${other}/`))).toBe(true);
    expect(await contentsOf(own)).toEqual([other]);
  });

  test('go with the person whose file it is', async () => {
    const own = await Client.create('picture erased');
    const ada = await makeUser(own, 'ada');
    const web = await underAcl(own);
    await made(web, await storePicture(web, PNG, ada.headers), ada.headers);
    await erase(own, ada.link);
    await expect.poll(() => picturesOf(own)).toEqual([]);
  });

  test('go with its application', async () => {
    const own = await Client.create('picture gone');
    await made(own, await storePicture(own, PNG));
    expect(await picturesOf(own)).toHaveLength(3);
    await operator().delete(own.application);
    expect(await picturesOf(own)).toEqual([]);
  });
});

interface Findings {
  readonly meta: { readonly findings: readonly { readonly document: string; readonly detail: string }[] };
}

describe('a service of its own', async () => {
  const own = await newService({ entry: workerNamed('late-picture') });

  test('deletes a picture that came after its file had gone', async () => {
    const setClock = (ahead: number) => fetch(`${own.url}/test/clock?ahead=${ahead}`, { method: 'POST' });
    await setClock(-660_000);
    const file = await storePicture(own.client, pngOf(400, 200));
    await own.client.delete(`${FILES}/${file}`);
    await expect.poll(() => contentsOf(own.client)).toEqual([]);
    const key = `pictures/${own.client.application}/${file}/late`;
    await fetch(`${own.url}/test/late?key=${key}`, { method: 'POST' });
    expect(await picturesOf(own.client)).toEqual([`${file}/late`]);
    await setClock(0);
    await expect.poll(() => picturesOf(own.client)).toEqual([]);
  });

  test('deletes a picture that comes after its application was erased', async () => {
    const { url } = own;
    const client = await own.renew();
    const file = await storePicture(client, pngOf(400, 200));
    const picture = fetchSize(client, file, 'width=64');
    await expect.poll(() => fetch(`${url}/test/held`).then((held) => held.text())).toBe('1');
    await new Operator(url, SECRETS.OPERATOR_SECRET).delete(client.application);
    expect((await picture).status).toBeGreaterThanOrEqual(400);
    expect(await picturesOf(client)).toEqual([]);
  });

  test('tells its operator of files without content, and of contents without a file', async () => {
    const { url } = own;
    const client = await own.renew();
    const found = async () => {
      const path = `/${client.application}/findings`;
      const { meta } = (await new Operator(url, SECRETS.OPERATOR_SECRET).ask('GET', path)) as Findings;
      return meta.findings.map(({ document, detail }) => `${document}: ${detail}`);
    };
    const [lost] = [await storePicture(client, PNG), await storePicture(client, PNG)];
    await client.delete(`${FILES}/${await storePicture(client, PNG)}`);
    await begun(client, 10);
    expect(await found()).toEqual([]);
    const keyOf = (id: string) => `${url}/test/late?key=${client.application}/${id}`;
    await fetch(keyOf(lost), { method: 'DELETE' });
    await fetch(keyOf(NO_ID), { method: 'POST' });
    expect(await found()).toEqual([
      `${FILES}/${lost}: The content is not in the bucket.`,
      `${FILES}/${NO_ID}: The bucket has ${client.application}/${NO_ID}, which is the content of no file.`,
    ]);
  });

  test('without Images says what to do', async () => {
    const { client } = await newService({ entry: workerNamed('without-images') });
    const file = await storePicture(client, PNG);
    const answers = [
      await client.get(`${contentPath(file)}?width=64`),
      await linkTo(client, file, { until: new Date(Date.now() + 60_000).toISOString(), width: 64 }),
    ];
    for (const each of answers) {
      expect(faultsOf(each)).toEqual(['501 not-configured']);
      expect(each.body.errors[0]?.detail).toContain('bind Images as IMAGES in wrangler.toml');
    }
    expect((await linkTo(client, file)).status).toBe(200);
  });
});
