/** The worked example of docs/access.md, pasted block by block against the service, with a real login provider. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Client } from '../support/client.ts';
import { Issuer } from '../support/issuer.ts';
import { pasteAll } from '../support/pasted.ts';
import { ROOT, temporaryFolder } from '../support/started.ts';

const folder = temporaryFolder();
let issuer: Issuer;
let stop: () => Promise<void>;
let client: Client;
beforeAll(async () => {
  ({ issuer, stop } = await Issuer.start());
  client = await Client.create();
  // As npm start leaves them.
  const credentials = { base_url: client.url, application_id: client.application, api_key: client.key };
  writeFileSync(join(folder.path, 'credentials.json'), JSON.stringify(credentials));
});
afterAll(async () => {
  await stop();
  folder.remove();
});

test('the blocks print what the page says', async () => {
  const ran = await pasteAll(readFileSync(join(ROOT, 'docs/access.md'), 'utf8'), {
    DATA_DIR: folder.path,
    OPERATOR_SECRET: inject('operatorSecret'),
    ISSUER: issuer.url,
    ID_TOKEN: await issuer.login('dora'),
  });
  expect(ran.length).toBe(12);
});
