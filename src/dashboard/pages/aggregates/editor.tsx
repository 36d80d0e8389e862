/** The editor of a pipeline: stage by stage, each beside what it makes of real data; then the result. */
import { useState } from 'preact/hooks';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { replaceWith, wayTo } from '../../route.ts';
import { Conflict } from '../document/save/conflict.tsx';
import { Deletion } from '../document/save/deletion.tsx';
import { remove, type Read } from '../document/save/requests.ts';
import { AGGREGATES } from './definition.ts';
import { InputType } from './input-type.tsx';
import { Back } from './back.tsx';
import { usePreview } from './preview/use-preview.ts';
import { Result } from './result/result.tsx';
import { Stages } from './stages.tsx';
import { useDefinition } from './use-definition.ts';

export function Editor({ id, read }: { readonly id: string | undefined; readonly read: Read }) {
  const open = useDefinition(id, read);
  const { definition, setDefinition, attributes, broken } = open;
  const preview = usePreview(attributes);
  const [isDeleting, setDeleting] = useState(false);
  const [showsParameters, setShowsParameters] = useState(definition.parameters !== '{}');
  const title = id === undefined ? 'A new aggregate' : definition.outputType;
  const canSave = broken === undefined && open.isDirty && !open.isBusy && definition.inputType !== '';
  const off = definition.stages.filter(({ isOn }) => !isOn).length;
  return (
    <Page
      title={title}
      above={<Back />}
      wide
      actions={
        <>
          {id !== undefined && (
            <button
              class="button danger"
              type="button"
              onClick={() => {
                setDeleting(true);
              }}
            >
              <Icon name="trash" /> Delete
            </button>
          )}
          <button
            class="button primary"
            type="button"
            disabled={!canSave || isDeleting}
            onClick={() => void open.save()}
          >
            {id === undefined ? 'Make it' : 'Save'}
          </button>
        </>
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
              await remove(AGGREGATES, id, open.base.etag);
            } catch (cause) {
              open.setError(cause);
              setDeleting(false);
              return false;
            }
            tell(`${title} was deleted.`);
            return true;
          }}
          onDone={() => {
            replaceWith(wayTo(['aggregates']));
          }}
        />
      )}
      <Problems error={open.error} />
      <div class="definition">
        <InputType
          value={definition.inputType}
          onValue={(inputType) => {
            setDefinition({ inputType });
          }}
        />
        <TextField
          label="Output type"
          hint="It begins with agt. and names the documents that come out."
          value={definition.outputType}
          onText={(outputType) => {
            setDefinition({ outputType: outputType.trim() });
          }}
        />
      </div>
      {showsParameters ? (
        <section class="form-part">
          <h2>Parameters</h2>
          <p class="hint">
            Names with their defaults. Stages read them as <code>$$parameters.name</code>; a request may
            replace them.
          </p>
          <JsonEditor
            label="Parameters"
            text={definition.parameters}
            onText={(parameters) => {
              setDefinition({ parameters });
            }}
          />
        </section>
      ) : (
        <p class="form-part">
          <button
            class="link"
            type="button"
            onClick={() => {
              setShowsParameters(true);
            }}
          >
            Add parameters
          </button>
        </p>
      )}
      <Stages
        inputType={definition.inputType}
        stages={definition.stages}
        preview={preview}
        onStages={(stages) => {
          setDefinition({ stages });
        }}
      />
      <p role="status" class="running">
        {broken !== undefined && <span class="field-error">{broken}</span>}
        {preview.isRunning && <span class="soft">Running…</span>}
        {off > 0 && (
          <span class="soft">
            {off === 1 ? 'A stage is off: it is' : `${off} stages are off: they are`} left out when you save.
          </span>
        )}
      </p>
      {preview.error !== undefined && preview.errorAt === undefined && <Problems error={preview.error} />}
      {preview.result !== undefined && (
        <section class="form-part">
          <h2>Result</h2>
          <Result {...preview.result} />
        </section>
      )}
      {open.theirs !== undefined && attributes !== undefined && (
        <Conflict
          base={open.base.draft}
          mine={{ attributes, relationships: {} }}
          theirs={open.theirs.draft}
          onClose={open.dismiss}
          onSave={open.resolve}
        />
      )}
      {!isDeleting && (
        <Unsaved isDirty={open.isDirty && (id !== undefined || definition.stages.length > 0)} what={title} />
      )}
    </Page>
  );
}
