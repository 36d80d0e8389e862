/** An open document: its form and its JSON, which show one draft; its rights; saving and deleting it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icons.tsx';
import { Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { tell } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { About, Back } from './about.tsx';
import { JsonView } from './json-view.tsx';
import { Inverses } from './related/inverses.tsx';
import { nameOf } from './related/names.ts';
import { Relationships } from './related/relationships.tsx';
import { Rights } from './rights/rights.tsx';
import { SaveBar } from './save/bar.tsx';
import { Conflict } from './save/conflict.tsx';
import { Deletion } from './save/deletion.tsx';
import { remove, type Read } from './save/requests.ts';
import { useDraft } from './use-draft.ts';
import { FormContext } from './values/context.ts';
import { Fields } from './values/parts.tsx';

/** What nobody writes: aggregates are computed, tokens and the audit trail are the service's own. */
const READ_ONLY = /^(agt\..*|core\.(audit-entry|(external-)?user\.token))$/;

const TABS = { form: 'Form', json: 'JSON', rights: 'Rights' } as const;
type Tab = keyof typeof TABS;

interface EditingProps {
  readonly type: string;
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly read: Read;
}

export function Editing({ type, id, read }: EditingProps) {
  const open = useDraft(type, id, read);
  const { base, draft, setDraft, faults, conflict } = open;
  const [isDeleting, setDeleting] = useState(false);
  const [tab, setTab] = useTab(id === undefined || type.startsWith('agt.'));
  const isReadOnly = READ_ONLY.test(type) || isDeleting;
  const title = id === undefined ? 'A new document' : (nameOf(base.draft) ?? id);
  const canSave = open.hindrances.length === 0 && !open.isBusy && (open.isDirty || id === undefined);
  const save = () => {
    if (canSave) void open.save();
  };
  useSaveKey(save);
  const { onBroken } = open;
  const form = useMemo(() => ({ faults, isReadOnly, onBroken }), [faults, isReadOnly, onBroken]);
  const around = faults.filter(({ pointer }) => /^(\/attributes|\/relationships)?$/.test(pointer));
  return (
    <Page
      title={title}
      above={<Back type={type} />}
      lead={id !== undefined && <About type={type} id={id} etag={base.etag} />}
      actions={
        id !== undefined &&
        !isReadOnly && (
          <button
            class="button danger"
            type="button"
            onClick={() => {
              setDeleting(true);
            }}
          >
            <Icon name="trash" /> Delete
          </button>
        )
      }
    >
      {isDeleting && id !== undefined && (
        <Deletion
          what={title}
          onUndo={() => {
            setDeleting(false);
          }}
          onDelete={async () => {
            try {
              await remove(type, id, base.etag);
            } catch (cause) {
              open.setError(cause);
              setDeleting(false);
              return false;
            }
            tell(`${title} was deleted.`);
            return true;
          }}
          onDone={() => {
            replaceWith(wayTo(['documents', type]));
          }}
        />
      )}
      <Tabs
        label="Views of the document"
        panel="document-panel"
        open={tab}
        tabs={tabsOf(id === undefined || type.startsWith('agt.'))}
        onOpen={setTab}
      />
      <FormContext.Provider value={form}>
        <div id="document-panel" role="tabpanel" aria-label={TABS[tab]} class="document">
          <Problems error={conflict === undefined ? open.error : undefined} />
          {tab !== 'rights' && around.length > 0 && (
            <ul class="around" role="status">
              {around.map(({ message }) => (
                <li key={message} class="field-error">
                  {message}
                </li>
              ))}
            </ul>
          )}
          {tab === 'form' && (
            <>
              <form
                class="form-part"
                aria-label="Fields"
                onSubmit={(event) => {
                  event.preventDefault();
                  save();
                }}
              >
                <h2>Attributes</h2>
                <Fields
                  key={open.turn}
                  value={draft.attributes}
                  base={base.draft.attributes}
                  pointer="/attributes"
                  depth={0}
                  onValue={(attributes) => {
                    setDraft({ ...draft, attributes });
                  }}
                />
              </form>
              <Relationships draft={draft} base={base.draft} onDraft={setDraft} />
              {id !== undefined && <Inverses type={type} id={id} />}
            </>
          )}
          {tab === 'json' && <JsonView key={open.turn} draft={draft} onDraft={setDraft} />}
          {tab === 'rights' && id !== undefined && <Rights type={type} id={id} />}
          {!isReadOnly && tab !== 'rights' && (
            <SaveBar open={open} isNew={id === undefined} canSave={canSave} onSave={save} />
          )}
        </div>
      </FormContext.Provider>
      {conflict !== undefined && (
        <Conflict
          base={base.draft}
          mine={draft}
          theirs={conflict.draft}
          onClose={open.dismissConflict}
          onSave={open.resolve}
        />
      )}
      {!isDeleting && <Unsaved isDirty={open.isDirty} what={title} />}
    </Page>
  );
}

function tabsOf(isBare: boolean): readonly (readonly [Tab, string])[] {
  const all = Object.entries(TABS) as (readonly [Tab, string])[];
  return isBare ? all.filter(([name]) => name !== 'rights') : all;
}

/** The open tab stands in the route, so that a link can lead to it. */
function useTab(isBare: boolean): readonly [Tab, (tab: Tab) => void] {
  const { steps, query } = route.value;
  const named = query.get('tab');
  const tab = tabsOf(isBare).find(([name]) => name === named)?.[0] ?? 'form';
  return [
    tab,
    (next) => {
      replaceWith(wayTo(steps, next === 'form' ? {} : { tab: next }));
    },
  ];
}

/** Ctrl+S or ⌘S saves, wherever the focus is. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', pressed);
    return () => {
      removeEventListener('keydown', pressed);
    };
  }, []);
}
