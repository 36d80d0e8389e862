/** The audit trail: who has changed which document, and when. */
import { useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { TextField } from '../../parts/field.tsx';
import { dateOf, textOf } from '../../parts/json.ts';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { Time } from '../../parts/time.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { application, isOperator } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { ask } from '../../session/service.ts';
import { Keeping } from './keeping.tsx';
import { listOf } from '../../session/answers.ts';

const PAGE = 100;
const FILTERS = [
  ['target-type', 'Type'],
  ['target-id', 'Id of the document'],
  ['key-name', 'Name of the key'],
] as const;

export default function Audit() {
  const asked = Object.fromEntries(route.value.query);
  const [rows, setRows] = useState<readonly Resource[]>([]);
  const [after, setAfter] = useState('');
  const filters = FILTERS.map(([name]) => [name, asked[name] ?? ''] as const).filter(
    ([, text]) => text !== '',
  );
  const of = JSON.stringify(filters);
  const { value, error, isLoading, reload } = useLoad(
    async (signal) => {
      const query = new URLSearchParams({ sort: '-at', 'page[size]': String(PAGE), 'page[after]': after });
      for (const [name, text] of filters) query.set(`filter[${name}]`, JSON.stringify(text));
      const answer = await ask('GET', '/audit/core.audit-entry', { query: query.toString(), signal });
      const found = listOf(answer.body);
      setRows((before) => (after === '' ? found : [...before, ...found]));
      const next = answer.body.links?.next;
      return { next: typeof next === 'string' ? new URL(next).searchParams.get('page[after]') : null };
    },
    [of, after],
  );
  const change = (name: string, text: string) => {
    setAfter('');
    const { [name]: _, ...rest } = asked;
    replaceWith(wayTo(['audit'], text === '' ? rest : { ...rest, [name]: text }));
  };
  return (
    <Page
      title="Audit trail"
      lead="Who has changed which document, and when. Values are never in it."
      wide
      actions={
        <button
          class="button"
          type="button"
          onClick={() => {
            setAfter('');
            reload();
          }}
        >
          Read again
        </button>
      }
    >
      {isOperator.value && <Keeping application={application.value?.id ?? ''} />}
      <div class="toolbar">
        {FILTERS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            value={asked[name] ?? ''}
            onText={(text) => {
              change(name, text);
            }}
          />
        ))}
      </div>
      <Problems error={error} />
      {value === undefined && error === undefined && <Loading what="the trail" />}
      {value !== undefined && rows.length === 0 && (
        <Empty title="The trail has no entry of this sort.">
          <p>It is kept from the moment on that the operator turns it on: `npm run app -- audit` or here.</p>
        </Empty>
      )}
      {rows.length > 0 && <Entries rows={rows} />}
      {typeof value?.next === 'string' && (
        <div class="pager">
          <button
            class="button"
            type="button"
            disabled={isLoading}
            onClick={() => {
              setAfter(value.next ?? '');
            }}
          >
            Show older entries
          </button>
        </div>
      )}
    </Page>
  );
}

function Entries({ rows }: { readonly rows: readonly Resource[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            {['When', 'Change', 'Document', 'Fields', 'Key', 'User', 'Request'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, attributes = {} }) => {
            const type = textOf(attributes['target-type']);
            const target = textOf(attributes['target-id']);
            const { fields, user } = attributes;
            return (
              <tr key={id}>
                <td class="nowrap">
                  <Time date={dateOf(attributes['at'])} />
                </td>
                <td>{textOf(attributes['change'])}</td>
                <td>
                  {type}{' '}
                  <a class="mono" href={wayTo(['documents', type, target])}>
                    {target}
                  </a>
                </td>
                <td class="wrap">{Array.isArray(fields) ? fields.map(textOf).join(', ') : textOf(fields)}</td>
                <td>{textOf(attributes['key-name'])}</td>
                <td class="mono">
                  {typeof user === 'object' && user !== null && 'id' in user ? textOf(user['id']) : ''}
                </td>
                <td class="mono">{textOf(attributes['method'])}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
