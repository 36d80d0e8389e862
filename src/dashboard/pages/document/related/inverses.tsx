/** Documents that link to this one, as the settings of its type name them. */
import { pathOf } from '../../../../client/paths.ts';
import { Problems } from '../../../parts/problems.tsx';
import { listOf } from '../../../session/answers.ts';
import { useLoad } from '../../../session/load.ts';
import { ask } from '../../../session/service.ts';
import { wayTo } from '../../../route.ts';
import { isMembers, textOf } from '../values/kinds.ts';
import { fieldsOfNames, nameOf } from './names.ts';

/** How many of them are shown. */
const SHOWN = 10;

/** The settings of a type, or undefined: it has none, or they may not be read. */
export async function readSettings(type: string, signal: AbortSignal) {
  const query = new URLSearchParams({ 'filter[name]': JSON.stringify(type) });
  const { body } = await ask('GET', pathOf('core.type'), { query: query.toString(), signal });
  return listOf(body)[0]?.attributes;
}

interface InversesProps {
  readonly type: string;
  readonly id: string;
}

export function Inverses({ type, id }: InversesProps) {
  const { value: settings } = useLoad((signal) => readSettings(type, signal), [type]);
  const inverses = settings?.['inverses'];
  if (!isMembers(inverses)) return null;
  return (
    <section class="form-part" aria-label="What links here">
      <h2>What links here</h2>
      <div class="fields">
        {Object.entries(inverses).map(([name, from]) => (
          <Inverse
            key={name}
            type={type}
            id={id}
            name={name}
            from={textOf(isMembers(from) ? (from['type'] ?? null) : null)}
          />
        ))}
      </div>
    </section>
  );
}

function Inverse({ type, id, name, from }: InversesProps & { readonly name: string; readonly from: string }) {
  const { value: body, error } = useLoad(
    async (signal) => {
      const query = new URLSearchParams({ 'page[limit]': String(SHOWN), ...fieldsOfNames(from) });
      return (await ask('GET', pathOf(type, id, name), { query: query.toString(), signal })).body;
    },
    [type, id, name, from],
  );
  const documents = body === undefined ? [] : listOf(body);
  const count = body?.meta?.count;
  return (
    <div class="value-row" role="group" aria-label={name}>
      <div class="value-name">
        <span class="value-label">{name}</span>
        <span class="soft">{from}</span>
      </div>
      <div class="value-body">
        <Problems error={error} />
        <ul class="links">
          {documents.map((document) => (
            <li key={document.id}>
              <a href={wayTo(['documents', document.type, document.id])}>
                {nameOf(document) ?? <code>{document.id}</code>}
              </a>
            </li>
          ))}
          {body !== undefined && documents.length === 0 && <li class="soft">none that you may read</li>}
        </ul>
        {count !== undefined && count > documents.length && (
          <p class="soft">
            The first {documents.length} of {count.toLocaleString()}
          </p>
        )}
      </div>
    </div>
  );
}
