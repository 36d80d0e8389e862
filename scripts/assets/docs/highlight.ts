/** Colours for the code of the pages: enough to tell strings, names and comments apart, and no more. */

/** The classes of a language's tokens, in the order in which they are tried. */
type Grammar = readonly (readonly [name: string, pattern: string])[];

const STRINGS = String.raw`"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'`;
const NUMBER = String.raw`\b\d+(?:\.\d+)?\b`;
const WORDS =
  'as|async|await|break|catch|class|const|continue|else|export|extends|false|finally|for|from|function|if|import|in|' +
  'instanceof|let|new|null|of|return|static|this|throw|true|try|typeof|undefined|while|yield';

const SCRIPT: Grammar = [
  ['comment', String.raw`\/\/[^\n]*|\/\*[^]*?\*\/`],
  ['string', String.raw`${STRINGS}|${'`'}(?:[^${'`'}\\]|\\[^])*${'`'}`],
  ['word', String.raw`\b(?:${WORDS})\b`],
  ['number', NUMBER],
];

const PAGE: Grammar = [
  ['comment', String.raw`<!--[^]*?-->`],
  ['word', String.raw`<\/?[a-z][\w-]*|\/?>`],
  ...SCRIPT.slice(1),
];

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  json: [
    ['name', String.raw`"(?:[^"\\]|\\[^])*"(?=\s*:)`],
    ['string', String.raw`"(?:[^"\\]|\\[^])*"`],
    ['word', String.raw`\b(?:true|false|null)\b`],
    ['number', String.raw`-?${NUMBER}`],
  ],
  sh: [
    ['comment', String.raw`(?<=^|\s)#[^\n]*`],
    ['string', String.raw`'[^']*'|"(?:[^"\\]|\\[^])*"`],
    ['name', String.raw`\$\{[^}]*\}|\$\w+|\b[A-Z][A-Z_]+(?==)`],
    ['word', String.raw`(?<=^|[|;(]\s*|\n\s*)(?:curl|node|npm|npx|git|cat|for|do|done|cd|echo|sort)\b`],
  ],
  http: [
    ['word', String.raw`^(?:GET|HEAD|POST|PATCH|DELETE)\b`],
    ['name', String.raw`^[\w-]+(?=: )|(?<=^→ \d+ )[a-z-]+`],
    ['number', String.raw`(?<=^→ )\d+`],
    ['string', String.raw`"(?:[^"\\]|\\[^])*"`],
  ],
  js: SCRIPT,
  ts: SCRIPT,
  tsx: SCRIPT,
  html: PAGE,
  svelte: PAGE,
  vue: PAGE,
};

/** The HTML of a piece of code. Without a grammar it is the plain text. */
export function highlight(code: string, language: string): string {
  const grammar = GRAMMARS[language];
  if (grammar === undefined) return escaped(code);
  const pattern = new RegExp(grammar.map(([name, source]) => `(?<${name}>${source})`).join('|'), 'gm');
  let html = '';
  let from = 0;
  for (const match of code.matchAll(pattern)) {
    const [text] = match;
    const [name] = Object.entries(match.groups ?? {}).find(([, value]) => Boolean(value)) ?? [];
    html += `${escaped(code.slice(from, match.index))}<span class="${name ?? ''}">${escaped(text)}</span>`;
    from = match.index + text.length;
  }
  return html + escaped(code.slice(from));
}

/** Text as HTML shows it, in elements and in attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
