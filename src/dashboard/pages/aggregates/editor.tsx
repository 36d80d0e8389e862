/** The stages in the form of an aggregate, each beside what it makes of real data; then the result. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers, stringIn, type Members } from '../../parts/fields/json.ts';
import { faultsBelow, Problems } from '../../parts/problems.tsx';
import { printedPlainly, readMembers } from '../document/draft.ts';
import type { Opened, Sort } from '../document/sort.ts';
import { BoundJson, FormContext, useForm } from '../document/value-row.tsx';
import { AGGREGATES } from './definition.ts';
import { usePreview } from './preview.ts';
import { Result } from './result.tsx';
import { Stages } from './stages.tsx';

export const DEFINITIONS: Sort = {
  type: AGGREGATES,
  steps: ['aggregates'],
  all: 'Aggregates',
  what: 'aggregate',
  title: (attributes, id) => (id === undefined ? undefined : stringIn(attributes['output-type'])),
  known: {
    'input-type': { title: 'Input type', description: 'The type whose documents the pipeline reads.' },
    'output-type': {
      title: 'Output type',
      description: 'It begins with agt. and names the documents that come out.',
    },
  },
  form: (open) => <Pipeline key={open.turn} open={open} />,
};

function Pipeline({ open: { draft, setDraft } }: { readonly open: Opened }) {
  const { attributes } = draft;
  const { pipeline, parameters } = attributes;
  const preview = usePreview(attributes);
  const form = useForm();
  const faults = [...form.faults, ...faultsBelow(preview.error, '/data')];
  const set = (name: string) => (value: Json) =>
    setDraft({ ...draft, attributes: { ...attributes, [name]: value } });
  const [hasParameters] = useState(isMembers(parameters) && Object.keys(parameters).length > 0);
  return (
    <FormContext.Provider value={{ ...form, faults }}>
      <details class="form-part" open={hasParameters}>
        <summary>Parameters</summary>
        <p class="hint">
          Names with default values. Stages read them as <code>$$parameters.name</code>; a request may replace
          them.
        </p>
        <BoundJson<Members>
          label="Parameters"
          value={isMembers(parameters) ? parameters : {}}
          pointer="/attributes/parameters"
          print={printedPlainly}
          read={readMembers}
          onValue={set('parameters')}
        />
      </details>
      <Stages
        inputType={stringIn(attributes['input-type'])}
        stages={isItems(pipeline) ? pipeline : []}
        preview={preview}
        onStages={set('pipeline')}
      />
      <p role="status" class="soft">
        {preview.isRunning && 'Running…'}
      </p>
      {preview.error !== undefined && preview.errorAt === undefined && <Problems error={preview.error} />}
      {preview.result !== undefined && (
        <section class="form-part">
          <h2>Result</h2>
          <Result {...preview.result} />
        </section>
      )}
    </FormContext.Provider>
  );
}
