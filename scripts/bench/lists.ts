/** What a list of JSON:API must say to be measured, whoever has answered it. Pure. */
import { PAGE } from './contender.ts';

export interface List {
  readonly data: readonly unknown[];
  readonly included: readonly { readonly type: string }[];
  readonly meta: { readonly count: number };
}

/** What is wrong with a list, or null. */
export type Check = (list: List) => string | null;

export function listOf(text: string): List {
  const { data, included = [], meta } = JSON.parse(text) as Pick<List, 'data' | 'meta'> & Partial<List>;
  return { data, included, meta };
}

/** A whole page, of at least so many documents. */
export function pageOf(least: number): Check {
  return ({ data, meta }) => {
    if (data.length !== PAGE) return `${data.length} documents on the page`;
    return meta.count >= least ? null : `a count of ${meta.count}`;
  };
}

/** The first page of exactly so many documents. */
export function counted(expected: number): Check {
  return ({ data, meta }) => {
    if (meta.count !== expected) return `a count of ${meta.count}, not ${expected}`;
    return data.length === Math.min(PAGE, expected) ? null : `${data.length} documents on the page`;
  };
}

/** The first page of however many. */
export const firstPage: Check = ({ data, meta }) =>
  data.length === Math.min(PAGE, meta.count) ? null : `${data.length} of ${meta.count} documents`;

/** A whole page whose documents lead to others, and these to countries. */
export function including(least: number): Check {
  return (list) =>
    pageOf(least)(list) ??
    (list.included.some(({ type }) => type === 'countries') ? null : 'no country included');
}
