/** Settings of types: which have some, and those of one as JSON (docs/types.md). */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { textOf } from '../../parts/json.ts';
import { Loading, Page } from '../../parts/page.tsx';
import { errorsOf, Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { tell } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { wayTo } from '../../route.ts';
import { listOf } from '../../session/answers.ts';
import { useLoad } from '../../session/load.ts';
import { ask, BASE } from '../../session/service.ts';
import { readTypes } from '../../session/types.ts';
import { printed } from '../document/draft.ts';

const SETTINGS = 'core.type';
const BEFORE = '/data/attributes';
/** What a type may have: each is null to be taken away. */
const NAMES = ['rights', 'unique', 'expires', 'client-ids', 'inverses', 'aggregate-links'] as const;

type Members = Readonly<Record<string, Json>>;

/** The settings of a type; undefined where it has none. */
async function readSettings(type: string, signal: AbortSignal) {
  const query = new URLSearchParams({ 'filter[name]': JSON.stringify(type) });
  const [found] = listOf((await ask('GET', pathOf(SETTINGS), { query: query.toString(), signal })).body);
  if (found === undefined) return { stored: undefined, etag: undefined };
  const { etag } = await ask('GET', pathOf(SETTINGS, found.id), { signal });
  return { stored: found, etag };
}

async function readAll(signal: AbortSignal) {
  const query = new URLSearchParams({ 'page[size]': '1000', sort: 'name' });
  const [{ body }, types] = await Promise.all([
    ask('GET', pathOf(SETTINGS), { query: query.toString(), signal }),
    readTypes(signal).catch(() => []),
  ]);
  const settings = new Map(listOf(body).map((each) => [textOf(each.attributes?.['name']), each]));
  const names = new Set([...settings.keys(), ...types.map(({ name }) => name)]);
  return [...names].sort().map((name) => ({ name, settings: settings.get(name) }));
}

export function SettingsList() {
  const { value, error } = useLoad(readAll, []);
  if (value?.length === 0) return null;
  return (
    <>
      <h2>Settings of types</h2>
      <Problems error={error} />
      {value !== undefined && (
        <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Type</th>
                <th scope="col">Settings</th>
              </tr>
            </thead>
            <tbody>
              {value.map(({ name, settings }) => (
                <tr key={name}>
                  <td class="name-cell">
                    <a href={wayTo(['schemas', 'settings', name])}>{name}</a>
                  </td>
                  <td class="summary-of-schema">{Object.keys(membersOf(settings)).join(', ') || 'none'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

export function SettingsPage({ type }: { readonly type: string }) {
  const { value, error, refresh } = useLoad((signal) => readSettings(type, signal), [type]);
  return (
    <Page
      title={`Settings of ${type}`}
      above={<a href={wayTo(['schemas'])}>Schemas</a>}
      lead={
        <>
          {NAMES.join(', ')}: <a href={`${BASE}/docs/types`}>what they are</a>.
        </>
      }
      wide
    >
      <Problems error={error} />
      {value === undefined && error === undefined && <Loading what="settings" />}
      {value !== undefined && (
        <Editing key={value.etag} type={type} stored={value.stored} etag={value.etag} onSaved={refresh} />
      )}
    </Page>
  );
}

interface EditingProps {
  readonly type: string;
  readonly stored: Resource | undefined;
  readonly etag: string | undefined;
  readonly onSaved: () => Promise<void>;
}

function Editing({ type, stored, etag, onSaved }: EditingProps) {
  const before = membersOf(stored);
  const first = printed(before);
  const [text, setText] = useState(first);
  const { error, isBusy, submit } = useSubmit(async () => {
    const sent = parsed(text);
    // A setting that is not there any more is null.
    const removed = Object.keys(before).filter((name) => !Object.hasOwn(sent, name));
    const attributes = { ...sent, ...Object.fromEntries(removed.map((name) => [name, null])) };
    if (stored === undefined) {
      const data = { type: SETTINGS, attributes: { name: type, ...attributes } };
      await ask('POST', pathOf(SETTINGS), { body: { data } });
    } else {
      const data = { type: SETTINGS, id: stored.id, attributes };
      await ask('PATCH', pathOf(SETTINGS, stored.id), { body: { data }, headers: { 'if-match': etag } });
    }
    await onSaved();
    tell('Saved. They hold for every write from now on.');
  });
  const marks =
    error === undefined
      ? []
      : errorsOf(error).flatMap(({ source, detail, title }) =>
          source?.pointer?.startsWith(BEFORE) === true
            ? [{ pointer: source.pointer.slice(BEFORE.length), message: detail ?? title }]
            : [],
        );
  return (
    <form aria-label="Settings" class="schema-form" onSubmit={submit}>
      <Unsaved isDirty={text !== first} what="This type" />
      <JsonEditor label="Settings as JSON" text={text} isReadOnly={isBusy} onText={setText} marks={marks} />
      <p class="hint">
        Documents that are there already must obey: if one does not, nothing changes, and the answer names it.
      </p>
      <Problems error={error} />
      <p class="save-bar">
        <button class="button primary" type="submit" disabled={isBusy || text === first}>
          Save
        </button>
      </p>
    </form>
  );
}

/** The settings that there are. */
function membersOf(settings: Resource | undefined): Members {
  const entries = Object.entries(settings?.attributes ?? {});
  return Object.fromEntries(entries.filter(([name, value]) => name !== 'name' && value !== null));
}

function parsed(text: string): Members {
  const json = JSON.parse(text) as Json;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TypeError('Settings are a JSON object.');
  }
  return json as Members;
}
