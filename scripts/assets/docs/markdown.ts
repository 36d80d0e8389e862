/** Markdown as HTML for the pages: headings with the anchors that code hosts make, links that stay inside the site. */
import { Marked, type Tokens } from 'marked';
import { escaped, highlight } from './highlight.ts';

/** A heading with its anchor. */
export interface Heading {
  readonly depth: number;
  readonly anchor: string;
  readonly text: string;
}

export interface Rendered {
  /** The first heading's text. */
  readonly title: string;
  /** The first paragraph, as text. */
  readonly summary: string;
  readonly headings: readonly Heading[];
  readonly html: string;
}

/** What a search finds of a page: each heading, with what stands below it as text. */
export function partsOf({ headings, html }: Rendered): readonly (readonly [Heading, string])[] {
  const texts = html.split(/<h\d id="[^>]*>.*?<\/h\d>/s).map(plain);
  return headings.map((heading, at) => [heading, (texts[at + 1] ?? '').replaceAll(/\s+/g, ' ').trim()]);
}

/** `hrefOf` gives the address for the target of a link in the text. */
export function render(markdown: string, hrefOf: (target: string) => string): Rendered {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = plain(this.parser.parseInline(tokens));
        const anchor = unique(taken, anchorOf(text));
        headings.push({ depth, anchor, text });
        const label = escaped(`Link to “${text}”`);
        const link = `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`;
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(hrefOf(href))}" alt="${escaped(text)}" loading="lazy">`;
      },
      code({ text, lang: info = '' }) {
        // Words after the language are for tests.
        const [lang = ''] = info.split(' ');
        const isOutput = lang === 'text';
        const what = isOutput ? 'Output' : lang === '' ? 'Code' : `Code: ${lang}`;
        const pre = `<pre tabindex="0" aria-label="${escaped(what)}"><code>${highlight(text, lang)}</code></pre>`;
        return `<div class="code${isOutput ? ' output' : ''}">${pre}</div>\n`;
      },
      table(token) {
        const rows = tableOf(token, (cell) => this.parser.parseInline(cell.tokens));
        return `<div class="table" tabindex="0" role="group" aria-label="Table">${rows}</div>\n`;
      },
      // Comments say what is generated: nothing for readers.
      html: ({ text }) => (text.trim().startsWith('<!--') ? '' : escaped(text)),
    },
  });
  const html = marked.parse(markdown, { async: false });
  const [, first = ''] = /<p>(.*?)<\/p>/s.exec(html) ?? [];
  return { title: headings[0]?.text ?? '', summary: plain(first).replaceAll('\n', ' '), headings, html };
}

function tableOf({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const row = (cells: readonly Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  // A header without words is none: screen readers would announce it.
  const head = header.some(({ text }) => text !== '') ? `<thead>${row(header, 'th')}</thead>` : '';
  return `<table>${head}<tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

/** The text of a piece of HTML that marked has made. */
function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The anchor of a heading, as code hosts make it. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function unique(taken: Map<string, number>, anchor: string): string {
  const before = taken.get(anchor);
  taken.set(anchor, (before ?? 0) + 1);
  return before === undefined ? anchor : `${anchor}-${before}`;
}
