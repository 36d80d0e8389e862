/** The editor of a pipeline: stage by stage, each beside what it makes of real data; then the result. */
import { useState } from 'preact/hooks';
import { JsonEditor } from '../../editor/json-editor.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields/form.tsx';
import { isSame, type Members } from '../../parts/fields/json.ts';
import { Problems } from '../../parts/problems.tsx';
import { useTypeNames } from '../../session/types.ts';
import { StoredPage } from '../document/stored-page.tsx';
import { useStored, type Read } from '../document/stored.ts';
import { AGGREGATES, attributesOf, definitionOf, type Definition } from './definition.ts';
import { usePreview } from './preview.ts';
import { Result } from './result.tsx';
import { Stages } from './stages.tsx';

/** A definition that is open: what is written, and what of it is saved. */
function useDefinition(id: string | undefined, first: Read) {
  const [definition, write] = useState(() => definitionOf(first.draft.attributes));
  const { attributes, broken } = attributesOf(definition);
  const stored = useStored({
    type: AGGREGATES,
    id,
    first,
    what: 'aggregate',
    steps: ['aggregates'],
    write: (draft) => {
      // Stages that are off stay, unless another's pipeline was chosen.
      if (!isSame(asSaid(draft.attributes), attributes)) write(definitionOf(draft.attributes));
    },
  });
  const { base } = stored;
  return {
    ...stored,
    definition,
    broken,
    attributes,
    isDirty: attributes === undefined || !isSame(attributes, asSaid(base.draft.attributes)),
    /** Writes a part of the definition. */
    set:
      <Name extends keyof Definition>(name: Name) =>
      (value: Definition[Name]) => {
        write((before) => ({ ...before, [name]: value }));
        stored.setError(undefined);
      },
    save: () => {
      // What was there and is there no more is emptied.
      const emptied = 'parameters' in base.draft.attributes ? { parameters: {} } : {};
      if (attributes !== undefined)
        stored.save({ attributes: { ...emptied, ...attributes }, relationships: {} });
    },
  };
}

/** The attributes as `attributesOf` would say them. */
function asSaid(attributes: Members): Members {
  return attributesOf(definitionOf(attributes)).attributes ?? attributes;
}

interface EditorProps {
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly first: Read;
}

export function Editor({ id, first }: EditorProps) {
  const open = useDefinition(id, first);
  const { definition, set, attributes, broken } = open;
  const preview = usePreview(attributes);
  const types = useTypeNames();
  const [showsParameters, setShowsParameters] = useState(definition.parameters !== '{}');
  const title = id === undefined ? 'A new aggregate' : definition.outputType;
  const canSave = broken === undefined && open.isDirty && !open.isBusy && definition.inputType.trim() !== '';
  const off = definition.stages.filter(({ isOn }) => !isOn).length;
  return (
    <StoredPage
      title={title}
      open={open}
      deletable={id === undefined ? undefined : { type: AGGREGATES, id }}
      mine={attributes && { attributes, relationships: {} }}
      isDirty={open.isDirty && (id !== undefined || definition.stages.length > 0)}
      actions={
        <Button look="primary" disabled={!canSave || open.isDeleting} onClick={open.save}>
          {id === undefined ? 'Create' : 'Save'}
        </Button>
      }
    >
      <Problems error={open.error} />
      <div class="across">
        <TextField
          label="Input type"
          hint="The type whose documents the pipeline reads."
          suggestions={types}
          value={definition.inputType}
          onText={set('inputType')}
        />
        <TextField
          label="Output type"
          hint="It begins with agt. and names the documents that come out."
          value={definition.outputType}
          onText={set('outputType')}
        />
      </div>
      {showsParameters ? (
        <section class="form-part">
          <h2>Parameters</h2>
          <p class="hint">
            Names with default values. Stages read them as <code>$$parameters.name</code>; a request may
            replace them.
          </p>
          <JsonEditor label="Parameters" text={definition.parameters} onText={set('parameters')} />
        </section>
      ) : (
        <p class="form-part">
          <Button look="link" onClick={() => setShowsParameters(true)}>
            Add parameters
          </Button>
        </p>
      )}
      <Stages
        inputType={definition.inputType}
        stages={definition.stages}
        preview={preview}
        onStages={set('stages')}
      />
      <p role="status" class="row">
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
    </StoredPage>
  );
}
