/** One document: as a form and as JSON, which show one draft; its rights; saving and deleting it. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { Copy } from '../../parts/copy.tsx';
import { isSame, linkIn, type Fault } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Linked, nameOf, useNames } from '../../parts/fields/names.tsx';
import { Opened } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/words.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { read } from '../../session/documents.ts';
import { FILE } from '../../session/files.ts';
import { useLoad } from '../../session/load.ts';
import { titlesRead } from '../../session/titles.ts';
import { wayToTable } from '../documents/view.ts';
import { BLANK, draftOfText, READ_ONLY, textOfDraft } from './draft.ts';
import { Fields } from './fields.tsx';
import { History } from './history.tsx';
import { Offered, useKept } from './kept.tsx';
import { Outdated } from './outdated.tsx';
import { FileContent, Inverses, Relationships } from './relationships.tsx';
import { Rights } from './rights.tsx';
import { shapeFrom, useSiblings } from './shape.ts';
import { StoredPage } from './stored-page.tsx';
import { readDraft, useDraft, type Read } from './stored.ts';
import { BoundJson, FormContext } from './value-row.tsx';
import { mayHaveHistory } from './versions.ts';

/** With the id `new` one is made. */
export function Document({ type, id }: { readonly type: string; readonly id: string }) {
  useEffect(() => void titlesRead(), []);
  const isNew = id === 'new';
  const copied = route.value.query.get('copy');
  const document = useLoad(
    (signal) => (isNew ? readCopied(type, copied, signal) : readDraft({ type, id }, signal)),
    [],
  );
  const gone = (
    <>
      <p>Links to it are kept.</p>
      {mayHaveHistory(type) && <History link={{ type, id }} now={undefined} onRestored={document.reload} />}
      <a class="button" href={wayTo(['documents', type])}>
        All documents of {type}
      </a>
    </>
  );
  return (
    <Opened
      of={document}
      title={isNew ? 'A new document' : id}
      above={<a href={wayToTable(type)}>{type}</a>}
      what="document"
      gone={gone}
    >
      {(first) => (
        <Editing
          // What was restored is read anew.
          key={first.etag}
          type={type}
          id={isNew ? undefined : id}
          first={first}
          onRestored={document.reload}
        />
      )}
    </Opened>
  );
}

/** A new document, which begins as another one is. */
async function readCopied(type: string, id: string | null, signal: AbortSignal): Promise<Read> {
  const other = id === null ? null : await readDraft({ type, id }, signal);
  return { draft: BLANK, etag: undefined, ...(other !== null && { copied: other.draft }) };
}

interface EditingProps {
  readonly type: string;
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly first: Read;
  readonly onRestored: () => void;
}

function Editing({ type, id, first, onRestored }: EditingProps) {
  const open = useDraft(type, id, first);
  const isNew = id === undefined;
  const { base, draft, setDraft, theirs, onBroken, isDeleting } = open;
  // What is wrong in a field would be lost in JSON.
  const kept = useKept(type, id, !open.isDirty ? undefined : open.isHindered ? null : { base, draft });
  const faults = useMemo(
    () => (isNew ? open.faults.filter(({ message }) => !IS_MISSING.test(message)) : open.faults),
    [isNew, open.faults],
  );
  const { steps, query } = route.value;
  const tabs = {
    ...{ form: 'Form', json: 'JSON' },
    ...(!isNew && !type.startsWith('agt.') && { rights: 'Rights' }),
    ...(!isNew && mayHaveHistory(type) && { history: 'History' }),
  };
  // The open tab stands in the route, so that a link can lead to it.
  const tab =
    (['json', 'rights', 'history'] as const).find((name) => name === query.get('tab') && name in tabs) ??
    'form';
  const isWritten = tab === 'form' || tab === 'json';
  const link = id === undefined ? undefined : { type, id };
  const isReadOnly = READ_ONLY.test(type) || isDeleting;
  const title = id === undefined ? 'A new document' : (nameOf({ type, ...base.draft }) ?? id);
  const canSave = !open.isHindered && !open.isBusy && (open.isDirty || isNew);
  const save = () => {
    if (canSave) open.save(draft);
  };
  useSaveKey(save);
  const { schemas } = open.checked;
  const siblings = useSiblings(type, isNew);
  const shape = useMemo(() => shapeFrom(schemas, siblings), [schemas, siblings]);
  const form = useMemo(
    () => ({ faults, isReadOnly, onBroken, shape, isNew }),
    [faults, isReadOnly, onBroken, shape, isNew],
  );
  const around = faults.filter(({ pointer }) => /^(\/attributes|\/relationships)?$/.test(pointer));
  return (
    <StoredPage
      title={title}
      lead={link && <About link={link} etag={base.etag} />}
      actions={
        link !== undefined &&
        mayHaveHistory(type) && (
          <>
            <a class="button" href={wayTo(['documents', type, 'new'], { copy: link.id })}>
              Duplicate
            </a>
            <a class="button" href={wayTo(['documents', type, 'new'])} aria-label="New document">
              New
            </a>
          </>
        )
      }
      open={open}
      deletable={READ_ONLY.test(type) ? undefined : link}
      mine={draft}
      isDirty={open.isDirty}
    >
      <Offered
        kept={kept}
        onTake={(taken) => {
          open.setBase(taken.base);
          setDraft(taken.draft);
        }}
      />
      {link && theirs === undefined && !isDeleting && (
        <Outdated link={link} base={base} isBusy={open.isBusy} isDirty={open.isDirty} onReload={onRestored} />
      )}
      <FormContext.Provider value={form}>
        <Tabs
          label="Views of the document"
          tabs={tabs}
          open={tab}
          onOpen={(next) => replaceWith(wayTo(steps, next === 'form' ? {} : { tab: next }))}
        >
          {() => (
            <div class="document">
              <Problems error={theirs === undefined ? open.error : undefined} />
              {isWritten && around.length > 0 && (
                <ul role="status">
                  {around.map(({ message }) => (
                    <li key={message} class="field-error">
                      {message}
                    </li>
                  ))}
                </ul>
              )}
              {tab === 'form' && (
                <>
                  {link?.type === FILE && <FileContent file={{ ...link, ...base.draft }} />}
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
                      onValue={(attributes) => setDraft({ ...draft, attributes })}
                    />
                  </form>
                  <Relationships draft={draft} base={base.draft} onDraft={setDraft} />
                  {link && <Inverses link={link} />}
                </>
              )}
              {tab === 'json' && (
                <div>
                  <BoundJson
                    key={open.turn}
                    label="The document as JSON"
                    value={draft}
                    pointer=""
                    print={textOfDraft}
                    read={draftOfText}
                    onValue={setDraft}
                    isShown
                  />
                  <p class="hint">
                    Dates, longs, decimals and object ids stand in wrappers: <code>{'{"$date": "…"}'}</code>,{' '}
                    <code>{'{"$numberLong": "…"}'}</code>, <code>{'{"$numberDecimal": "…"}'}</code>,{' '}
                    <code>{'{"$oid": "…"}'}</code>.
                  </p>
                </div>
              )}
              {tab === 'rights' && link && <Rights link={link} />}
              {tab === 'history' && link && (
                <History link={link} now={base.draft} isDirty={open.isDirty} onRestored={onRestored} />
              )}
              {!isReadOnly && isWritten && (
                <SaveBar open={open} faults={faults} isNew={isNew} canSave={canSave} onSave={save} />
              )}
            </div>
          )}
        </Tabs>
      </FormContext.Provider>
    </StoredPage>
  );
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
    return () => removeEventListener('keydown', pressed);
  }, []);
}

