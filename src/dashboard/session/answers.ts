/** What an answer holds: a list of documents, or one. */
import type { Body, Resource } from '../../client/transport.ts';

export function listOf({ data }: Body): readonly Resource[] {
  return isList(data) ? data : [];
}

/** Null for a document that was deleted, and where the answer holds none. */
export function documentOf({ data }: Body): Resource | null {
  return data === undefined || isList(data) ? null : data;
}

function isList(data: Body['data']): data is readonly Resource[] {
  return Array.isArray(data);
}
