/** A link, by the name of what it leads to. What is not shown is said so. */
import type { Link, Resource } from '../../../../client/transport.ts';
import { wayTo } from '../../../route.ts';
import { keyOfLink, nameOf } from './names.ts';

interface LinkedProps {
  readonly link: Link;
  readonly found: ReadonlyMap<string, Resource>;
  readonly isLoading: boolean;
}

export function Linked({ link, found, isLoading }: LinkedProps) {
  const document = found.get(keyOfLink(link));
  const isMissing = document === undefined && !isLoading;
  const name = document === undefined ? null : nameOf(document);
  return (
    <span class="linked">
      <a href={wayTo(['documents', link.type, link.id])} title={`${link.type} ${link.id}`}>
        {name ?? <code>{link.id}</code>}
      </a>
      <span class="soft">{link.type}</span>
      {isMissing && <span class="tag">deleted, or not yours to read</span>}
    </span>
  );
}
