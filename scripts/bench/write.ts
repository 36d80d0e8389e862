/** Writes the page with the figures of a run: what stands between the marks, the rest is by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const PAGE = join(import.meta.dirname, '../../docs/benchmarks.md');
const BEGIN = '<!-- Made by npm run bench. -->';
const END = '<!-- End of what npm run bench made. -->';

export async function writePage(report: string): Promise<void> {
  const text = readFileSync(PAGE, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new Error('docs/benchmarks.md has lost its marks.');
  const page = `${text.slice(0, begin)}${BEGIN}\n\n${report}\n\n${text.slice(end)}`;
  const options = await resolveConfig(PAGE);
  writeFileSync(PAGE, await format(page, { ...options, parser: 'markdown' }));
}
