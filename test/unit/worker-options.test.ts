/** What the commands on this machine take from wrangler.toml, and what `npm run dev` needs beside it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isOperatorSecret, parseCredentialSecrets } from '../../src/auth/secrets.ts';
import { readSettings } from '../../src/domain/settings.ts';
import { workerOptions } from '../../scripts/worker-options.ts';
import { temporaryFolder } from '../support/started.ts';

const { path: folder, remove } = temporaryFolder();
afterAll(remove);

const CONFIGURATION = join(import.meta.dirname, '../../wrangler.toml');

test('bindings, dates and limits are those of wrangler.toml, and no variable is', async () => {
  const options = await workerOptions(CONFIGURATION, join(folder, 'read', 'kept.json'));
  const { loginFailuresByUser, loginFailuresByAddress } = readSettings({});
  expect(options).toMatchObject({
    compatibilityDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: {
      COLLECTIONS: { className: 'Collection', useSQLite: true },
      SESSIONS: { className: 'Session', useSQLite: true },
    },
    kvNamespaces: { LOOKUPS: {}, TOKENS: {} },
    // What holds without settings is the same in the Worker and at the edge.
    ratelimits: {
      LOGINS_BY_USER: { simple: { limit: loginFailuresByUser, period: 60 } },
      LOGINS_BY_ADDRESS: { simple: { limit: loginFailuresByAddress, period: 60 } },
    },
  });
  expect(options).not.toHaveProperty('bindings');
});

test('what was read is kept until wrangler.toml changes', async () => {
  const [file, kept] = [join(folder, 'wrangler.toml'), join(folder, 'kept.json')];
  const write = (date: string) => {
    writeFileSync(file, `name = "x"\nmain = "x.ts"\ncompatibility_date = "${date}"\n`);
  };
  const dateOf = async () => (await workerOptions(file, kept)) as { readonly compatibilityDate?: string };
  write('2026-01-02');
  expect(await dateOf()).toMatchObject({ compatibilityDate: '2026-01-02' });
  // Only who reads what is kept sees this.
  writeFileSync(
    kept,
    readFileSync(kept, 'utf8').replaceAll('"compatibilityDate":"2026-01-02"', '"compatibilityDate":"kept"'),
  );
  expect(await dateOf()).toMatchObject({ compatibilityDate: 'kept' });
  write('2026-03-04');
  expect(await dateOf()).toMatchObject({ compatibilityDate: '2026-03-04' });
  writeFileSync(kept, '{"text":');
  expect(await dateOf()).toMatchObject({ compatibilityDate: '2026-03-04' });
});

test('.dev.vars is made with sound secrets for its owner alone, and never written over', () => {
  const file = join(folder, '.dev.vars');
  const run = () =>
    execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/dev-vars.ts')], {
      cwd: folder,
      encoding: 'utf8',
    });
  expect(run()).toContain('.dev.vars');
  const made = readFileSync(file, 'utf8');
  const [, credentials = '', operator = ''] =
    /^CREDENTIAL_SECRETS="(.*)"\nOPERATOR_SECRET="(.*)"\n$/.exec(made) ?? [];
  expect(parseCredentialSecrets(credentials)).toHaveLength(1);
  expect(isOperatorSecret(operator)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(run()).toBe('');
  expect(readFileSync(file, 'utf8')).toBe(made);
  rmSync(file);
  run();
  expect(readFileSync(file, 'utf8')).not.toBe(made);
});
