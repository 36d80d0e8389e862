/** Which files of the project are pages of the site, and where each is served. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

/** A page that is made from a file. */
export interface Page {
  /** From the top of the project: `docs/guides/sharing.md`. */
  readonly file: string;
  /** From the top of the service, without a slash before it: `docs/guides/sharing`. */
  readonly address: string;
}

/** Files whose address does not follow from their path. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'docs/readme',
  'docs/README.md': 'docs/index',
  'CHANGELOG.md': 'docs/changelog',
  'SECURITY.md': 'docs/reporting',
  LICENSE: 'docs/license',
};

/** Files and folders that pages are made from. */
export const SOURCES: readonly string[] = [
  'docs',
  ...Object.keys(ELSEWHERE).filter((file) => !file.startsWith('docs/')),
];

/** Every page, in no order. */
export function pages(): readonly Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return [...new Set([...Object.keys(ELSEWHERE), ...docs])].map((file) => ({
    file,
    address: ELSEWHERE[file] ?? file.replace(/\.md$/, ''),
  }));
}

/** The name of the asset that holds a page: `docs-guides-sharing.html`. The Worker finds it by the address. */
export function assetOf(address: string): string {
  return `${address.replaceAll('/', '-')}.html`;
}

/** The way from one address to another, as a browser resolves it. */
export function wayTo(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length - 1)}${to}`;
}

/** A picture that pages show: its file, and the name of its asset. */
export interface Picture {
  readonly file: string;
  readonly asset: string;
}

/** The pictures of `docs/pictures`. */
export function pictures(): readonly Picture[] {
  const folder = join(ROOT, 'docs/pictures');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.png'))
    .map((name) => ({ file: `docs/pictures/${name}`, asset: `docs-pictures-${name}` }));
}
