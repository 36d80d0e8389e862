/** The frame of every page: head, bar, navigation, the page's own headings, the pages before and after. */
import { escaped } from './highlight.ts';
import type { Heading } from './markdown.ts';

/** A page of the navigation, with the way there. */
interface Place {
  readonly title: string;
  readonly href: string;
  readonly isHere: boolean;
}

export interface Framed {
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly { readonly title: string; readonly places: readonly Place[] }[];
  /** The way to a path from the top of the service. */
  readonly to: (address: string) => string;
}

/** A whole page. It has neither scripts nor styles of its own: the policy of pages forbids them. */
export function frame({ title, summary, html, headings, sections, to }: Framed): string {
  const places = sections.flatMap((section) => section.places);
  const at = places.findIndex(({ isHere }) => isHere);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}${title === 'Foredge' ? '' : ' · Foredge'}</title>
<meta name="description" content="${escaped(summary)}">
<link rel="icon" type="image/svg+xml" href="${to('assets/docs-icon.svg')}">
<link rel="stylesheet" href="${to('assets/docs.css')}">
<script type="module" src="${to('assets/docs.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="${to('docs/index')}"><img src="${to('assets/docs-icon.svg')}" alt="" width="22"
height="22">Foredge</a>
<a class="bar-link wide" href="${to('docs/index')}">Guides</a>
<a class="bar-link" href="${to('docs')}">API reference</a>
<button class="menu-button" type="button" popovertarget="menu">Menu</button>
</header>
<div class="frame">
<nav id="menu" class="menu" popover aria-label="Documentation">
<input type="search" aria-label="Search the guides" placeholder="Search the guides" autocomplete="off">
<ul class="found" aria-label="Found" aria-live="polite"></ul>
${sections.map(({ title: name, places: own }) => `<h2>${escaped(name)}</h2>${listOf(own)}`).join('\n')}
</nav>
<main id="content">
<article>
${html}</article>
${neighbours(at <= 0 ? undefined : places[at - 1], at === -1 ? undefined : places[at + 1])}
</main>
${contents(headings)}
</div>
</body>
</html>
`;
}

function listOf(places: readonly Place[]): string {
  const items = places.map(
    ({ title, href, isHere }) =>
      `<li><a href="${escaped(href)}"${isHere ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

function neighbours(before: Place | undefined, after: Place | undefined): string {
  const links = [
    before &&
      `<a class="before" href="${escaped(before.href)}"><small>Before</small>${escaped(before.title)}</a>`,
    after && `<a class="after" href="${escaped(after.href)}"><small>Next</small>${escaped(after.title)}</a>`,
  ].filter((link) => link !== undefined);
  return links.length === 0
    ? ''
    : `<nav class="neighbours" aria-label="Pages beside">${links.join('')}</nav>`;
}

/** The headings of a page that has several. */
function contents(headings: readonly Heading[]): string {
  const own = headings.filter(({ depth }) => depth === 2);
  if (own.length < 3) return '<div class="contents"></div>';
  const items = own.map(({ anchor, text }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}
