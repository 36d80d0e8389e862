/** Every command that a page prints is run by something, as it is printed: by `npm run`, outside of the test runner. */
import { execFile, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { app } from '../support/app.ts';
import { isLong } from '../support/long.ts';
import { freePort, ROOT, Started, TERMINAL, until } from '../support/started.ts';
import { newFolder } from '../support/scope.ts';

interface Outcome {
  readonly code: number;
  readonly said: string;
}

async function npm(args: string, more: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const options = { cwd: ROOT, env: { ...TERMINAL, ...more }, maxBuffer: 1 << 26 };
  return promisify(execFile)('npm', args.split(' '), options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, said: stdout + stderr };
    },
  );
}

const folder = newFolder();

/** Commands whose short form is run here: what is typed, and what they say then. */
const SHORT: Readonly<Record<string, readonly [typed: string, says: RegExp, code?: number]>> = {
  // The other runs are tests of their own, in test/faults.
  'test:faults': ['run test:faults -- --short --seed 1 restores sessions', /restore[^]*session/],
  'test:mutants': ['run test:mutants -- src/collection/storage/ids.ts', /^noticed/m],
  // Its program is not everywhere; whatever it loads is.
  'test:pcre2': ['run test:pcre2', /There is no pcre2test/, 2],
  pictures: ['run pictures -- door --into FOLDER', /door-light\ndoor-dark/],
  bench: ['run bench -- --size 1000 --only ours,floor --works read --rounds 1 --seconds 0.1', /read by id/],
  docs: ['run docs -- --check', /docs/],
  sbom: ['run sbom', /CycloneDX/],
  deploy: ['run deploy -- --dry-run --outdir FOLDER/edge', /--dry-run: exiting now/],
  'format:fix': ['run format:fix -- --help', /Usage: \[-c=PATH\]/],
};

/** Those of them that take longest, and change least: the long form of tests runs them. */
const SLOW = ['test:faults', 'test:mutants', 'pictures', 'bench'];

/** Commands that are run elsewhere, and what that file says of them. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, says: string]>> = {
  start: ['test/support/started.ts', "['npm', 'start'"],
  test: ['.ci/run', 'npm test'],
  'test:long': ['test/mutants/copy.ts', 'test/long.config.ts'],
  'test:oldest': ['.ci/run', 'npm run --silent test:oldest'],
  check: ['.ci/run', 'npm run --silent check'],
  lint: ['scripts/check.ts', "'lint'"],
  types: ['scripts/check.ts', "'types'"],
  format: ['scripts/check.ts', "'format'"],
  unused: ['scripts/check.ts', "'unused'"],
  audit: ['.ci/run', 'npm run --silent audit'],
  demo: ['test/pictures/main.ts', "['run', '--silent', 'demo']"],
  // A minute each at their shortest: the other forms load what they load.
  'bench --memory': ['scripts/bench/main.ts', "from './memory.ts'"],
  'bench --live': ['scripts/bench/main.ts', "from './live.ts'"],
  'app create': ['test/http/start.test.ts', "app('create'"],
  'app list': ['test/http/start.test.ts', "app('list'"],
  'app rename': ['test/http/start.test.ts', "app('rename'"],
  'app key': ['test/http/start.test.ts', "app('key'"],
  'app delete': ['test/http/start.test.ts', "app('delete'"],
  'app undelete': ['test/http/application-deletion.test.ts', "'undelete'"],
  'app audit': ['test/http/audit.test.ts', "app(['audit'"],
  'app collections': ['test/http/erasing-people.test.ts', "'collections'"],
  'app users': ['test/http/erasing-people.test.ts', "'users'"],
  'app end-tokens': ['test/http/erasing-people.test.ts', "'end-tokens'"],
  'app delete-documents': ['test/http/erasing-people.test.ts', "'delete-documents'"],
  'app erase': ['test/http/erasing-people.test.ts', "'erase'"],
  'app oidc': ['test/http/oidc-operator.test.ts', "'oidc'"],
  'app quota': ['test/http/quotas-requests.test.ts', "'quota'"],
  'app usage': ['test/http/transfer/command.test.ts', "'usage'"],
  'app types': ['test/client/application-types.test.ts', "'types'"],
  'app init': ['test/http/project-pull.test.ts', "'init'"],
  'app dev': ['test/support/followed.ts', "'dev'"],
  'app check': ['test/http/project-pull.test.ts', "'check'"],
  'app diff': ['test/http/project-pull.test.ts', "'diff'"],
  'app push': ['test/http/project-pull.test.ts', "'push'"],
  'app pull': ['test/http/project-pull.test.ts', "'pull'"],
  'app seed': ['test/http/project-pull.test.ts', "'seed'"],
  'app migrate': ['test/http/project-migrate.test.ts', "'migrate'"],
  'app export': ['test/http/transfer/command.test.ts', "'export'"],
  'app import': ['test/http/transfer/command.test.ts', "'import'"],
  'app backup': ['test/http/transfer/restore.test.ts', "'backup'"],
  'app backups': ['test/http/transfer/restore.test.ts', "'backups'"],
  'app restore': ['test/http/transfer/restore.test.ts', "'restore'"],
  'app doctor': ['test/http/rules/links.test.ts', "app(['doctor'"],
  dev: ['test/http/commands.test.ts', 'npm run dev'],
  'app rewind': ['test/http/commands.test.ts', "'rewind'"],
};

/** The pages, without the marks of what commands have made. */
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].map((page) =>
  readFileSync(join(ROOT, page), 'utf8').replaceAll(/<!--[^]*?-->/g, ''),
);

