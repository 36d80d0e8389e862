/** Who has made a version of a document, and when. */
import type { Link, Resource } from '../../../client/transport.ts';
import { linkIn, stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Linked } from '../../parts/fields/names.tsx';
import { Time } from '../../parts/words.tsx';
import { list, read } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { hasHistory, pathOfVersions } from './versions.ts';

/** The user of a version, else its key. */
export function Who({ of: { user: json, key } }: { readonly of: Maker }) {
  const user = linkIn(json);
  if (user) return <Linked link={user} />;
  return key === undefined || key === null ? (
    <>{stringIn(json)}</>
  ) : (
    <span>
      key <code>{stringIn(key)}</code>
    </span>
  );
}

type Maker = NonNullable<Resource['attributes']>;

/** When a document was changed last, and by whom where its type has a history. */
export function LastChange({ link }: { readonly link: Link }) {
  const { value = {} } = useLoad((signal) => readLast(link, signal), []);
  const iso = isoOf(value['at']);
  if (iso === undefined) return null;
  return (
    <span>
      <Time iso={iso} /> {('user' in value || 'key' in value) && <Who of={value} />}
    </span>
  );
}

async function readLast(link: Link, signal: AbortSignal): Promise<Maker> {
  if (await hasHistory(link.type, signal)) {
    const { documents } = await list(pathOfVersions(link), { 'page[size]': '1' }, signal);
    return documents[0]?.attributes ?? {};
  }
  const updated = (await read(link, '$updated', signal))?.document.meta?.['updated'];
  return updated === undefined ? {} : { at: updated };
}
