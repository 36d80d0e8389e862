/** The first page of an application: its types and how much there is of each, and where to begin when there are none. */
import { useState } from 'preact/hooks';
import { Loading, Page } from '../../parts/page.tsx';
import { bytesText, countText } from '../../parts/numbers.ts';
import { Problems } from '../../parts/problems.tsx';
import { wayTo } from '../../route.ts';
import { application } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes, type StoredType } from '../../session/types.ts';
import { FirstMinute } from './first-minute.tsx';
import type { FirstDocument } from './made.tsx';
import { Onward } from './onward.tsx';

/** Tiles that there are at most. */
const SHOWN = 60;

export default function Overview() {
  const open = application.value;
  const [made, setMade] = useState<FirstDocument>();
  const { value: types, error } = useLoad(readTypes, [open?.id]);
  const isNew = types?.length === 0;
  return (
    <Page title={open?.name ?? 'Overview'} lead={open && <code>{open.id}</code>}>
      <Problems error={error} />
      {types === undefined && error === undefined && <Loading what="types" />}
      {isNew && (
        <>
          <p class="lead begin">
            {made === undefined
              ? 'This application has no documents yet. The first minute:'
              : 'This application has its first document.'}
          </p>
          <FirstMinute made={made} onMade={setMade} />
        </>
      )}
      {types !== undefined && types.length > 0 && <Contents types={types} />}
    </Page>
  );
}

function Contents({ types }: { readonly types: readonly StoredType[] }) {
  return (
    <>
      <dl class="figures">
        <Figure name={types.length === 1 ? 'type' : 'types'} value={countText(types.length)} />
        <Figure name="documents" value={sumOf(types, 'documents', countText)} />
        <Figure name="stored" value={sumOf(types, 'bytes', bytesText)} />
      </dl>
      <ul class="tiles">
        {types.slice(0, SHOWN).map(({ name, documents, bytes }) => (
          <li key={name}>
            <a class="tile" href={wayTo(['documents', name])} title={name}>
              <strong>{name}</strong>
              <span class="soft amounts">
                <span>
                  {documents === undefined
                    ? 'counted by rights'
                    : `${countText(documents)} ${documents === 1 ? 'document' : 'documents'}`}
                </span>
                {bytes !== undefined && <span>{bytesText(bytes)}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {types.length > SHOWN && (
        <p class="all-types">
          <a href={wayTo(['documents'])}>All {countText(types.length)} types</a>
        </p>
      )}
      <h2 class="go-on">Go on</h2>
      <Onward />
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The sum over all types; undefined where one does not tell. */
function sumOf(
  types: readonly StoredType[],
  member: 'documents' | 'bytes',
  text: (sum: number) => string,
): string | undefined {
  let sum = 0;
  for (const { [member]: amount } of types) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return text(sum);
}