/** What pages print: `start`, `app create`, `bench --live`, `wrangler kv namespace create`. */
const printed = new Set(
  pages.flatMap((page) =>
    [...page.matchAll(/\bnpm (?:(start|test)\b|run (?:--silent )?([\w:-]+)(?: -- ([^`\n|#>$]*))?)/g)].map(
      ([, plain, name = '', rest = '']) => plain ?? nameOf(name, rest.trim()),
    ),
  ),
);

function nameOf(script: string, rest: string): string {
  const words = rest.split(' ');
  // A page that makes a shorter name of the command names the others by that.
  if (script === 'app') return /^("|$)/.test(words[0] ?? '') ? '' : `app ${words[0] ?? ''}`;
  if (script === 'bench')
    return [script, ...words.filter((word) => /^--(live|memory)$/.test(word))].join(' ');
  if (script === 'wrangler')
    return [script, ...words.filter((word) => /^[a-z][a-z\d]*$/.test(word))].join(' ');
  return script;
}

/** They need an account; that there are such is asked of wrangler itself. */
const OF_ACCOUNTS = [...printed].filter((name) => /^wrangler \w/.test(name));

test('every command that a page prints is run by something', () => {
  const others = [...printed].filter(
    (name) =>
      name !== '' &&
      name !== 'wrangler' &&
      !OF_ACCOUNTS.includes(name) &&
      !(name in SHORT) &&
      !(name in ELSEWHERE),
  );
  expect(others).toEqual([]);
  expect(printed.size).toBeGreaterThan(50);
});

test.each(Object.entries(ELSEWHERE))('%s is run elsewhere', (_, [file, says]) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(says);
});

describe('a short form of', { timeout: 300_000 }, () => {
  const run = Object.entries(SHORT).filter(([name]) => isLong('store') || !SLOW.includes(name));
  test.each(run)('npm run %s works', async (_, [typed, says, code = 0]) => {
    // No program of PCRE2 has this name.
    const outcome = await npm(typed.replace('FOLDER', folder), { PCRE2TEST: join(folder, 'absent') });
    expect(outcome).toEqual({ code, said: expect.stringMatching(says) as unknown });
  });

  test('npm run dev serves', async () => {
    const port = await freePort();
    const args = ['run', 'dev', '--', '--port', String(port), '--persist-to', join(folder, 'dev')];
    const dev = new Started(spawn('npm', args, { cwd: ROOT, env: TERMINAL, detached: true }), folder);
    try {
      const url = `http://127.0.0.1:${port}/health`;
      await until('npm run dev serves', async () => (await fetch(url).catch(() => null))?.ok === true);
    } catch (error) {
      throw new Error(dev.output, { cause: error });
    } finally {
      await dev.killAll();
    }
  });

  test('npm run app -- rewind says that only the platform rewinds', async () => {
    const { application_id: id } = JSON.parse(await app(['create', 'Rewound'])) as Readonly<
      Record<'application_id', string>
    >;
    await expect(app(['rewind', id, '--at', new Date().toISOString()])).rejects.toThrow(/rewind/i);
  });

  // The help of a group lists its commands.
  const groups = Map.groupBy(OF_ACCOUNTS, (name) => name.split(' ').slice(1, -1).join(' '));
  test.each([...groups])('commands of wrangler %s are those that pages print', async (group, names) => {
    const { code, said } = await npm(`run wrangler -- ${group} --help`.replace('  ', ' '));
    expect(code, said).toBe(0);
    expect(names.filter((name) => !new RegExp(`${name}(\\s|$)`, 'm').test(said))).toEqual([]);
  });
});
