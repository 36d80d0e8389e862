/** The lines of an export: what each is about, and what it links to. */

/** What a line is about. */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

const SUBJECT = /^\{"type":"([\w.-]{1,200})","id":"([0-9a-f]{24})"/;

/** What a line is about; undefined for one that says nothing of it. */
export function subjectOf(line: string): Subject | undefined {
  const [, type, id] = SUBJECT.exec(line) ?? [];
  if (type !== undefined && id !== undefined) return { type, id };
  try {
    const parsed = JSON.parse(line) as Partial<Record<keyof Subject, unknown>> | null;
    return typeof parsed?.type === 'string' && typeof parsed.id === 'string'
      ? { type: parsed.type, id: parsed.id.toLowerCase() }
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a line links to, and perhaps more that looks like a link. */
export function linksOf(line: string): readonly Subject[] {
  const at = line.indexOf('"relationships":');
  if (at === -1) return [];
  return Array.from(line.slice(at).matchAll(LINK), ([, type = '', id = '']) => ({ type, id }));
}

const LINK = /"type":"([\w.-]{1,200})","id":"([0-9a-f]{24})"/g;

export function isCompressed(file: string): boolean {
  return file.endsWith('.gz');
}
