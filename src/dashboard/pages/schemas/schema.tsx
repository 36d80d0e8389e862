/** One schema, or a new one: written as JSON, drafted from documents, and held against those that exist. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { errorsOf, Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { tell } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { goFreely, wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { printed } from '../document/draft.ts';
import type { Fault } from '../document/values/faults.ts';
import { completeSchema } from './complete.ts';
import { Count } from './counting/count.tsx';
import { schemaFrom } from './infer.ts';
import { faultsOfSchema } from './keywords.ts';
import { createSchema, deleteSchema, readSample, readSchema, saveSchema, type Schema } from './schemas.ts';

const BEFORE = '/data/attributes/content';
/** How many documents a draft is made from. */
const SAMPLE = 200;
const BLANK: Json = {
  type: 'object',
  required: ['attributes'],
  properties: { attributes: { type: 'object', properties: {} } },
};

const above = <a href={wayTo(['schemas'])}>Schemas</a>;

export function SchemaPage({ id }: { readonly id: string }) {
  const { value: schema, error, isLoading, refresh } = useLoad((signal) => readSchema(id, signal), [id]);
  if (schema !== undefined) {
    return <Editing key={schema.etag} target={schema.target} stored={schema} onSaved={refresh} />;
  }
  return (
    <Page title="Schema" above={above}>
      <Problems error={error} />
      {isLoading && <Loading what="the schema" />}
      {!isLoading && error === undefined && <Empty title="This schema was deleted." />}
    </Page>
  );
}

export function NewSchemaPage({ target }: { readonly target: string }) {
  return <Editing target={target} stored={undefined} onSaved={() => Promise.resolve()} />;
}

interface EditingProps {
  readonly target: string;
  /** Undefined for a new one. */
  readonly stored: Schema | undefined;
  readonly onSaved: () => Promise<void>;
}

function Editing({ target, stored, onSaved }: EditingProps) {
  const first = printed(stored?.content ?? BLANK);
  const [text, setText] = useState(first);
  const [isDeleting, setDeleting] = useState(false);
  const drafting = useSubmit(async () => {
    const sample = await readSample(target, SAMPLE);
    if (sample.length === 0) throw new Error(`There are no documents of type ${target} yet.`);
    setText(printed(schemaFrom(sample)));
    tell(`Drafted from ${sample.length} documents. Take away what is chance.`);
  });
  const { error, isBusy, submit } = useSubmit(async () => {
    const content = JSON.parse(text) as Json;
    if (stored !== undefined) {
      await saveSchema(stored, content);
      // The next save is on the state that this one made, and not on what others have made of it since.
      await onSaved();
      tell('Saved. Every write from now on must satisfy it.');
      return;
    }
    const id = await createSchema(target, content);
    tell('Created. Every write from now on must satisfy it.');
    goFreely(wayTo(['schemas', id]));
  });
  const isDirty = stored === undefined || text !== first;
  return (
    <Page
      title={stored === undefined ? `A schema for ${target}` : target}
      above={above}
      {...(stored !== undefined && { lead: <code>{stored.id}</code> })}
      wide
      actions={
        <>
          <button class="button" type="button" disabled={drafting.isBusy} onClick={drafting.submit}>
            Draft from documents
          </button>
          {stored !== undefined && (
            <button
              class="button danger"
              type="button"
              onClick={() => {
                setDeleting(true);
              }}
            >
              Delete
            </button>
          )}
        </>
      }
    >
      <Unsaved isDirty={isDirty && text !== first} what="This schema" />
      <Problems error={drafting.error} />
      <form aria-label="The schema" class="schema-form" onSubmit={submit}>
        <JsonEditor
          label="Schema as JSON"
          text={text}
          isReadOnly={isBusy}
          onText={setText}
          marks={[...faultsIn(text), ...refused(error)]}
          complete={completeSchema}
        />
        <p class="hint">
          It looks at <code>attributes</code> and <code>relationships</code> of the whole document. Ctrl-Space
          offers keywords.
        </p>
        <Problems error={error} />
        <p class="save-bar">
          <button class="button primary" type="submit" disabled={isBusy || !isDirty}>
            {stored === undefined ? 'Create' : 'Save'}
          </button>
          {stored !== undefined && isDirty && (
            <button
              class="button"
              type="button"
              onClick={() => {
                setText(first);
              }}
            >
              Discard changes
            </button>
          )}
        </p>
      </form>
      <Count type={target} text={text} />
      {isDeleting && stored !== undefined && (
        <Confirm
          title={`Delete the schema for ${target}?`}
          action="Delete the schema"
          onClose={() => {
            setDeleting(false);
          }}
          onConfirm={async () => {
            await deleteSchema(stored.id);
            tell('The schema was deleted.');
            goFreely(wayTo(['schemas']));
          }}
        >
          <p>From then on no write is refused for it.</p>
        </Confirm>
      )}
    </Page>
  );
}

/** What cannot be right, while somebody types. Text that is no JSON is the editor's to tell. */
function faultsIn(text: string): readonly Fault[] {
  try {
    return faultsOfSchema(JSON.parse(text));
  } catch {
    return [];
  }
}

/** What the service has refused, at its place. */
function refused(error: unknown): readonly Fault[] {
  if (error === undefined) return [];
  return errorsOf(error).flatMap(({ source, detail, title }) =>
    source?.pointer?.startsWith(BEFORE) === true
      ? [{ pointer: source.pointer.slice(BEFORE.length), message: detail ?? title }]
      : [],
  );
}
