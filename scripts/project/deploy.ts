/** Puts the package's Worker on Cloudflare's edge, as the project's wrangler.toml says: by wrangler, through npx. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION } from '../worker-options.ts';

const BUILT = 'node_modules/foredge/dist';

/** The exit code of wrangler. What is in the file already stays. */
export function deploy(root: string, args: readonly string[]): number {
  const own = join(root, 'wrangler.toml');
  if (!existsSync(own)) {
    const text = readFileSync(CONFIGURATION, 'utf8')
      .replace('"src/index.ts"', `"${BUILT}/worker.js"`)
      .replace('".assets"', `"${BUILT}/assets"`)
      // All is built.
      .replace(/^#[^\n]*\n\[build\]\n[^\n]*\n\n/m, '');
    writeFileSync(own, text);
    console.log(own);
  }
  return spawnSync('npx', ['wrangler', 'deploy', ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;
}
