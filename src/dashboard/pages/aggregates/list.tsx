/** All definitions of aggregates: what each reads, what it makes, and how. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { wayTo } from '../../route.ts';
import { listOf } from '../../session/answers.ts';
import { useLoad } from '../../session/load.ts';
import { ask } from '../../session/service.ts';
import { draftOf } from '../document/draft.ts';
import { AGGREGATES, definitionOf, nameOfStage } from './definition.ts';
import { PREVIEW } from './preview/runner.ts';

/** How many are listed. */
const LISTED = 1_000;

export function List() {
  const { value, error, reload } = useLoad(
    async (signal) =>
      listOf((await ask('GET', pathOf(AGGREGATES), { query: `page[limit]=${LISTED}`, signal })).body),
    [],
  );
  const shown = (value ?? []).map((document) => ({ document, ...definitionOf(draftOf(document)) }));
  const definitions = shown.filter(({ outputType }) => !outputType.startsWith(PREVIEW));
  const left = shown.filter(({ outputType }) => outputType.startsWith(PREVIEW));
  return (
    <Page
      title="Aggregates"
      lead="Views that are computed when they are read: a pipeline over the documents of a type."
      wide
      actions={
        <a class="button primary" href={wayTo(['aggregates', 'new'])}>
          <Icon name="add" /> New aggregate
        </a>
      }
    >
      <Problems error={error} />
      {value === undefined && error === undefined && <Loading what="aggregates" />}
      {value !== undefined && definitions.length === 0 && (
        <Empty title="No aggregate has been defined yet.">
          <p>
            A definition names a type to read and the stages of a pipeline. What comes out are documents that
            can be searched like others, and are never stored.
          </p>
          <a class="button" href={wayTo(['aggregates', 'new'])}>
            Define one
          </a>
        </Empty>
      )}
      {definitions.length > 0 && (
        <div class="table-frame" role="region" aria-label="Definitions" tabIndex={0}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Output type</th>
                <th scope="col">Reads</th>
                <th scope="col">Stages</th>
              </tr>
            </thead>
            <tbody>
              {definitions.map(({ document, outputType, inputType, stages }) => (
                <tr key={document.id}>
                  <td>
                    <a href={wayTo(['aggregates', document.id])}>{outputType}</a>
                  </td>
                  <td>{inputType}</td>
                  <td class="soft">{stages.map(({ text }) => nameOfStage(text)).join(' → ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {left.length > 0 && <Left definitions={left.map(({ document }) => document)} onRemoved={reload} />}
    </Page>
  );
}

/** What pages that ended without a word have left. A page that is still open makes its own again. */
function Left({
  definitions,
  onRemoved,
}: {
  readonly definitions: readonly Resource[];
  readonly onRemoved: () => void;
}) {
  const remove = async () => {
    await Promise.allSettled(definitions.map(({ id }) => ask('DELETE', pathOf(AGGREGATES, id))));
    tell('The previews are removed.');
    onRemoved();
  };
  const count = definitions.length;
  return (
    <div class="notice">
      <p>
        {count === 1 ? 'One preview is stored' : `${count} previews are stored`}: editors that are open keep
        one each, and one that ended without a word leaves it.{' '}
        <button class="link" type="button" onClick={() => void remove()}>
          Remove {count === 1 ? 'it' : 'them'}
        </button>
      </p>
    </div>
  );
}
