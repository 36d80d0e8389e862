/**
 * Examples that are whole pages in one file: served under the strict policy of our pages, which runs nothing inline. So
 * their style and script become files beside them.
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetOf, ROOT, wayTo, type Page } from './pages.ts';

/** The pages of `docs/examples`. */
export function examples(): readonly Page[] {
  return readdirSync(join(ROOT, 'docs/examples'))
    .filter((name) => name.endsWith('.html'))
    .map((name) => ({
      file: `docs/examples/${name}`,
      address: `docs/examples/${name.replace(/\.html$/, '')}`,
    }));
}

/** An example as assets: the page, its style and its script. */
export async function makeExample({ file, address }: Page): Promise<readonly (readonly [string, string])[]> {
  const name = assetOf(address).replace(/\.html$/, '');
  const to = (asset: string) => wayTo(address, `assets/${asset}`);
  const parts: [string, string][] = [];
  const page = (await readFile(join(ROOT, file), 'utf8'))
    .replace(/<style>(.*?)<\/style>/s, (_, style: string) => {
      parts.push([`${name}.css`, style]);
      return `<link rel="stylesheet" href="${to(`${name}.css`)}">`;
    })
    .replace(/<script type="module">(.*?)<\/script>/s, (_, script: string) => {
      parts.push([`${name}.js`, script]);
      return `<script type="module" src="${to(`${name}.js`)}"></script>`;
    });
  return [[assetOf(address), page], ...parts];
}
