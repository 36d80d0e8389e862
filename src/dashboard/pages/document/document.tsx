/** One document: as a form and as JSON, which show one draft; its rights; saving and deleting it. */
import { useEffect, useMemo } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Button, Copy, Problems } from '../../parts/button.tsx';
import { Unsaved } from '../../parts/fields/dialog.tsx';
import { isSame, linkIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Linked, nameOf } from '../../parts/fields/names.tsx';
import { Content, Empty, PageFrame, PageHead } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/words.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { FILE } from '../../session/files.ts';
import { read, useLoad } from '../../session/service.ts';
import { titlesRead } from '../../session/types.ts';
import { wayToTable } from '../documents/view.ts';
import { Conflict, Deletion, Outdated } from './conflict.tsx';
import { BLANK, draftOfText, READ_ONLY, textOfDraft, type Draft } from './draft.ts';
import { Fields } from './fields.tsx';
import { History } from './history.tsx';
import { FileContent, Inverses, Relationships } from './relationships.tsx';
import { Rights } from './rights.tsx';
import { Offered, SaveBar, useSaveKey, useStoredDraft } from './save-bar.tsx';
import { latestOf, readComputed, shapeFrom } from './shape.ts';
import { isOwn, readDraft, useDraft, type ReadDocument, type Sort } from './stored.ts';
import { BoundJson, FormContext } from './value-row.tsx';
import { mayHaveHistory } from './versions.ts';

interface DocumentProps {
  readonly sort: Sort;
  /** With `new` one is made. */
  readonly id: string;
  /** What a new one begins as. */
  readonly blank?: Partial<Draft>;
}

export function Document({ sort, id, blank }: DocumentProps) {
  useEffect(() => void titlesRead(), []);
  const { type, all, what } = sort;
  const isNew = id === 'new';
  const copied = route.value.query.get('copy');
  const document = useLoad(
    (signal) => (isNew ? readCopied(sort, blank, copied, signal) : readDraft(sort, id, signal)),
    [],
  );
  const gone = () => (
    <Empty title={`This ${what} was deleted.`}>
      {!isOwn(sort) && (
        <>
          <p>Links to it are kept.</p>
          {mayHaveHistory(type) && (
            <History link={{ type, id }} now={undefined} onRestored={document.reload} />
          )}
          <a class="button" href={wayTo(['documents', type])}>
            All documents of {type}
          </a>
        </>
      )}
    </Empty>
  );
  // Its frame stays while it loads: a click on the way back that has begun before is one.
  return (
    <PageFrame
      above={<a href={isOwn(sort) ? wayTo(sort.steps) : wayToTable(type)}>{all}</a>}
      wide={sort.form !== undefined}
    >
      {document.value ? (
        <Editing sort={sort} id={isNew ? undefined : id} first={document.value} reload={document.reload} />
      ) : (
        <>
          <PageHead title={isNew ? `A new ${what}` : id} />
          <Content of={document} what={`the ${what}`}>
            {gone}
          </Content>
        </>
      )}
    </PageFrame>
  );
}

/** A new document, which may begin as another one is. */
async function readCopied(
  sort: Sort,
  blank: Partial<Draft> | undefined,
  id: string | null,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const other = id === null ? null : await readDraft(sort, id, signal);
  if (other === null) return { draft: { ...BLANK, ...blank }, etag: undefined };
  const computed = await readComputed(sort.type, signal);
  const given = Object.entries(other.draft.attributes).filter(([name]) => !computed.has(name));
  const copied = { ...other.draft, attributes: Object.fromEntries(given) };
  return { draft: BLANK, etag: undefined, copied };
}

interface EditingProps {
  readonly sort: Sort;
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly first: ReadDocument;
  readonly reload: () => void;
}

