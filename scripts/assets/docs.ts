/** The documentation as a site: `docs/`, README and changelog as pages, served under `/docs`. */
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { AssetGroup } from './group.ts';
import { examples, makeExample } from './docs/examples.ts';
import { assetOf, pages, pictures, ROOT, SOURCES, wayTo, type Page } from './docs/pages.ts';
import { sectionsOf, type Section } from './docs/navigation.ts';

const FILES = join(import.meta.dirname, 'docs');
const SHARED = 'src/dashboard/style/tokens.css';
const INDEX = 'docs/README.md';

export const DOCS: AssetGroup = {
  name: 'docs',
  inputs: [...SOURCES, SHARED],
  make: async () => {
    const all = pages();
    const shown = examples();
    const addresses = new Map([
      ...[...all, ...shown].map(({ file, address }) => [file, address] as const),
      ...pictures().map(({ file, asset }) => [file, `assets/${asset}`] as const),
    ]);
    const sections = sectionsOf(await textOf(INDEX));
    const made = await Promise.all(all.map((page) => make(page, addresses, sections)));
    return new Map<string, string | Uint8Array>([
      ...made.map(({ asset, html }) => [asset, html] as const),
      ['docs-search.json', JSON.stringify(made.flatMap(({ found }) => found))],
      ...(await Promise.all(shown.map(makeExample))).flat(),
      ...(await Promise.all(
        pictures().map(async ({ file, asset }) => [asset, await readFile(join(ROOT, file))] as const),
      )),
      ['docs.css', (await textOf(SHARED)) + (await readFile(join(FILES, 'style.css'), 'utf8'))],
      ['docs.js', await readFile(join(FILES, 'script.js'))],
      ['docs-icon.svg', await readFile(join(FILES, 'icon.svg'))],
    ]);
  },
};

async function make(
  { file, address }: Page,
  addresses: ReadonlyMap<string, string>,
  sections: readonly Section[],
) {
  const { partsOf, render } = await import('./docs/markdown.ts');
  const { frame } = await import('./docs/template.ts');
  const to = (target: string) => wayTo(address, target);
  const hrefFrom = (from: string) => (target: string) => {
    if (/^[a-z]+:|^#/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const aim = posix.join(posix.dirname(from), path);
    const found = addresses.get(aim);
    // A dead link must not keep the service from starting: a test finds it.
    if (found === undefined) return target;
    return `${to(found)}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  const text = await textOf(file);
  const rendered = render(file.endsWith('.md') ? text : `# License\n\n${text}`, hrefFrom(file));
  const inIndex = hrefFrom(INDEX);
  const found = partsOf(rendered).map(([{ anchor, text: head }, body]) => ({
    ...{ address: `${address}#${anchor}`, page: rendered.title, head, text: body },
  }));
  const html = frame({
    ...rendered,
    to,
    sections: sections.map(({ title, entries }) => ({
      title,
      places: entries.map((entry) => {
        const href = inIndex(entry.target);
        return { title: entry.title, href, isHere: href === to(address) };
      }),
    })),
  });
  return { asset: assetOf(address), html, found };
}

function textOf(file: string): Promise<string> {
  return readFile(join(ROOT, file), 'utf8');
}
