/** The bar: what is open, as whom, and the way out. */
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { leaving, wayTo } from '../route.ts';
import { application, isOperator, user } from '../session/credentials.ts';
import { leave } from '../session/leave.ts';
import { BASE } from '../session/service.ts';
import { showsCode } from './as-code.tsx';
import { openFind } from './find.tsx';
import { nextTheme, theme } from './theme.ts';

export function Bar() {
  const open = application.value;
  return (
    <header class="bar">
      <button class="bare menu-button" type="button" popovertarget="menu" aria-label="Menu">
        <Icon name="menu" />
      </button>
      <a class="brand row together" href={wayTo([])}>
        <img src={`${BASE}/assets/docs-icon.svg`} alt="" width="22" height="22" />
        <span>Foredge</span>
      </a>
      <span class="crumbs row together">
        {isOperator.value && <a href={wayTo(['applications'])}>Applications</a>}
        {open && <strong title={open.id}>{open.name ?? `Application ${open.id}`}</strong>}
        {user.value && <span class="tag">as {user.value.name}</span>}
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
        <IconButton icon="leave" label="Leave" onClick={() => leaving(() => void leave())} />
      </span>
    </header>
  );
}
