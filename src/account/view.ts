/** A view of the ready pages: what it says and asks for, and its place in the page. */
import { say, type Word } from './words.ts';

export type Next = View | Promise<View>;

export interface View {
  readonly says?: string;
  readonly fields?: readonly Field[];
  /** The word of the button that sends the fields, and what it does. */
  readonly button?: readonly [word: Word, perform: (sent: Readonly<Record<string, string>>) => Next];
  readonly links?: readonly (readonly [word: Word, address: string])[];
  readonly others?: readonly (readonly [word: Word, perform: () => Next, name?: string])[];
}

/** The name and the type of an input, its label (null: the name), and what browsers fill in. */
export type Field = readonly [name: string, type: string, label: Word | null, autocomplete: string];

export function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), members);
  made.append(...children);
  return made;
}

/** Shows a view; `go` does what its buttons do. */
export function show(
  { says = '', fields = [], button, links = [], others = [] }: View,
  go: (next: () => Next) => void,
): void {
  element('[role=status]').textContent = says;
  const inputs = fields.map(([name, type, label, autocomplete]) =>
    make(
      'label',
      {},
      label === null ? name : say(label),
      make('input', { name, type, autocomplete, required: true } as object),
    ),
  );
  const form = make('form', {}, ...inputs);
  if (button !== undefined) form.append(make('button', {}, say(button[0])));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const sent = Array.from(
      new FormData(form),
      ([name, value]) => [name, typeof value === 'string' ? value : ''] as const,
    );
    go(() => button?.[1](Object.fromEntries(sent)) ?? {});
  });
  element('form').replaceWith(form);
  const ways = others.map(([word, perform, name = '']) => {
    const way = make('button', { type: 'button' }, `${say(word)} ${name}`.trim());
    way.addEventListener('click', () => {
      go(perform);
    });
    return way;
  });
  const addresses = links.map(([word, href]) => make('a', { href }, say(word)));
  element('nav').replaceChildren(...addresses, ...ways);
  form.querySelector('input')?.focus();
}
