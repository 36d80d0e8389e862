/* What pages do beyond HTML: code can be copied, guides are searched, and the menu closes when it has led somewhere. */
/* global document, fetch, location, navigator, setTimeout, URL, URLSearchParams */

for (const block of document.querySelectorAll('.code:not(.output)')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent.trimEnd());
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  block.append(button);
}

const menu = document.querySelector('#menu');
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a') && menu.matches(':popover-open')) menu.hidePopover();
});
// A long menu shows where it is.
const here = menu.querySelector('[aria-current]');
if (here !== null) menu.scrollTop = here.offsetTop - menu.clientHeight / 2;

const search = menu.querySelector('[type=search]');
const found = menu.querySelector('.found');
let parts;

/** Headings that have all words come before texts that do. */
const find = async () => {
  parts ??= await (await fetch(new URL('docs-search.json', import.meta.url))).json();
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text) => words.every((word) => text.toLowerCase().includes(word));
  const hits =
    words.length === 0 ? [] : parts.filter((part) => hasAll(`${part.page} ${part.head} ${part.text}`));
  const [heads, texts] = [true, false].map((isHead) => hits.filter(({ head }) => hasAll(head) === isHead));
  const lines = [...heads, ...texts].slice(0, 20).map(({ address, page, head }) => {
    const link = document.createElement('a');
    link.href = new URL(`../${address}`, import.meta.url).href;
    link.textContent = page === head ? page : `${page}: ${head}`;
    return link;
  });
  if (words.length > 0 && lines.length === 0) lines.push('Nothing found.');
  const items = lines.map((line) => {
    const item = document.createElement('li');
    item.append(line);
    return item;
  });
  found.replaceChildren(...items);
};
search.addEventListener('input', find);
// What somebody has typed before this ran counts.
search.value ||= new URLSearchParams(location.search).get('q') ?? '';
if (search.value !== '') await find();
