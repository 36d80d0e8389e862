/** What the commands take from the environment: what holds without it, and what is refused. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '../../scripts/failure.ts';
import { dataFolder, serverSettings, serviceUrl } from '../../scripts/settings.ts';

const NAMES = ['PORT', 'DATA_DIR', 'STOP_SECONDS', 'FOREDGE_URL', 'LOG_DELAY'];
const ROOT = join(import.meta.dirname, '../..');

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([[undefined], ['']])('%j is as none', (nothing) => {
  for (const name of NAMES) vi.stubEnv(name, nothing);
  expect(serverSettings()).toMatchObject({ port: 8787, grace: 10_000 });
  expect(serverSettings().worker).not.toHaveProperty('LOG_DELAY');
  expect(dataFolder()).toBe(resolve('.foredge'));
  expect(serviceUrl()).toBeNull();
});

test('what is set counts', () => {
  vi.stubEnv('PORT', '0');
  vi.stubEnv('STOP_SECONDS', '3600');
  vi.stubEnv('LOG_DELAY', '5');
  vi.stubEnv('FOREDGE_URL', 'https://api.example.com/store');
  expect(serverSettings()).toMatchObject({ port: 0, grace: 3_600_000, worker: { LOG_DELAY: '5' } });
  expect(serviceUrl()).toBe('https://api.example.com/store');
});

describe('what is wrong is refused in a line that says what would be right', () => {
  test.each([
    ['PORT', '65536', 'PORT must be a number from 0 to 65535, not 65536.'],
    ['PORT', '-1', 'PORT must be a number from 0 to 65535, not -1.'],
    ['STOP_SECONDS', '1.5', 'STOP_SECONDS must be a number from 0 to 3600, not 1.5.'],
    ['LOG_DELAY', 'soon', 'The setting LOG_DELAY must be a whole number from 0 to 10000, not soon.'],
    ['FOREDGE_URL', 'api.example.com', 'FOREDGE_URL must be an http or https address, not api.example.com.'],
    ['FOREDGE_URL', 'localhost:8787', 'FOREDGE_URL must be an http or https address, not localhost:8787.'],
  ])('%s=%s', (name, value, message) => {
    vi.stubEnv(name, value);
    const read = name === 'FOREDGE_URL' ? serviceUrl : serverSettings;
    expect(read).toThrow(new Failure(message));
  });
});

test('nothing in src reads the environment of a process', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.filter((file) => readFileSync(join(ROOT, 'src', file), 'utf8').includes('process.env')),
  ).toEqual([]);
});
