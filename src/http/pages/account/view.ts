/** A view of the ready pages: what it says and asks for, and its HTML. All values are escaped by `html`. */
import { html } from 'hono/html';
import type { Visit } from './visit.ts';
import type { Word } from './words.ts';

export type Values = Readonly<Record<string, string>>;

export interface View {
  readonly says?: string | undefined;
  readonly fields?: readonly Field[];
  /** The word of the button that sends the fields, and the work that it asks for. */
  readonly button?: readonly [word: Word, work: string];
  /** What goes along with the fields. */
  readonly along?: Values;
  /** What a device with a passkey answers to, by a script. */
  readonly passkey?: { readonly options: string; readonly along: Values };
  readonly others?: readonly Way[];
  /** Whether the link of a mail leads here: where no script reads what is behind its address, the reader pastes it. */
  readonly isFirst?: boolean;
  /** Of the answer, where something went wrong. */
  readonly status?: number;
}

/** The name and the type of an input, its label (null: the name), and what browsers fill in. */
export type Field = readonly [name: string, type: string, label: Word | null, autocomplete: string];

/** A way on from a view: an address, which changes nothing, or work. */
export type Way = { readonly word: Word; readonly name?: string } & (
  | { readonly to: string }
  | { readonly work: string; readonly along?: Values; readonly isScript?: true }
);

/** Attributes of an account have names of their own, that may be those of other fields. */
export const GIVEN = 'given ';

/** `nonce`: of the style that stands in the page; `sent`: what was sent before, to be put right. */
export async function pageOf(view: View, visit: Visit, nonce: string, sent: Values): Promise<string> {
  const { language, say, settings } = visit;
  const { says, fields = [], button, along = {}, passkey, others = [], isFirst = false } = view;
  const end = (values: Values, work: string, word: string) => {
    const hidden = Object.entries({ ...values, work });
    return html`${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button>${word}</button>`;
  };
  const input = ([name, type, label, complete]: Field, at = 0) => {
    const value = type === 'password' || complete === 'one-time-code' ? '' : (sent[name] ?? '');
    return html`<label>
      ${label === null ? name.replace(GIVEN, '') : say(label)}
      <input
        name="${name}"
        type="${type}"
        autocomplete="${complete}"
        value="${value}"
        required
        ${at === 0 && 'autofocus'}
      />
    </label>`;
  };
  const ways = others.map((way) => {
    const called = `${say(way.word)} ${way.name ?? ''}`.trim();
    if ('to' in way) return html`<a href="${way.to}">${called}</a>`;
    return html`<form method="post" ${way.isScript && 'hidden'}>
      ${end(way.along ?? {}, way.work, called)}
    </form>`;
  });
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${settings.name}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="../../assets/account.css" />
        <style nonce="${nonce}">
          ${settings.colour && `:root { --accent: ${settings.colour}; }`}
        </style>
        <script type="module" src="../../assets/account.js"></script>
      </head>
      <body>
        <main>
          <h1>${settings.name}</h1>
          <p role="status">${says}</p>
          ${
            button &&
            html`<form method="post" class="main">
              ${fields.map(input)}${end(along, button[1], say(button[0]))}
            </form>`
          }
          <nav>
            ${
              passkey &&
              html`<form method="post" hidden data-options="${passkey.options}">
                ${end({ ...passkey.along, response: '' }, 'prove', say('usePasskey'))}
              </form>`
            }
            ${ways}
          </nav>
          ${
            isFirst &&
            html`<noscript>
              <form method="post">
                ${input(['link', 'url', 'link', 'off'], 1)}${end({}, 'follow', say('next'))}
              </form>
            </noscript>`
          }
        </main>
      </body>
    </html>`;
  return String(await page);
}
