/** A list that is shown page by page: what has come so far, and a way to more. */
import { useEffect, useState } from 'preact/hooks';
import type { Resource } from '../../client/transport.ts';
import { list } from './documents.ts';
import { useLoad } from './load.ts';

/** Another `turn` lists anew. */
export function usePages(path: string, query: Readonly<Record<string, string>>, turn: unknown = 0) {
  const key = JSON.stringify([path, query, turn]);
  const [cursor, setCursor] = useState<{ readonly key: string; readonly after: string }>();
  const [rows, setRows] = useState<readonly Resource[]>([]);
  // A cursor is one of its own list, and of its last showing.
  useEffect(() => setCursor(undefined), [key]);
  const after = cursor?.key === key ? cursor.after : '';
  const page = useLoad(
    async (signal) => {
      // Empty for the first page: only pages by cursor say where the next one begins.
      const { documents, next, count } = await list(path, { ...query, 'page[after]': after }, signal);
      setRows((before) => (after === '' ? documents : [...before, ...documents]));
      return { next, count };
    },
    [key, after],
  );
  const { next = null } = page.value ?? {};
  return {
    ...page,
    rows,
    reload: () => {
      setCursor(undefined);
      page.reload();
    },
    more: next === null ? null : () => setCursor({ key, after: next }),
  };
}
