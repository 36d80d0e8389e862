/** What the application uses, against its quotas: in all, by type, by key. */
import { useState } from 'preact/hooks';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { bytesText, countText } from '../../parts/numbers.ts';
import { Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { wayTo } from '../../route.ts';
import { application } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { changeApplication, readApplication } from '../applications/applications.ts';
import { QUOTAS, readUsage, type KeyUsage, type TypeUsage, type Usage } from './usage.ts';

export default function UsagePage() {
  const id = application.value?.id ?? '';
  const [isAsking, setAsking] = useState(false);
  const { value, error, reload } = useLoad(
    async (signal) => ({
      usage: await readUsage(id, signal),
      quotas: (await readApplication(id, signal)).quotas,
    }),
    [id],
  );
  return (
    <Page
      title="Usage"
      lead="Documents and bytes are exact; requests, calls and rows are counted up to twenty seconds late."
      wide
      actions={
        <>
          <button class="button" type="button" onClick={reload}>
            Read again
          </button>
          <button
            class="button"
            type="button"
            disabled={value === undefined}
            onClick={() => {
              setAsking(true);
            }}
          >
            Change quotas
          </button>
        </>
      }
    >
      <Problems error={error} />
      {value === undefined && error === undefined && <Loading what="usage" />}
      {value && (
        <>
          <Sums usage={value.usage} quotas={value.quotas} />
          <h2>By type</h2>
          <Types types={value.usage.types} />
          <h2>By API key</h2>
          <Keys keys={value.usage['api-keys']} />
        </>
      )}
      {value && isAsking && (
        <QuotaDialog
          id={id}
          quotas={value.quotas}
          onClose={() => {
            setAsking(false);
          }}
          onDone={reload}
        />
      )}
    </Page>
  );
}

function Sums({
  usage,
  quotas,
}: {
  readonly usage: Usage;
  readonly quotas: Readonly<Record<string, unknown>>;
}) {
  const types = usage.types.filter(
    ({ name, documents }) => !/^(core|agt)\./.test(name) && documents > 0,
  ).length;
  const figures = [
    { name: 'documents', title: 'Documents', used: usage.documents, text: countText },
    { name: 'bytes', title: 'Storage', used: usage.bytes, text: bytesText },
    { name: 'types', title: 'Types', used: types, text: countText },
    { name: 'requests', title: 'Requests', used: usage.requests, text: countText },
    { name: 'errors', title: 'Answers of 400 or above', used: usage.errors, text: countText },
  ];
  return (
    <dl class="figures">
      {figures.map(({ name, title, used, text }) => {
        const limit = quotas[name];
        return (
          <div class="figure" key={name}>
            <dt>{title}</dt>
            <dd class="figure-value">{text(used)}</dd>
            {typeof limit === 'number' && (
              <dd class="soft">
                {name === 'requests' ? (
                  `at most ${text(limit)} a second`
                ) : (
                  <>
                    of {text(limit)}
                    <progress
                      class={used > limit * 0.9 ? 'share full' : 'share'}
                      aria-label={`${title}: share of the quota`}
                      max={limit}
                      value={Math.min(used, limit)}
                    />
                  </>
                )}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

function Types({ types }: { readonly types: readonly TypeUsage[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Indexes</th>
            {['Documents', 'Storage', 'Requests', 'Errors', 'Calls', 'Rows read', 'Rows written'].map(
              (head) => (
                <th key={head} scope="col" class="number">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.name}>
              <td class="name-cell">
                {/^(core|agt)\./.test(type.name) ? (
                  type.name
                ) : (
                  <a href={wayTo(['documents', type.name])}>{type.name}</a>
                )}
              </td>
              <td>
                {type.indexed.map(({ path, built }) => (
                  <span class="tag" key={path}>
                    {path}
                    {built < 1 && ` ${Math.floor(built * 100)} % built`}
                  </span>
                ))}
              </td>
              <td class="number">{countText(type.documents)}</td>
              <td class="number">{bytesText(type.bytes)}</td>
              <td class="number">{countText(type.requests)}</td>
              <td class="number">{countText(type.errors)}</td>
              <td class="number">{countText(type.calls)}</td>
              <td class="number">{countText(type['rows-read'])}</td>
              <td class="number">{countText(type['rows-written'])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Keys({ keys }: { readonly keys: readonly KeyUsage[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Errors
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ id, name, requests, errors }) => (
            <tr key={id}>
              <td class="name-cell">
                {name ?? 'a key that is gone'} <span class="soft mono">{id}</span>
              </td>
              <td class="number">{countText(requests)}</td>
              <td class="number">{countText(errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function QuotaDialog({
  id,
  quotas,
  onClose,
  onDone,
}: {
  readonly id: string;
  readonly quotas: Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(Object.entries(quotas).map(([name, limit]) => [name, String(limit)])),
  );
  const submit = async () => {
    const set = QUOTAS.flatMap(([name]) => {
      const text = texts[name]?.trim() ?? '';
      // What is no number goes as it is: the service says what is wrong.
      return text === '' ? [] : [[name, Number.isFinite(Number(text)) ? Number(text) : text] as const];
    });
    await changeApplication(id, { quotas: set.length === 0 ? null : Object.fromEntries(set) });
    onDone();
    onClose();
  };
  return (
    <FormDialog title="Quotas" action="Save quotas" onClose={onClose} onSubmit={submit}>
      <p class="hint">
        An empty field sets no limit. A quota that is used up stops what adds, and nothing else.
      </p>
      {QUOTAS.map(([name, title]) => (
        <TextField
          key={name}
          label={title}
          value={texts[name] ?? ''}
          onText={(text) => {
            setTexts({ ...texts, [name]: text });
          }}
        />
      ))}
    </FormDialog>
  );
}
