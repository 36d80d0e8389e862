/** The navigation of the site: the lists of docs/README.md, which is the index of all pages. */

interface Entry {
  readonly title: string;
  /** As the index links to it, from the folder `docs`. */
  readonly target: string;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The sections of the index, each with the pages of its list. */
export function sectionsOf(index: string): readonly Section[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      const entries = lines.flatMap((line): Entry[] => {
        const [, name, target] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? [];
        return name === undefined || target === undefined ? [] : [{ title: name, target }];
      });
      return { title, entries };
    });
}
