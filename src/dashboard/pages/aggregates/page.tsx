/** Aggregates: all definitions; and one of them open, each stage beside what it makes of real data, then the result. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { Button, faultsBelow, notify, Problems, useRun } from '../../parts/button.tsx';
import { nameColumn } from '../../parts/collection.tsx';
import { Select } from '../../parts/fields/form.tsx';
import { isItems, isMembers, literal, stringIn, type Members } from '../../parts/fields/json.ts';
import { useRows } from '../../parts/list.tsx';
import type { Column } from '../../parts/page.tsx';
import { documentsIn } from '../../parts/words.tsx';
import { route, wayTo } from '../../route.ts';
import { list, remove, useLoad } from '../../session/service.ts';
import { printedPlainly, readExactly, readMembers } from '../document/draft.ts';
import { ownPage } from '../document/own.tsx';
import { sortOf, type Open } from '../document/stored.ts';
import { BoundJson, FormContext, useForm } from '../document/value-row.tsx';
import {
  AGGREGATES,
  nameOfStage,
  OUTPUTS,
  PREVIEW,
  TEMPLATES,
  usePreview,
  type Preview,
  type Seen,
} from './preview.ts';
import { Result, ResultTable } from './result.tsx';

const DEFINITIONS = sortOf(AGGREGATES, {
  title: (attributes, id) => (id === undefined ? undefined : stringIn(attributes['output-type'])),
  known: {
    'input-type': { title: 'Input type', description: 'The type whose documents the pipeline reads.' },
    'output-type': {
      title: 'Output type',
      description: 'It begins with agt. and names the documents that come out.',
    },
  },
  form: (open) => <Pipeline key={open.turn} open={open} />,
});

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('Output type', ({ attributes }) => stringIn(attributes?.['output-type'])),
  { head: 'Reads', cell: ({ attributes }) => stringIn(attributes?.['input-type']) },
  {
    head: 'Stages',
    class: 'soft',
    cell: ({ attributes: { pipeline } = {} }) => isItems(pipeline) && pipeline.map(nameOfStage).join(' → '),
  },
];

/** What is stored for previews. */
const PREVIEWS = { $regex: `^${literal(PREVIEW)}` };

export default ownPage(
  DEFINITIONS,
  {
    lead: 'Pipelines over the documents of a type, computed when read.',
    wide: true,
    query: { 'filter[output-type]': JSON.stringify({ $not: PREVIEWS }) },
    below: <Left />,
    empty: {
      title: 'No aggregates yet.',
      children: (
        <>
          <p>
            An aggregate names a type and the stages of a pipeline. Its results can be searched like
            documents.
          </p>
          <a class="button" href={wayTo([...DEFINITIONS.steps, 'new'])}>
            Create one
          </a>
        </>
      ),
    },
    show: COLUMNS,
  },
  () => {
    // A link may say what a new one reads: `#/aggregates/new?input=movies`.
    const input = route.value.query.get('input') ?? '';
    return { attributes: { 'input-type': input, 'output-type': OUTPUTS, pipeline: [] } };
  },
);

/** What pages that ended without a word have left. A page that is still open makes its own again. */
function Left() {
  const query = { 'filter[output-type]': JSON.stringify(PREVIEWS), 'page[limit]': '1000' };
  const left = useLoad((signal) => list(pathOf(AGGREGATES), query, signal), []);
  const { documents = [] } = left.value ?? {};
  const removing = useRun(async () => {
    await Promise.allSettled(documents.map((definition) => remove(definition)));
    notify('Previews removed.');
    left.reload();
  });
  const count = documents.length;
  if (count === 0) return null;
  return (
    <div class="notice">
      <p>
        {count === 1 ? 'One preview is stored' : `${count} previews are stored`} by editors that are open, or
        were closed abruptly.{' '}
        <Button look="link" onClick={removing.run}>
          Remove {count === 1 ? 'it' : 'them'}
        </Button>
      </p>
      <Problems error={removing.error} />
    </div>
  );
}

function Pipeline({ open: { draft, setDraft } }: { readonly open: Open }) {
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

interface StagesProps {
  readonly inputType: string;
  readonly stages: readonly Json[];
  readonly preview: Preview;
  readonly onStages: (stages: readonly Json[]) => void;
}

/** The stages of a pipeline: added, moved, removed; each with what leaves it. */
export function Stages({ inputType, stages, preview: { seen, error, errorAt }, onStages }: StagesProps) {
  const { rows, add } = useRows(stages, onStages);
  const [kind, setKind] = useState('filter');
  return (
    <section class="form-part" aria-label="Pipeline">
      <h2>Pipeline</h2>
      <ol class="stack">
        {inputType !== '' && (
          <li class="card stage">
            <div class="row">
              <h3>Documents of {inputType}</h3>
            </div>
            <Leaving label={`Documents of ${inputType}`} seen={seen[0]} isLast={false} />
          </li>
        )}
        {rows.map(({ item: stage, key, put, tools }, index) => {
          const name = nameOfStage(stage);
          const label = `${index + 1}. ${name || 'stage'}`;
          const isWrong = errorAt === index;
          const left = seen[index + 1];
          return (
            <li key={key} class="card stage">
              <div class="row">
                <h3>{label}</h3>
                {tools(label)}
              </div>
              <div class="stage-body">
                <div>
                  <BoundJson<Json>
                    label={`Stage ${index + 1}`}
                    value={stage}
                    pointer={`/attributes/pipeline/${index}`}
                    print={printedPlainly}
                    read={readExactly}
                    onValue={put}
                  />
                </div>
                <div class="stack">
                  {isWrong && <Problems error={error} />}
                  {(!isWrong || left !== undefined) && (
                    <Leaving label={`What leaves ${label}`} seen={left} isLast={name === 'output'} />
                  )}
                </div>
              </div>
            </li>
          );
        })}
      </ol>
      <div class="row">
        <Select aria-label="Kind of stage" value={kind} options={Object.keys(TEMPLATES)} onValue={setKind} />
        <Button icon="add" onClick={() => add({ [kind]: TEMPLATES[kind] ?? {} })}>
          Add the stage
        </Button>
      </div>
    </section>
  );
}

interface LeavingProps {
  readonly label: string;
  readonly seen: Seen | undefined;
  readonly isLast: boolean;
}

/** What leaves a stage: how many documents, and the first of them. */
function Leaving({ label, seen, isLast }: LeavingProps) {
  if (isLast) return <p class="soft">It says what is shown of each document: see the result.</p>;
  if (seen === undefined) return <p class="soft">Not run yet.</p>;
  const { count, documents } = seen;
  return (
    <>
      <p class="soft">{documentsIn(count)}</p>
      {documents.length > 0 && <ResultTable label={label} rows={documents} />}
    </>
  );
}
