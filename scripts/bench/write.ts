/** Writes the page with the figures of a run: what stands between its marks, the rest is by hand. */
import { marksOf, writePart } from '../marked-part.ts';

const MARKS = {
  bench: marksOf('npm run bench'),
  memory: marksOf('the run in little memory'),
} as const;

export function writePage(report: string, part: keyof typeof MARKS = 'bench'): Promise<void> {
  return writePart('docs/benchmarks.md', MARKS[part], report);
}
