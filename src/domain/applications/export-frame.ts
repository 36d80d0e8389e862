/** The lines around those of documents in the file of an export: the command and backups write them alike. */
import { ENDS } from './standing.ts';
import { CORE } from '../types.ts';

/** The first line. It tells an export from other lines of JSON. */
export const HEAD = '{"foredge":{"export":1}}';

export function isHead(line: string): boolean {
  return line.startsWith('{"foredge":{"export":');
}

/** The line that makes the application. When it ends is a matter of the service that it is in. */
export function lineOfApplication(id: string, attributes: Readonly<Record<string, unknown>>): string {
  const own = Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== ENDS));
  return JSON.stringify({ type: CORE.application, id, attributes: own });
}

/** The last line: without it, the file was cut off. */
export function endOf(lines: number): string {
  return `{"foredge":{"end":${lines}}}`;
}

export function isEnd(line: string): boolean {
  return line.startsWith('{"foredge":{"end":');
}
