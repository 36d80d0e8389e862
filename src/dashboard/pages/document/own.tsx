/** The page of a type of the service's own: all its documents as a list, or one of them. */
import { Collection, NewLink, type CollectionProps } from '../../parts/collection.tsx';
import type { PageProps } from '../../route.ts';
import { Document } from './document.tsx';
import type { Draft } from './draft.ts';
import type { Sort } from './sort.ts';

export type List = Omit<CollectionProps, 'title' | 'type' | 'what'>;

/** `blank` is what a new one begins as: the route may say more of it. */
export function ownPage(sort: Sort, list: List, blank: () => Partial<Draft> = () => ({})) {
  const { type, steps, all, what } = sort;
  const add = () => <NewLink steps={steps}>{`New ${what}`}</NewLink>;
  return ({ steps: [id] }: PageProps) => {
    if (id === undefined)
      return <Collection title={all} type={type} what={`${what}s`} actions={add} {...list} />;
    const first = blank();
    return <Document key={id + JSON.stringify(first)} sort={sort} id={id} blank={first} />;
  };
}
