/**
 * Which links of an export lead to documents that it does not hold. Types follow one another, so a document may link to
 * one that was made after the moment of its type. The export names those, and an import takes links to them: they lead
 * to nothing, as links to deleted documents do.
 */
import { Coming } from './coming.ts';
import { linksOf, subjectOf } from './format.ts';
import { linesIn, read, textOf } from './lines.ts';

/** Names in one line. */
const TOGETHER = 1_000;

export class Absent {
  readonly #held = new Coming();
  readonly #absent = new Set<string>();

  /** What the first bytes of a file hold and lack; types that are not whole there are left. */
  static async of(file: string, bytes: number, left: readonly string[]): Promise<Absent> {
    const absent = new Absent();
    // A type that had to be begun again may stand after what links to it.
    for (const links of [false, true]) {
      const { content } = await read(file, bytes);
      for await (const { text } of linesIn(textOf(content))) {
        if (links) absent.#noteLinks(text, left);
        else absent.#noteSubject(text);
      }
    }
    return absent;
  }

  /** Notes lines of the first of the types left. What is left comes whole, with all that was linked to before. */
  note(lines: string, left: readonly string[]): void {
    for (const line of lines.split('\n')) {
      this.#noteSubject(line);
      this.#noteLinks(line, left);
    }
  }

  /** Each as `<type> <id>`. */
  lines(): readonly string[] {
    const all = [...this.#absent];
    const lines: string[] = [];
    for (let at = 0; at < all.length; at += TOGETHER) {
      lines.push(JSON.stringify({ foredge: { absent: all.slice(at, at + TOGETHER) } }));
    }
    return lines;
  }

  #noteSubject(line: string): void {
    const subject = line === '' ? undefined : subjectOf(line);
    if (subject !== undefined) this.#held.add(subject, 1);
  }

  #noteLinks(line: string, left: readonly string[]): void {
    for (const link of linksOf(line)) {
      if (!left.includes(link.type) && !this.#held.isAfter(link, 0)) {
        this.#absent.add(`${link.type} ${link.id}`);
      }
    }
  }
}

const NAME = /^([\w.-]{1,200}) ([0-9a-f]{24})$/;

/** What a line names as absent; undefined for another line. */
export function absentIn(
  line: string,
): readonly { readonly type: string; readonly id: string }[] | undefined {
  if (!line.startsWith('{"foredge":{"absent":')) return undefined;
  try {
    const { foredge } = JSON.parse(line) as { readonly foredge: { readonly absent: unknown } };
    const names: readonly unknown[] = Array.isArray(foredge.absent) ? foredge.absent : [];
    return names.flatMap((name) => {
      const [, type, id] = NAME.exec(String(name)) ?? [];
      return type === undefined || id === undefined ? [] : [{ type, id }];
    });
  } catch {
    return [];
  }
}
