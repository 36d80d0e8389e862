/** Aggregates: all definitions, with what each reads, what it makes, and how; and one of them open. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Content, Empty, Opened, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { tell } from '../../parts/toasts.tsx';
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

const COLUMNS: readonly Column<Resource>[] = [
  {
    head: 'Output type',
    cell: ({ id, attributes }) => (
      <a href={wayTo(['aggregates', id])}>{definitionOf(attributes).outputType}</a>
    ),
  },
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

function AllAggregates() {
  const all = useLoad((signal) => list(pathOf(AGGREGATES), { 'page[limit]': '1000' }, signal), []);
  const isLeft = ({ attributes }: Resource) => definitionOf(attributes).outputType.startsWith(PREVIEW);
  return (
    <Page
      title="Aggregates"
      lead="Pipelines over the documents of a type, computed when read."
      wide
      actions={
        <a class="button primary" href={wayTo(['aggregates', 'new'])}>
          <Icon name="add" /> New aggregate
        </a>
      }
    >
      <Content of={all} what="aggregates">
        {({ documents }) => {
          const definitions = documents.filter((document) => !isLeft(document));
          const left = documents.filter(isLeft);
          return (
            <>
              {definitions.length === 0 ? (
                <Empty title="No aggregates yet.">
                  <p>
                    An aggregate names a type and the stages of a pipeline. Its results can be searched like
                    documents.
                  </p>
                  <a class="button" href={wayTo(['aggregates', 'new'])}>
                    Create one
                  </a>
                </Empty>
              ) : (
                <Table label="Definitions" columns={COLUMNS} rows={definitions} keyOf={({ id }) => id} />
              )}
              {left.length > 0 && <Left definitions={left} onRemoved={all.reload} />}
            </>
          );
        }}
      </Content>
    </Page>
  );
}

interface LeftProps {
  readonly definitions: readonly Resource[];
  readonly onRemoved: () => void;
}

/** What pages that ended without a word have left. A page that is still open makes its own again. */
function Left({ definitions, onRemoved }: LeftProps) {
  const removing = useRun(async () => {
    await Promise.allSettled(definitions.map((definition) => remove(definition)));
    tell('Previews removed.');
    onRemoved();
  });
  const count = definitions.length;
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
  const above = <a href={wayTo(['aggregates'])}>Aggregates</a>;
  return (
    <Opened of={definition} title={isNew ? 'A new aggregate' : id} above={above} what="definition">
      {(first) => <Editor id={isNew ? undefined : id} first={first} above={above} />}
    </Opened>
  );
}

/** A link may say what a new one reads: `#/aggregates/new?input=movies`. */
function blank(): Read {
  const inputType = route.value.query.get('input') ?? '';
  const attributes = { 'input-type': inputType, 'output-type': OUTPUTS, pipeline: [] };
  return { draft: { attributes, relationships: {} }, etag: undefined };
}