/** The form of a new document marks what is required. */
const IS_MISSING = /^The member .* is required\.$/s;

/** What the service knows of a document, read again with every save: its id, when it was made and changed, and by whom. */
function About({ link, etag }: { readonly link: Link; readonly etag: string | undefined }) {
  const { type, id } = link;
  const { value } = useLoad((signal) => read(link, '$creator,$created,$updated', signal), [type, id, etag]);
  const { creator: json, created, updated } = value?.document.meta ?? {};
  const creator = linkIn(json);
  const names = useNames(creator === undefined ? [] : [creator]);
  const moment = (words: string, iso: string | undefined) =>
    iso !== undefined && (
      <span>
        {words} <Time iso={iso} style="short" />
      </span>
    );
  return (
    <span class="row fine">
      <code>{id}</code>
      <Copy text={id} label="Copy the id" />
      {moment('made', isoOf(created))}
      {creator !== undefined && (
        <span>
          by <Linked link={creator} {...names} />
        </span>
      )}
      {!isSame(updated, created) && moment('changed', isoOf(updated))}
    </span>
  );
}

const NAMED = 4;

interface SaveBarProps {
  readonly open: ReturnType<typeof useDraft>;
  readonly faults: readonly Fault[];
  readonly isNew: boolean;
  readonly canSave: boolean;
  readonly onSave: () => void;
}

/** What has changed, whether it can be saved, and saving it. */
function SaveBar({ open, faults, isNew, canSave, onSave }: SaveBarProps) {
  const { changed, checked, isHindered, isDirty } = open;
  const more = changed.length - NAMED;
  return (
    <div class="save-bar" role="region" aria-label="Saving">
      <p role="status">
        {changed.length === 0 ? (
          <span class="soft">{isDirty ? 'This is not valid JSON.' : 'No changes.'}</span>
        ) : (
          <>
            Changed: <strong>{changed.slice(0, NAMED).join(', ')}</strong>
            {more > 0 && ` and ${more} more`}
          </>
        )}{' '}
        {(faults.length > 0 || isHindered) && (
          <span class="bad">
            {faults.length === 1 ? '1 error.' : `${Math.max(faults.length, 1)} errors.`}
          </span>
        )}{' '}
        <span class="soft">{wordsOf(checked)}</span>
      </p>
      {isDirty && <Button onClick={open.discard}>Discard</Button>}
      <button
        class="button primary"
        type="button"
        disabled={!canSave}
        aria-keyshortcuts="Control+S"
        title="Ctrl+S"
        onClick={onSave}
      >
        {isNew ? 'Create' : 'Save'}
      </button>
    </div>
  );
}

function wordsOf({ schemas: { length: schemas } = [], isTooSlow }: SaveBarProps['open']['checked']) {
  if (isTooSlow) return 'Checked when you save.';
  if (schemas === 0) return '';
  return schemas === 1 ? 'Checked against its schema.' : `Checked against its ${schemas} schemas.`;
}
