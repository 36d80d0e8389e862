/** What stands around every page: the bar, the menu, what the page did as code, and what is told and asked. */
import { effect, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Enter } from '../pages/enter/enter.tsx';
import { Button, CodeBlock, IconButton, notify, Toasts } from '../parts/button.tsx';
import { FormDialog } from '../parts/fields/dialog.tsx';
import { Icon } from '../parts/icons.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { leaving, route, wayTo } from '../route.ts';
import {
  application,
  credentials,
  enter,
  hasEnded,
  hasEntered,
  isAsked,
  isOperator,
  user,
} from '../session/credentials.ts';
import { logIn, tryKey, trySecret } from '../session/enter.ts';
import { BASE, exchanges } from '../session/service.ts';
import { leaveAll } from '../session/tabs.ts';
import { asClient, asCurl } from './code.ts';
import { Current, nameOfPage, openPages } from './current.tsx';
import { Find, openFind } from './find.tsx';

export function Frame() {
  if (!hasEntered.value) return <Enter />;
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Bar />
      <div class="frame">
        <Menu />
        <main id="content" tabIndex={-1}>
          <ProjectFault />
          <Current />
        </main>
        {showsCode.value && <AsCode />}
      </div>
      <Find />
      <Again />
      <Toasts />
    </>
  );
}

/** Light or dark: as the system has it, until somebody chooses. The choice stays in this browser. */
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const STORED = 'foredge-theme';

const theme = signal<Theme>(THEMES.find((each) => each === localStorage.getItem(STORED)) ?? 'system');

effect(() => {
  const chosen = theme.value;
  document.documentElement.dataset['theme'] = chosen === 'system' ? '' : chosen;
  localStorage.setItem(STORED, chosen);
});

function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}

function Bar() {
  const open = application.value;
  return (
    <header class="bar">
      <button class="bare menu-button" type="button" popovertarget="menu" aria-label="Menu">
        <Icon name="menu" />
      </button>
      <a class="brand row together" aria-label="Foredge" href={wayTo([])}>
        <img src={`${BASE}/assets/docs-icon.svg`} alt="" width="22" height="22" />
        <span>Foredge</span>
      </a>
      <span class="crumbs row together">
        {isOperator.value && <a href={wayTo(['applications'])}>Applications</a>}
        {open && <strong title={open.id}>{open.name ?? `Application ${open.id}`}</strong>}
        {user.value && <span class="tag">as {user.value.name}</span>}
        {hasEnded.value && (
          <span role="alert">
            <Button
              look="danger"
              onClick={() => {
                isAsked.value = true;
              }}
            >
              Log in again
            </Button>
          </span>
        )}
      </span>
      <span class="bar-end row together">
        <a class="bar-link" href={`${BASE}/docs/index`} target="_blank" rel="noreferrer">
          Docs
        </a>
        {/* The page of ours takes what this tab has entered: so it must be its own. */}
        <a class="bar-link" href={`${BASE}/docs`} target="_blank" rel="opener">
          API
        </a>
        <IconButton icon="search" label="Find" title="Find (Ctrl+K)" onClick={openFind} />
        <IconButton
          icon="code"
          label="As code"
          title="Requests of this page, as curl and client code"
          pressed={showsCode.value}
          onClick={() => {
            showsCode.value = !showsCode.value;
          }}
        />
        <IconButton icon="theme" label={`Theme: ${theme.value}`} onClick={nextTheme} />
        <IconButton icon="leave" label="Leave" onClick={() => leaving(() => void leaveAll())} />
      </span>
    </header>
  );
}

