/** One field that finds people, documents, types, keys and pages: opened by Ctrl+K, ⌘K, `/` or the bar. */
import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useQuiet } from '../parts/choose.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icons.tsx';
import { isAsked, useSlash } from '../parts/slash.ts';
import { countText } from '../parts/words.tsx';
import { useLoad } from '../session/load.ts';
import { readTypes } from '../session/types.ts';
import { hitsAtHand, hitsOf, type Hit } from './hits.ts';

const QUIET = 200;
/** Hits that are shown. */
const SHOWN = 30;

const isOpen = signal(false);

export function openFind(): void {
  isOpen.value = true;
}

export function Find() {
  useSlash(openFind);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isShortcut =
        event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isShortcut || event.defaultPrevented) return;
      event.preventDefault();
      if (!isAsked()) openFind();
    };
    addEventListener('keydown', listen);
    return () => {
      removeEventListener('keydown', listen);
    };
  }, []);
  return isOpen.value ? <Palette /> : null;
}

/** What has been found of a text, and how many requests are under way or have failed. */
interface Found {
  readonly text: string;
  readonly hits: readonly Hit[];
  readonly waiting: number;
  readonly failed: number;
}

const NOTHING: Found = { text: '', hits: [], waiting: 0, failed: 0 };

function useFound(text: string): Found {
  // Who may see no types finds the rest.
  const { value: types } = useLoad((signal) => readTypes(signal).catch(() => []), []);
  const [found, setFound] = useState(NOTHING);
  const asked = useQuiet(text, QUIET);
  useEffect(() => {
    if (types === undefined) return undefined;
    const control = new AbortController();
    const answers = hitsOf(asked, types, control.signal);
    setFound({ ...NOTHING, text: asked, waiting: answers.length });
    const add = (hits: readonly Hit[], failed: number) => {
      if (control.signal.aborted) return;
      setFound((before) => ({
        text: asked,
        hits: [...before.hits, ...hits],
        waiting: before.waiting - 1,
        failed: before.failed + failed,
      }));
    };
    for (const answer of answers)
      answer.then(
        (hits) => {
          add(hits, 0);
        },
        () => {
          add([], 1);
        },
      );
    return () => {
      control.abort();
    };
  }, [asked, types]);
  const isWhole = types !== undefined && found.text === text;
  const { hits, waiting, failed } = isWhole ? found : { ...NOTHING, waiting: 1 };
  const ranked = [...hitsAtHand(text, types ?? []), ...hits].sort((one, other) => other.rank - one.rank);
  return { text, hits: ranked.slice(0, SHOWN), waiting, failed };
}

function Palette() {
  const [typed, setTyped] = useState('');
  const { hits, waiting, failed } = useFound(typed.trim());
  /** The way of the chosen one: others may come before it. */
  const [chosen, setChosen] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const at = Math.max(
    0,
    hits.findIndex(({ way }) => way === chosen),
  );
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
      <input
        type="text"
        role="combobox"
        aria-label="Find"
        aria-autocomplete="list"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        {...(hits.length > 0 && { 'aria-activedescendant': `${id}-${at}` })}
        autofocus
        autocomplete="off"
        spellcheck={false}
        placeholder="People, documents, types, keys, pages"
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
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
            <span class="hit">
              <span>{name}</span>
              {excerpt !== undefined && <span class="soft">{excerpt}</span>}
            </span>
            <span class="soft">{kind}</span>
          </a>
        ))}
      </div>
      <p class="soft fine" role="status">
        {waiting > 0
          ? 'Searching…'
          : hits.length === 0
            ? 'Nothing found.'
            : `${countText(hits.length)} found.`}
        {failed > 0 && ` ${countText(failed)} searches failed.`}
      </p>
    </Dialog>
  );
}
