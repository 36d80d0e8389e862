/** A real Chromium out of npm packages alone: the machine needs no browser and none of its libraries. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await chromiumOptions());
}

/** How it is launched. */
export async function chromiumOptions() {
  const folder = await unpacked();
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--disable-gpu', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      HOME: folder,
    },
  };
}

/**
 * The folder with Chromium, unpacked once per version of its package. The package unpacks into the folder for temporary
 * files, and its libraries only where it believes to be at Amazon's: so it is told both, in a process of its own.
 */
async function unpacked(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const home = join(resolve('@sparticuz/chromium'), '../../..');
  const folder = join(home, '.unpacked');
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(join(home, '.unpacking-'));
  const program = 'import("@sparticuz/chromium").then((it) => it.default.executablePath())';
  await promisify(execFile)(process.execPath, ['-e', program], {
    cwd: home,
    env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  // The package's own table of fonts names Amazon's folders. Without a font, no text has a size.
  writeFileSync(
    join(fresh, 'fonts.conf'),
    `<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>`,
  );
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another test file was faster.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
