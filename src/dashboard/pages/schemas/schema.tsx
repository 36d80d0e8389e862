/** One schema, or a new one: written as JSON, drafted from documents, and held against those that exist. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Json } from '../../../client/values.ts';
import { Button } from '../../parts/button.tsx';
import type { Open } from '../../parts/collection.tsx';
import { DeleteButton } from '../../parts/fields/dialog.tsx';
import { JsonForm } from '../../parts/fields/json-form.tsx';
import { parsed, printed, stringIn, type Fault } from '../../parts/fields/json.ts';
import { Opened, PageFrame, PageHead } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { notify } from '../../parts/toasts.tsx';
import { goFreely, wayTo } from '../../route.ts';
import { change, create, list, read } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { completeSchema } from './complete.ts';
import { Count } from './count.tsx';
import { schemaFrom } from './infer.ts';
import { faultsOfSchema } from './keywords.ts';

export const SCHEMA = 'core.schema';
/** How many documents a draft is made from. */
const SAMPLE = 200;
const BLANK: Json = {
  type: 'object',
  required: ['attributes'],
  properties: { attributes: { type: 'object', properties: {} } },
};

const above = <a href={wayTo(['schemas'])}>Schemas</a>;

export function SchemaPage({ id }: { readonly id: string }) {
  const schema = useLoad((signal) => read({ type: SCHEMA, id }, '', signal), [id]);
  return (
    <Opened of={schema} title="Schema" above={above} wide what="schema">
      {(stored) => (
        <SchemaEditor
          key={stored.etag}
          target={stringIn(stored.document.attributes?.['target'])}
          open={{ stored, refresh: schema.refresh }}
        />
      )}
    </Opened>
  );
}

export function BlankSchema({ target }: { readonly target: string }) {
  return (
    <PageFrame above={above} wide>
      <SchemaEditor target={target} />
    </PageFrame>
  );
}

interface SchemaEditorProps {
  readonly target: string;
  /** Without it, it is a new one. */
  readonly open?: Open;
}

function SchemaEditor({ target, open }: SchemaEditorProps) {
  const document = open?.stored.document;
  const first = printed(document === undefined ? BLANK : (document.attributes?.['content'] ?? {}));
  const [text, setText] = useState(first);
  const drafting = useRun(async () => {
    const query = { 'page[size]': String(SAMPLE), 'page[after]': '', 'page[count]': 'false' };
    const { documents } = await list(pathOf(target), query);
    if (documents.length === 0) throw new Error(`There are no documents of type ${target} yet.`);
    setText(printed(schemaFrom(documents)));
    notify(`Drafted from ${documents.length} documents. Remove what is only by chance.`, () => setText(text));
  });
  const save = async () => {
    const content: unknown = JSON.parse(text);
    if (document !== undefined) {
      await change(document, { attributes: { content } }, open?.stored.etag);
      // The next save is on the state that this one made, and not on what others have made of it since.
      await open?.refresh();
      return 'Saved. Every write must now satisfy it.';
    }
    const made = await create(SCHEMA, { attributes: { target, content } });
    goFreely(wayTo(['schemas', made?.id ?? '']));
    return 'Created. Every write must now satisfy it.';
  };
  return (
    <>
      <PageHead
        title={document === undefined ? `A schema for ${target}` : target}
        lead={document && <code>{document.id}</code>}
        actions={
          <>
            <Button disabled={drafting.isBusy} onClick={drafting.run}>
              Draft from documents
            </Button>
            {document !== undefined && (
              <DeleteButton
                link={document}
                what={`schema for ${target}`}
                onDone={() => goFreely(wayTo(['schemas']))}
              >
                Writes are no longer checked against it.
              </DeleteButton>
            )}
          </>
        }
      />
      <Problems error={drafting.error} />
      <JsonForm
        label="The schema"
        editorLabel="Schema as JSON"
        what="This schema"
        first={first}
        state={[text, setText]}
        pointer="/data/attributes/content"
        check={faultsIn}
        complete={completeSchema}
        hint={
          <>
            It looks at <code>attributes</code> and <code>relationships</code> of the whole document.
            Ctrl-Space offers keywords.
          </>
        }
        isNew={document === undefined}
        onSave={save}
      />
      <Count type={target} text={text} />
    </>
  );
}

/** What cannot be right, while somebody types. Text that is no JSON is the editor's to tell. */
function faultsIn(text: string): readonly Fault[] {
  const schema = parsed(text);
  return schema === undefined ? [] : faultsOfSchema(schema);
}
