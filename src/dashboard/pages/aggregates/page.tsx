/** Aggregates: all definitions, with what each reads, what it makes, and how; and one of them open. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { nameColumn } from '../../parts/collection.tsx';
import { isItems, literal, stringIn } from '../../parts/fields/json.ts';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import type { Column } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { route, wayTo } from '../../route.ts';
import { list, remove } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { ownPage } from '../document/own.tsx';
import { AGGREGATES, nameOfStage, OUTPUTS } from './definition.ts';
import { DEFINITIONS } from './editor.tsx';
import { PREVIEW } from './preview.ts';

const STEPS = DEFINITIONS.steps;
const NEW = wayTo([...STEPS, 'new']);

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('Output type', STEPS, ({ attributes }) => stringIn(attributes?.['output-type'])),
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