function Editing({ sort, id, first, reload }: EditingProps) {
  const { type, known } = sort;
  const open = useDraft(sort, id, first, reload);
  const { base, draft, setDraft, theirs, onBroken, isDeleting, isNew, link } = open;
  // What is wrong in a field would be lost in JSON; a password that was typed is nowhere but here.
  const isSecret =
    isOwn(sort) &&
    ['password', 'secret', 'client-secret'].some((name) => Object.hasOwn(draft.attributes, name));
  const isKeepable = !open.isHindered && !isSecret;
  // What a new one begins as tells it from others.
  const place = id ?? JSON.stringify(first.draft);
  const storedDraft = useStoredDraft(
    type,
    place,
    !open.isDirty ? undefined : isKeepable ? { base, draft } : null,
  );
  const faults = useMemo(
    () => (isNew ? open.faults.filter(({ message }) => !IS_MISSING.test(message)) : open.faults),
    [isNew, open.faults],
  );
  const { steps, query } = route.value;
  const tabs = {
    ...{ form: 'Form', json: 'JSON' },
    ...(!isNew && !isOwn(sort) && !type.startsWith('agt.') && { rights: 'Rights' }),
    ...(!isNew && mayHaveHistory(type) && { history: 'History' }),
  };
  // The open tab stands in the route, so that a link can lead to it.
  const tab =
    (['json', 'rights', 'history'] as const).find((name) => name === query.get('tab') && name in tabs) ??
    'form';
  const isWritten = tab === 'form' || tab === 'json';
  const isReadOnly = READ_ONLY.test(type) || isDeleting;
  const title =
    sort.title?.(base.draft.attributes, id) ??
    (id === undefined ? `A new ${sort.what}` : (nameOf({ type, ...base.draft }) ?? id));
  useSaveKey(open.save);
  const { schemas } = open.checked;
  const hasSiblings = isNew && !isOwn(sort);
  const { value: siblings } = useLoad(
    async (signal) => (hasSiblings ? latestOf(type, signal) : []),
    [type, hasSiblings],
  );
  const { value: computed } = useLoad(
    async (signal) => (isOwn(sort) ? undefined : readComputed(type, signal)),
    [type],
  );
  const shape = useMemo(
    () => shapeFrom(known ? [schemaOf(sort)] : schemas, siblings, computed),
    [schemas, siblings, computed],
  );
  const form = useMemo(
    () => ({ faults, isReadOnly, onBroken, shape, isNew, isFixed: known !== undefined }),
    [faults, isReadOnly, onBroken, shape, isNew],
  );
  const around = faults.filter(({ pointer }) => /^(\/attributes|\/relationships)?$/.test(pointer));
  const written = () => (
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
          {type === FILE && !isNew && <FileContent file={{ ...link, ...base.draft }} />}
          <form
            class="form-part"
            aria-label="Fields"
            onSubmit={(event) => {
              event.preventDefault();
              open.save();
            }}
          >
            {!isOwn(sort) && <h2>Attributes</h2>}
            <Fields
              key={open.turn}
              value={draft.attributes}
              base={base.draft.attributes}
              pointer="/attributes"
              depth={0}
              onValue={(attributes) => setDraft({ ...draft, attributes })}
            />
          </form>
          {sort.form?.(open)}
          {(!isOwn(sort) || sort.links) && <Relationships open={open} />}
          {!isNew && !isOwn(sort) && <Inverses link={link} />}
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
          />
          <p class="hint">
            Dates, longs, decimals and object ids stand in wrappers: <code>{'{"$date": "…"}'}</code>,{' '}
            <code>{'{"$numberLong": "…"}'}</code>, <code>{'{"$numberDecimal": "…"}'}</code>,{' '}
            <code>{'{"$oid": "…"}'}</code>.
          </p>
        </div>
      )}
      {tab === 'rights' && <Rights link={link} />}
      {tab === 'history' && (
        <History key={base.etag} link={link} now={base.draft} isDirty={open.isDirty} onRestored={reload} />
      )}
      {!isReadOnly && isWritten && <SaveBar open={open} faults={faults} />}
    </div>
  );
  return (
    <>
      <PageHead
        title={title}
        lead={isNew ? undefined : <About link={link} etag={base.etag} />}
        actions={
          <>
            {!isNew && !READ_ONLY.test(type) && !isDeleting && sort.isUndeletable !== true && (
              <Button look="danger" icon="trash" onClick={() => open.setDeleting(true)}>
                Delete
              </Button>
            )}
            {sort.actions?.(open)}
            {!isNew && mayHaveHistory(type) && (
              <>
                <a class="button" href={wayTo(['documents', type, 'new'], { copy: link.id })}>
                  Duplicate
                </a>
                <a class="button" href={wayTo(['documents', type, 'new'])} aria-label="New document">
                  New
                </a>
              </>
            )}
          </>
        }
      />
      {isDeleting && <Deletion what={title} open={open} />}
      {!isDeleting && <Unsaved isDirty={open.isDirty} what={title} />}
      <Offered
        stored={storedDraft}
        onTake={(taken) => {
          open.setBase(taken.base);
          setDraft(taken.draft);
        }}
      />
      {!isNew && theirs === undefined && !isDeleting && <Outdated open={open} />}
      <FormContext.Provider value={form}>
        <div class="opened">
          <Tabs
            label="Views of the document"
            tabs={tabs}
            open={tab}
            onOpen={(next) => replaceWith(wayTo(steps, { ...Object.fromEntries(query), tab: next }))}
          >
            {written}
          </Tabs>
          {sort.below?.(open)}
        </div>
      </FormContext.Provider>
      {theirs && <Conflict open={open} theirs={theirs.draft} />}
    </>
  );
}

/** The schema of documents with these attributes and relationships. */
const schemaOf = ({ known, links = {} }: Sort) => ({
  properties: { attributes: { properties: known }, relationships: { properties: links } },
});

/** The form of a new document marks what is required. */
const IS_MISSING = /^The member .* is required\.$/s;

/** The id of a document, when it was made and changed, and by whom: read again with every save. */
function About({ link, etag }: { readonly link: Link; readonly etag: string | undefined }) {
  const { type, id } = link;
  const { value } = useLoad((signal) => read(link, '$creator,$created,$updated', signal), [type, id, etag]);
  const { creator: json, created, updated } = value?.document.meta ?? {};
  const creator = linkIn(json);
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
          by <Linked link={creator} />
        </span>
      )}
      {!isSame(updated, created) && moment('changed', isoOf(updated))}
    </span>
  );
}
