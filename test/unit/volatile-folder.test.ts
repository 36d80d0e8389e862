/** Data that end with their process: in memory where there is room, and gone when the process is, however it ended. */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { volatileFolder } from '../../scripts/room.ts';

const MODULE = join(import.meta.dirname, '../../scripts/room.ts');

/** Runs a process that makes its folder, and then does what is said; with what it may do, or what runs it. */
function folderOf(
  then: string,
  options: readonly string[] = [],
  [runner, ...through]: readonly string[] = [],
) {
  const code = `import { volatileFolder } from ${JSON.stringify(MODULE)}; console.log(volatileFolder()); ${then}`;
  const node = [process.execPath, ...options, '--input-type=module', '-e', code];
  const [command = '', ...rest] = runner === undefined ? node : [runner, ...through, ...node];
  return spawnSync(command, rest, { encoding: 'utf8' }).stdout.trim();
}

const DIE = `process.kill(process.pid, 'SIGKILL')`;
const isInMemory = volatileFolder() !== tmpdir();

test.skipIf(!isInMemory)('a folder in memory ends with its process, or with the next one', () => {
  const ended = folderOf('');
  expect(ended).not.toBe(tmpdir());
  expect(existsSync(ended)).toBe(false);
  const killed = folderOf(DIE);
  expect(existsSync(killed)).toBe(true);
  const others = join(killed, '../foredge-of-others');
  mkdirSync(others, { recursive: true });
  folderOf('');
  expect([existsSync(killed), existsSync(others), existsSync(volatileFolder())]).toEqual([false, true, true]);
  rmSync(others, { recursive: true });
});

test.skipIf(!isInMemory)('a folder is elsewhere where memory is not for this process', () => {
  expect(folderOf('', ['--permission', '--allow-fs-read=*'])).toBe(tmpdir());
});

const isRoot = isInMemory && process.getuid?.() === 0;

test.skipIf(!isRoot)('a folder of another user stays, whatever its name says', () => {
  const killed = folderOf(DIE);
  chownSync(killed, 65_534, 65_534);
  folderOf('');
  expect(existsSync(killed)).toBe(true);
  rmSync(killed, { recursive: true });
});

/** What runs a program where numbers of processes are others, as in a container. */
const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc'];
const hasContainers = isRoot && spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0;

test.skipIf(!hasContainers)('a folder of another container that shares the memory stays', () => {
  const mine = volatileFolder();
  folderOf('', [], CONTAINER);
  expect(existsSync(mine)).toBe(true);
});
