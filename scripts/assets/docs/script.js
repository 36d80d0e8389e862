/* What pages do beyond HTML: code can be copied, and the menu closes when it has led somewhere. */
/* global document, navigator, setTimeout */

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
