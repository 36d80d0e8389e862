/**
 * Markdown as it reads. It becomes elements of text alone, without attributes: nothing that a document says runs, is
 * loaded or looks like the page.
 */
import { Marked } from 'marked';
import { createElement, type ComponentChildren } from 'preact';

const SHOWN = /^(p|ul|ol|li|blockquote|pre|code|em|strong|del|br|hr|table|thead|tbody|tr|th|td)$/;
/** Where links may lead. */
const OUTWARD = /^(https?|mailto):/i;
/** HTML is shown as it is written. */
const marked = new Marked({ renderer: { html: ({ text }) => text.replaceAll('<', '&lt;') } });
/** Headings stand below those of the page. */
const HEADING = /^h[1-6]$/;

/** Characters: marked takes time by the square of what hostile texts have of them. */
const MOST = 20_000;

export function Markdown({ text }: { readonly text: string }) {
  const nodes = nodesOf(text);
  if (nodes === null) return <p class="soft">This text is too long, or nested too deep, for a preview.</p>;
  return <div class="prose stack">{nodes}</div>;
}

function nodesOf(text: string): ComponentChildren[] | null {
  if (text.length > MOST) return null;
  try {
    // Nothing runs or loads in a document that stands in no window.
    const html = marked.parse(text, { async: false });
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    return Array.from(body.childNodes, shown);
  } catch {
    // It has exceeded the stack.
    return null;
  }
}

function shown(node: ChildNode): ComponentChildren {
  if (node instanceof Text) return node.data;
  if (!(node instanceof Element)) return null;
  const { localName: name } = node;
  const children = Array.from(node.childNodes, shown);
  // A picture from elsewhere would tell that somebody looks at it.
  const to = node.getAttribute(name === 'img' ? 'src' : 'href') ?? '';
  if (OUTWARD.test(to))
    return (
      <a href={to} target="_blank" rel="noreferrer">
        {name === 'img' ? node.getAttribute('alt') || to : children}
      </a>
    );
  if (name === 'input') return node.hasAttribute('checked') ? '☑' : '☐';
  if (HEADING.test(name)) return <h3>{children}</h3>;
  return SHOWN.test(name) ? createElement(name, {}, ...children) : children;
}
