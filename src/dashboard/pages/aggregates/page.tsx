/** Aggregates: all definitions, with what each reads, what it makes, and how; and one of them open. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { Collection, nameColumn } from '../../parts/collection.tsx';
import { Icon } from '../../parts/icons.tsx';
import { literal } from '../../parts/fields/json.ts';
import { Opened } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import type { Column } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { route, wayTo, type PageProps } from '../../route.ts';
import { list, remove } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { readDraft, type Read } from '../document/stored.ts';
import { AGGREGATES, definitionOf, nameOfStage, OUTPUTS } from './definition.ts';
import { Editor } from './editor.tsx';
import { PREVIEW } from './preview.ts';

export default function Aggregates({ steps: [id] }: PageProps) {
  return id === undefined ? <AllAggregates /> : <Aggregate key={id} id={id} />;
}

const STEPS = ['aggregates'];
const NEW = wayTo([...STEPS, 'new']);

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('Output type', STEPS, ({ attributes }) => definitionOf(attributes).outputType),
  { head: 'Reads', cell: ({ attributes }) => definitionOf(attributes).inputType },
  {
    head: 'Stages',
    class: 'soft',
    cell: ({ attributes }) =>
      definitionOf(attributes)
        .stages.map(({ text }) => nameOfStage(text))
        .join(' → '),
  },
];

/** What is stored for previews. */
const PREVIEWS = { $regex: `^${literal(PREVIEW)}` };

function AllAggregates() {
  return (
    <Collection
      title="Aggregates"
      lead="Pipelines over the documents of a type, computed when read."
      wide
      type={AGGREGATES}
      what="aggregates"
      query={{ 'filter[output-type]': JSON.stringify({ $not: PREVIEWS }) }}
      actions={() => (
        <a class="button primary" href={NEW}>
          <Icon name="add" /> New aggregate
        </a>
      )}
      below={<Left />}
      empty={{
        title: 'No aggregates yet.',
        children: () => (
          <>
            <p>
              An aggregate names a type and the stages of a pipeline. Its results can be searched like
              documents.
            </p>
            <a class="button" href={NEW}>
              Create one
            </a>
          </>
        ),
      }}
      show={COLUMNS}
    />
  );
}

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

/** One definition, read or new. */
function Aggregate({ id }: { readonly id: string }) {
  const isNew = id === 'new';
  const definition = useLoad(
    (signal) => (isNew ? Promise.resolve(blank()) : readDraft({ type: AGGREGATES, id }, signal)),
    [],
  );
  return (
    <Opened
      of={definition}
      title={isNew ? 'A new aggregate' : id}
      above={<a href={wayTo(STEPS)}>Aggregates</a>}
      wide
      what="definition"
    >
      {(first) => <Editor id={isNew ? undefined : id} first={first} />}
    </Opened>
  );
}

/** A link may say what a new one reads: `#/aggregates/new?input=movies`. */
function blank(): Read {
  const inputType = route.value.query.get('input') ?? '';
  const attributes = { 'input-type': inputType, 'output-type': OUTPUTS, pipeline: [] };
  return { draft: { attributes, relationships: {} }, etag: undefined };
}
