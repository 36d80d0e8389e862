/** Data that end with their process: in memory where there is room, and gone when the process is, however it ended. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { volatileFolder } from '../../scripts/room.ts';

const MODULE = join(import.meta.dirname, '../../scripts/room.ts');

/** Runs a process that makes its folder, and then does what is said. */
function folderOf(then: string): string {
  const code = `import { volatileFolder } from ${JSON.stringify(MODULE)}; console.log(volatileFolder()); ${then}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout.trim();
}

test.skipIf(volatileFolder() === tmpdir())(
  'a folder in memory ends with its process, or with the next one',
  () => {
    const ended = folderOf('');
    expect(ended).not.toBe(tmpdir());
    expect(existsSync(ended)).toBe(false);
    const killed = folderOf(`process.kill(process.pid, 'SIGKILL')`);
    expect(existsSync(killed)).toBe(true);
    const others = join(killed, '../foredge-of-others');
    mkdirSync(others, { recursive: true });
    folderOf('');
    expect([existsSync(killed), existsSync(others), existsSync(volatileFolder())]).toEqual([
      false,
      true,
      true,
    ]);
    rmSync(others, { recursive: true });
  },
);
