/** Small contents, which an isolate remembers once they came or went: not for whoever may not read them. */
import { expect, test } from 'vitest';
import { contentPath, fetchContent, FILES, linkTo, readAt, storePicture, PNG } from '../support/files.ts';
import { workerNamed } from '../support/own-service.ts';
import { makeUser, underAcl } from '../support/people.ts';
import { begun, send } from '../support/resumable.ts';
import { newService } from '../support/scope.ts';

test('a small content that came or went needs no bucket, but the right on its document at each request', async () => {
  const { client, url } = await newService({ entry: workerNamed('late-picture') });
  const [ada, eve] = [await makeUser(client, 'ada'), await makeUser(client, 'eve')];
  const web = await underAcl(client);
  const [id, read] = [await storePicture(web, PNG, ada.headers), await begun(web, PNG.length, ada.headers)];
  await send(web, read, 0, PNG, ada.headers);
  expect((await fetchContent(web, read, ada.headers)).bytes).toEqual(PNG);
  const until = new Date(Date.now() + 600_000).toISOString();
  const href = String((await linkTo(client, id, { until })).body.meta['href']);
  for (const each of [id, read]) {
    await fetch(`${url}/test/late?key=${client.application}/${each}`, { method: 'DELETE' });
  }
  for (const each of [id, read]) expect((await fetchContent(web, each, ada.headers)).bytes).toEqual(PNG);
  const part = await fetchContent(web, id, { ...ada.headers, range: 'bytes=1-3' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1-3/${PNG.length}`]);
  expect(part.bytes).toEqual(PNG.slice(1, 4));
  const statuses = async () => [
    (await fetchContent(web, id, eve.headers)).status,
    (await fetchContent(web, read, eve.headers)).status,
    (await readAt(href)).status,
  ];
  expect(await statuses()).toEqual([403, 403, 404]);
  await client.delete(`${FILES}/${id}`);
  expect((await client.get(contentPath(id))).status).toBe(404);
});