/** Pages by section. On narrow screens it opens over the page. */
function Menu() {
  const element = useRef<HTMLElement>(null);
  const here = nameOfPage();
  const place = route.value;
  useEffect(() => {
    if (element.current?.matches(':popover-open') === true) element.current.hidePopover();
  }, [place]);
  return (
    <nav id="menu" class="menu" popover="auto" aria-label="Pages" ref={element}>
      {[...Map.groupBy(openPages(), ({ section }) => section)].map(([section, pages]) => (
        <section key={section}>
          <h2>{section}</h2>
          <ul>
            {pages.map(({ name, title, icon }) => (
              <li key={name}>
                <a
                  class="row together"
                  href={wayTo([name])}
                  aria-current={name === here ? 'page' : undefined}
                >
                  <Icon name={icon} />
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** Requests that are shown. */
const SHOWN = 15;

/** Whether the panel is open. */
const showsCode = signal(false);

/** What the page has just asked, as curl and as client code: whoever clicks learns how to program it. */
function AsCode() {
  const [form, setForm] = useState<'curl' | 'client'>('curl');
  return (
    <aside class="as-code" aria-label="As code">
      <IconButton
        icon="close"
        label="Close code"
        onClick={() => {
          showsCode.value = false;
        }}
      />
      <Tabs label="Form" tabs={{ curl: 'curl', client: 'Client' }} open={form} onOpen={setForm}>
        {(open) => (
          <>
            <p class="hint">
              Requests of this page, newest first. <code>$KEY</code> stands for your credentials.
            </p>
            {exchanges.value.slice(0, SHOWN).map((exchange, index) => {
              const { method, path, status, milliseconds } = exchange;
              return (
                <section key={index}>
                  <p class="row fine wrap">
                    <strong>{method}</strong> {path}
                    <span class={status !== undefined && status < 400 ? 'good' : 'bad'}>
                      {status ?? 'no answer'}
                    </span>
                    <span class="soft">{Math.round(milliseconds)} ms</span>
                  </p>
                  <CodeBlock
                    text={open === 'curl' ? asCurl(exchange) : asClient(exchange)}
                    label={`${method} ${path}`}
                  />
                </section>
              );
            })}
          </>
        )}
      </Tabs>
    </aside>
  );
}

/** Enters once more in its place, where credentials ended while somebody worked: what was written stays. */
function Again() {
  const { application, user, secret } = credentials.value;
  const what = hasEnded.value;
  if (what === null || !isAsked.value) return null;
  const label = what === 'operator' ? 'Operator secret' : user === undefined ? 'API key' : 'Password';
  const again = async (text: string) => {
    if (what === 'operator') {
      await trySecret(text);
      enter({ ...credentials.value, secret: text });
    } else if (application !== undefined && user !== undefined) {
      enter({
        ...credentials.value,
        user: await logIn(application, { username: user.name, password: text }),
      });
    } else if (application !== undefined) {
      const other = await tryKey({ id: application.id, key: text });
      enter({ ...(secret !== undefined && { secret }), application: other });
    }
    notify('You are logged in again. Repeat what was refused.');
  };
  return (
    <FormDialog
      title="Log in again"
      action="Log in"
      fields={[{ name: 'text', label, kind: 'password', required: true, autofocus: true }]}
      onClose={() => {
        isAsked.value = false;
      }}
      onSubmit={({ text }) => again(text.trim())}
    >
      <p>
        {user === undefined ? 'These credentials are' : `The login of ${user.name} is`} no longer valid. Your
        changes are kept.
      </p>
    </FormDialog>
  );
}

/** Milliseconds between two questions. */
const PAUSE = 1_000;

interface Development {
  readonly meta: { readonly project: { readonly fault: string | null } | null };
}

/** What is wrong in the files of a project, while `foredge dev` follows them: told here as in its terminal. */
function ProjectFault() {
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const look = async () => {
      const { meta } = (await (await fetch(`${BASE}/development`)).json()) as Development;
      if (meta.project === null) clearInterval(timer);
      else setFault(meta.project.fault);
    };
    // A service that starts again is asked again.
    const timer = setInterval(() => void look().catch(() => undefined), PAUSE);
    look().catch(() => clearInterval(timer));
    return () => clearInterval(timer);
  }, []);
  return fault === null ? null : (
    <div class="notice bad" role="status">
      <div>
        <strong>The project was not pushed.</strong> <code>{fault}</code>
      </div>
    </div>
  );
}
