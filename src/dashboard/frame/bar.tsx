/** The bar: what is open, as whom, the theme, and the way out. */
import { effect, signal } from '@preact/signals';
import { Button, IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { leaving, wayTo } from '../route.ts';
import { application, hasEnded, isAsked, isOperator, user } from '../session/credentials.ts';
import { leaveAll } from '../session/tabs.ts';
import { BASE } from '../session/service.ts';
import { showsCode } from './as-code.tsx';
import { openFind } from './find.tsx';

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

export function Bar() {
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
