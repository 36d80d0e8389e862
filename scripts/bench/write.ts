/** Writes the page with the figures of a run: what stands between its marks, the rest is by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const PAGE = join(import.meta.dirname, '../../docs/benchmarks.md');
const MARKS = {
  bench: ['<!-- Made by npm run bench. -->', '<!-- End of what npm run bench made. -->'],
  memory: ['<!-- Made by the run in little memory. -->', '<!-- End of the run in little memory. -->'],
} as const;

export async function writePage(report: string, part: keyof typeof MARKS = 'bench'): Promise<void> {
  const [opening, closing] = MARKS[part];
  const text = readFileSync(PAGE, 'utf8');
  const begin = text.indexOf(opening);
  const end = text.indexOf(closing);
  if (begin === -1 || end < begin) throw new Error('docs/benchmarks.md has lost its marks.');
  const page = `${text.slice(0, begin)}${opening}\n\n${report}\n\n${text.slice(end)}`;
  const options = await resolveConfig(PAGE);
  writeFileSync(PAGE, await format(page, { ...options, parser: 'markdown' }));
}
