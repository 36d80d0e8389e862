/** One field that finds people, documents, types, keys and pages: opened by Ctrl+K, ⌘K, `/` or the bar. */
import { signal } from '@preact/signals';
import { useId, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../client/paths.ts';
import type { Resource } from '../../client/transport.ts';
import { Dialog } from '../parts/fields/dialog.tsx';
import { LineInput } from '../parts/fields/form.tsx';
import { ID } from '../parts/fields/kinds.ts';
import {
  fieldsOfNames,
  filterOfIds,
  filterOfName,
  filterOfWords,
  nameOf,
  useQuiet,
  wayToLink,
} from '../parts/fields/names.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { useSlash } from '../parts/window.ts';
import { countText, cut } from '../parts/words.tsx';
import { wayTo } from '../route.ts';
import { application, mayList } from '../session/credentials.ts';
import { BASE, list, statusOf, useLoad } from '../session/service.ts';
import { largestOf, titlesRead, useTypes, type StoredType } from '../session/types.ts';
import { openPages } from './current.tsx';

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

interface Hit {
  readonly icon: IconName;
  readonly name: string;
  /** What it is. */
  readonly kind: string;
  /** Where the words stand. */
  readonly excerpt?: string | undefined;
  readonly way: string;
  /** How well it fits: higher comes first. */
  readonly rank: number;
}

/** What is found by name, with its word, the best first. */
const NAMED = [
  ['core.user', 'user', 'user'],
  ['core.external-user', 'external user', 'user'],
  ['core.user-group', 'group', 'group'],
  ['core.api-key', 'API key', 'key'],
  ['core.file', 'file', 'file'],
] as const;

/** Documents of one type that are shown. */
const OF_TYPE = 5;
/**
 * Words of a type with more documents, or with an unknown number, are only sought where it has an index of them: the
 * first search builds one, for ever.
 */
const SMALL = 20_000;

/** How well a name fits a text: it is it, begins with it, has a word that does, has it. */
function rankOf(name: string, text: string): number {
  const [one, other] = [name.toLowerCase(), text.toLowerCase()];
  if (one === other) return 4;
  if (one.startsWith(other)) return 3;
  const at = one.indexOf(other);
  if (at < 0) return 0;
  return /[\p{L}\p{N}]/u.test(one.charAt(at - 1)) ? 1 : 2;
}

/** Pages and types, which nobody needs to be asked for. */
function hitsAtHand(text: string, types: readonly StoredType[]): readonly Hit[] {
  const pages = openPages().map(({ name, title, icon }) => ({
    ...{ icon, name: title, kind: 'page', way: wayTo([name]) },
    rank: rankOf(title, text) + 0.9,
  }));
  const known = types.map(({ name }) => ({
    ...{ icon: 'bulk' as const, name, kind: 'type', way: wayTo(['documents', name]) },
    rank: rankOf(name, text) + 0.8,
  }));
  const offers = ID.test(text) || text === '' ? [] : types.filter((type) => !isSearched(type));
  return [
    ...[...pages, ...known].filter(({ rank }) => rank >= 1),
    ...offers.map(({ name, documents }) => ({
      ...{ icon: 'search' as const, name: `“${text}” in ${name}` },
      kind: documents === undefined ? 'by words' : 'builds an index of words',
      ...{ way: wayTo(['documents', name], { 'filter[*]': filterOfWords(text), sort: '-$score' }), rank: -1 },
    })),
  ];
}

/** Whether words are sought in a type as somebody writes. */
function isSearched({ documents = Infinity, hasWords }: StoredType): boolean {
  return hasWords || documents <= SMALL;
}

const CLOSED: ReadonlySet<unknown> = new Set([403, 404]);

/** What the service finds, and how many requests failed. What these credentials may not list is empty for them. */
async function hitsOf(text: string, types: readonly StoredType[], signal: AbortSignal) {
  if (text === '' || application.value === undefined) return { text, hits: [], failed: 0 };
  await titlesRead();
  const searched = largestOf(types.filter((type) => isSearched(type) || ID.test(text)));
  const answers = await Promise.allSettled([
    ...NAMED.filter(([type]) => mayList(pathOf(type))).map(async ([type, kind, icon], at) => {
      const query = { ...FEW, 'filter[*]': filterOfName(text), ...fieldsOfNames(type) };
      const { documents } = await list(pathOf(type), query, signal);
      return documents.map((document): Hit => {
        const name = nameOf(document) ?? document.id;
        return { icon, name, kind, way: wayToLink(document), rank: rankOf(name, text) + 0.7 - at / 10 };
      });
    }),
    ...searched.map(({ name }) => documentsOf(name, text, signal)),
  ]);
  return {
    text,
    hits: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    failed: answers.filter((answer) => answer.status === 'rejected' && !CLOSED.has(statusOf(answer.reason)))
      .length,
  };
}

const FEW = { 'page[limit]': String(OF_TYPE), 'page[count]': 'false' };

async function documentsOf(type: string, text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const query = ID.test(text)
    ? { 'filter[id]': filterOfIds(type, [text]) }
    : { 'filter[*]': filterOfWords(text), sort: '-$score' };
  const { documents } = await list(pathOf(type), { ...FEW, ...query }, signal);
  return documents.map((document, at) => documentHit(document, text, at));
}

/** Scores of two types cannot be compared: the best of each come first. */
function documentHit(document: Resource, text: string, at: number): Hit {
  const { type, id, attributes = {} } = document;
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const excerpt = excerptOf(attributes, words);
  const name = nameOf(document);
  return {
    ...{ icon: 'documents', kind: type, way: wayToLink(document), name: name ?? excerpt ?? id },
    excerpt: name === null || excerpt === name ? undefined : excerpt,
    rank: rankOf(name ?? '', text) + 0.2 - at / 100,
  };
}

/** Characters around a word. */
const AROUND = 40;

/** The first text of a document with one of the words, around it. */
function excerptOf(attributes: unknown, words: readonly string[]): string | undefined {
  for (const text of textsIn(attributes)) {
    const lower = text.toLowerCase();
    const [at] = words.map((word) => lower.indexOf(word)).filter((found) => found >= 0);
    if (at !== undefined)
      return (at > AROUND ? '…' : '') + cut(text.slice(Math.max(0, at - AROUND)), 3 * AROUND);
  }
  return undefined;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
