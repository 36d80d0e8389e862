/** How a search is found: the plan that the service tells the operator, drawn as a funnel from rows to documents. */
import { useEffect, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import { Button, Problems, useSubmit } from '../../parts/button.tsx';
import { useFields } from '../../parts/fields/form.tsx';
import { Page } from '../../parts/page.tsx';
import { countText, durationText } from '../../parts/words.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { credentials } from '../../session/credentials.ts';
import { askMeta } from '../../session/service.ts';

interface Plan {
  readonly way: string;
  readonly indexes: readonly string[];
  readonly scan: boolean;
  readonly 'rows-read': number;
  readonly 'documents-visited': number;
  readonly 'documents-decoded': number;
  readonly 'documents-returned': number;
}

/** What the ways are (docs/performance.md). */
const WAYS: Readonly<Record<string, string>> = {
  'positions-of-an-index': 'An index decides the filter alone: its positions are the matches.',
  'page-of-an-index': 'An index has the matches in the order that was asked for: the page is a part of it.',
  'few-candidates': 'An index, or rights, leave few candidates: each is looked at.',
  outward: 'Cells around a point are looked at, the nearest first.',
  'order-of-creation': 'Documents are walked in the order of their creation until the page is full.',
  'order-of-an-index': 'Documents are walked in the order of an index until the page is full.',
  everything: 'Every document is looked at.',
  nothing: 'It was known before that nothing matches, or a result was kept.',
};

export default function PlanPage() {
  const request = route.value.query;
  const first = (name: string) => request.get(name) ?? '';
  const { values, controls } = useFields([
    { name: 'type', label: 'Type', required: true, first: first('type') },
    { name: 'filter', label: 'Filter', first: first('filter'), placeholder: '{"year": {"$gt": 1900}}' },
    { name: 'sort', label: 'Sort', first: first('sort'), placeholder: '-year' },
  ]);
  const [found, setFound] = useState<Found>();
  const { error, isBusy, submit } = useSubmit(async () => {
    replaceWith(wayTo(['plan'], values));
    setFound(await explain(values));
  });
  // A link from a search brings what is to be explained.
  useEffect(() => {
    if (values.type !== '') submit();
  }, []);
  return (
    <Page title="Search plans" lead="How a search is executed, and what it costs.">
      <form class="toolbar" onSubmit={submit}>
        {controls}
        <Button look="primary" disabled={isBusy}>
          Explain
        </Button>
      </form>
      <Problems error={error} />
      {found && <Drawing found={found} />}
    </Page>
  );
}

function Drawing({ found: { plan, count, milliseconds } }: { readonly found: Found }) {
  const steps = [
    ['Rows read', plan['rows-read']],
    ['Documents scanned', plan['documents-visited']],
    ['Documents decoded', plan['documents-decoded']],
    ['Documents returned', plan['documents-returned']],
  ] as const;
  const most = Math.max(1, ...steps.map(([, number]) => number));
  return (
    <section class="card" aria-label="The plan">
      <h2>{plan.way.replaceAll('-', ' ')}</h2>
      <p class="lead">{WAYS[plan.way] ?? ''}</p>
      <p>
        {plan.indexes.length === 0 ? 'No index was used.' : 'Indexes: '}
        {plan.indexes.map((path) => (
          <code class="tag" key={path}>
            {path}
          </code>
        ))}{' '}
        {plan.scan && <span class="bad">Every document was scanned: no index fits.</span>}
      </p>
      <dl class="funnel">
        {steps.map(([title, number]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <progress aria-label={title} max={most} value={number} />
              <span class="number">{countText(number)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        {count !== undefined &&
          (count === 1 ? 'One document matches. ' : `${countText(count)} documents match. `)}
        The answer took {durationText(milliseconds)}. A path that is searched often gets an index by itself.
      </p>
    </section>
  );
}

type Found = Awaited<ReturnType<typeof explain>>;

async function explain({ type, filter, sort }: Readonly<Record<'type' | 'filter' | 'sort', string>>) {
  const query = new URLSearchParams({
    'page[limit]': '20',
    ...(filter.trim() !== '' && { 'filter[*]': filter }),
    ...(sort.trim() !== '' && { sort }),
  });
  const headers = { 'foredge-explain': credentials.value.secret };
  const started = performance.now();
  const request = { query: query.toString(), headers };
  const { plan, count } = await askMeta<{ plan?: Plan; count?: number }>('GET', pathOf(type), request);
  if (plan === undefined) throw new Error('No plan.');
  return { plan, count, milliseconds: performance.now() - started };
}
