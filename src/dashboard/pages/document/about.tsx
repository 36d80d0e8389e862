/** What the service knows of a document: its id, when it was made and changed, and by whom. */
import type { Json } from '../../../client/values.ts';
import { Copy } from '../../parts/copy.tsx';
import { useLoad } from '../../session/load.ts';
import { wayToTable } from '../documents/last-view.ts';
import { isSame } from './draft.ts';
import { Linked } from './related/linked.tsx';
import { useNames } from './related/names.ts';
import { readMeta } from './save/requests.ts';
import { isMembers, isoOf } from './values/kinds.ts';

export function Back({ type }: { readonly type: string }) {
  return <a href={wayToTable(type)}>{type}</a>;
}

interface AboutProps {
  readonly type: string;
  readonly id: string;
  /** Changes with every save. */
  readonly etag: string | undefined;
}

export function About({ type, id, etag }: AboutProps) {
  const { value: meta } = useLoad((signal) => readMeta(type, id, signal), [type, id, etag]);
  const creator = linkOf(meta?.['creator']);
  const names = useNames(creator === undefined ? [] : [creator]);
  return (
    <span class="about">
      <code>{id}</code>
      <Copy text={id} label="Copy the id" />
      <Moment words="made" date={meta?.['created']} />
      {creator !== undefined && (
        <span>
          by <Linked link={creator} {...names} />
        </span>
      )}
      {!isSame(meta?.['updated'], meta?.['created']) && <Moment words="changed" date={meta?.['updated']} />}
    </span>
  );
}

function Moment({ words, date }: { readonly words: string; readonly date: Json | undefined }) {
  const iso = date === undefined || date === null ? undefined : isoOf(date);
  if (iso === undefined) return null;
  return (
    <span>
      {words}{' '}
      <time dateTime={iso} title={iso}>
        {new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
      </time>
    </span>
  );
}

function linkOf(json: Json | undefined) {
  if (!isMembers(json)) return undefined;
  const { type, id } = json;
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined;
}
