/**
 * Markdown as it reads. Whatever it becomes, only elements of text are made of it, without their attributes: nothing that
 * a document says runs, is loaded or looks like the page.
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

export function Markdown({ text }: { readonly text: string }) {
  // Nothing runs or loads in a document that stands in no window.
  const html = marked.parse(text, { async: false });
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return <div class="prose stack">{Array.from(body.childNodes, shown)}</div>;
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
