/** What the commands on this machine take from wrangler.toml, and what `npm run dev` needs beside it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { isOperatorSecret, parseCredentialSecrets } from '../../src/domain/environment/credential-secrets.ts';
import { readSettings } from '../../src/domain/environment/settings.ts';
import { workerOptions } from '../../scripts/worker-options.ts';
import { newFolder } from '../support/scope.ts';

const folder = newFolder();

const CONFIGURATION = join(import.meta.dirname, '../../wrangler.toml');

test('bindings, dates and limits are those of wrangler.toml, and no variable is', () => {
  const { loginFailuresByUser, loginFailuresByAddress } = readSettings({});
  expect(workerOptions()).toMatchObject({
    compatibilityDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
    compatibilityFlags: ['nodejs_compat', 'global_fetch_strictly_public'],
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
  expect(workerOptions()).not.toHaveProperty('bindings');
});

/** What wrangler reads and is no Worker's (it is bundled, its assets are read from the disk) or comes with a start. */
const NOT_TAKEN = ['assets', 'bindings', 'modulesRules', 'rootPath', 'cronTriggers', 'r2Buckets'];

test.each([
  ['as it is', (text: string) => text],
  [
    'with all that it offers in comments',
    (text: string) => text.replaceAll(/^# (?=\[\[|\w+ = "[\w-]+")/gm, ''),
  ],
  ['with an id', (text: string) => text.replace('binding = "TOKENS"', 'binding = "TOKENS"\nid = "abc"')],
])('wrangler reads the same in wrangler.toml %s', (_, change) => {
  const file = join(folder, 'wrangler.toml');
  writeFileSync(file, change(readFileSync(CONFIGURATION, 'utf8')));
  const filled = (options: object) =>
    Object.fromEntries(
      Object.entries(options as Readonly<Record<string, unknown>>).filter(
        ([name, value]) => !NOT_TAKEN.includes(name) && Object.values(value ?? {}).flat().length > 0,
      ),
    );
  const [ours, theirs] = [workerOptions(file), unstable_getMiniflareWorkerOptions(file).workerOptions].map(
    filled,
  );
  expect(theirs).toMatchObject(ours ?? {});
  expect(Object.keys(theirs ?? {}).sort()).toEqual(Object.keys(ours ?? {}).sort());
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
