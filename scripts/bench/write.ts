/** Writes the page with the figures of a run: what stands between its markers, the rest is by hand. */
import { markersOf, writePart } from '../generated-part.ts';

const MARKERS = {
  bench: markersOf('npm run bench'),
  memory: markersOf('the run in little memory'),
} as const;

export function writePage(report: string, part: keyof typeof MARKERS = 'bench'): Promise<void> {
  return writePart('docs/benchmarks.md', MARKERS[part], report);
}
