/** The lines around those of documents in the file of an export: the command and backups write them alike. */

/** The first line. It tells an export from other lines of JSON. */
export const HEAD = '{"foredge":{"export":1}}';

export function isHead(line: string): boolean {
  return line.startsWith('{"foredge":{"export":');
}

/** The last line: without it, the file was cut off. */
export function endOf(lines: number): string {
  return `{"foredge":{"end":${lines}}}`;
}

export function isEnd(line: string): boolean {
  return line.startsWith('{"foredge":{"end":');
}
