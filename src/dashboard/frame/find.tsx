/** One field that finds people, documents, types, keys and pages: opened by Ctrl+K, ⌘K, `/` or the bar. */
import { signal } from '@preact/signals';
import { useId, useRef, useState } from 'preact/hooks';
import { useQuiet } from '../parts/fields/choose.tsx';
import { Dialog } from '../parts/fields/dialog.tsx';
import { LineInput } from '../parts/fields/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { useSlash } from '../parts/slash.ts';
import { countText } from '../parts/words.tsx';
import { useLoad } from '../session/load.ts';
import { BASE } from '../session/service.ts';
import { useTypes } from '../session/types.ts';
import { hitsAtHand, hitsOf } from './hits.ts';

/** Hits that are shown. */
const SHOWN = 30;

const isOpen = signal(false);

export function openFind(): void {
  isOpen.value = true;
}

export function Find() {
  useSlash(openFind);
  return isOpen.value ? <Palette /> : null;
}

/** What is found of a text, the best first; what the service finds follows once nobody types. */
function useFound(text: string) {
  const types = useTypes();
  const typed = useQuiet(text);
  const found = useLoad((signal) => hitsOf(typed, types ?? [], signal), [typed, types]);
  const answer =
    types !== undefined && found.value?.text === text && !found.isLoading ? found.value : undefined;
  const hits = [...hitsAtHand(text, types ?? []), ...(answer?.hits ?? [])];
  hits.sort((one, other) => other.rank - one.rank);
  return { hits: hits.slice(0, SHOWN), failed: answer?.failed ?? 0, isWaiting: answer === undefined };
}

function Palette() {
  const [typed, setTyped] = useState('');
  const { hits, failed, isWaiting } = useFound(typed.trim());
  /** The way of the chosen one: others may come before it. */
  const [chosen, setChosen] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = hits.findIndex(({ way }) => way === chosen);
  const at = Math.max(0, found);
  const guides = `${BASE}/docs/index?${new URLSearchParams({ q: typed }).toString()}`;
  const close = () => {
    isOpen.value = false;
  };
  const step = (by: number) => {
    const next = (at + by + hits.length) % hits.length;
    setChosen(hits[next]?.way);
    box.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (hits.length === 0) return;
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Enter')
      box.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find" wide onClose={close}>
      <LineInput
        role="combobox"
        aria-label="Find"
        aria-autocomplete="list"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        {...(hits.length > 0 && { 'aria-activedescendant': `${id}-${at}` })}
        autofocus
        placeholder="People, documents, types, keys, pages"
        value={typed}
        onText={(text) => {
          setTyped(text);
          setChosen(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="hits" id={`${id}-list`} role="listbox" aria-label="Found" ref={box}>
        {hits.map(({ icon, name, kind, excerpt, way }, index) => (
          <a
            key={way}
            id={`${id}-${index}`}
            href={way}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={close}
          >
            <Icon name={icon} />
            <span>
              {name}
              {excerpt !== undefined && <span class="soft"> {excerpt}</span>}
            </span>
            <span class="soft fine">{kind}</span>
          </a>
        ))}
      </div>
      <p class="soft fine" role="status">
        {isWaiting ? 'Searching…' : hits.length === 0 ? 'Nothing found.' : `${countText(hits.length)} found.`}
        {failed > 0 && ` ${countText(failed)} searches failed.`}
      </p>
      <a class="fine" href={guides} target="_blank" rel="noreferrer">
        Search the guides
      </a>
    </Dialog>
  );
}
