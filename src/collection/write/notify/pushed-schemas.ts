/** Schemas as they are pushed to the collections that they validate. */
import { memberOf } from '../../../domain/values/tree.ts';
import { unpackContent, type StoredDocument } from '../../../domain/values/stored.ts';
import type { PushedDocument } from '../../rpc/contract.ts';
import type { Pushed } from './pushes.ts';

export function openSchema(document: StoredDocument): Pushed<PushedDocument> {
  const { attributes } = unpackContent(document);
  const target = memberOf(attributes, 'target');
  const content = memberOf(attributes, 'content');
  if (typeof target !== 'string' || typeof content !== 'string') throw new Error('A stored schema is none.');
  return { target, content: { id: document.id, content } };
}
