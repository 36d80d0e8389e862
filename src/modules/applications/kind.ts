/** What is particular to documents of type `core.application`: the operator's own. */
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem } from '../../domain/problems.ts';
import { fieldOf } from '../../domain/values.ts';
import type { DocumentKind } from '../documents/kind.ts';

export const APPLICATION_TYPE = 'core.application';

export const APPLICATIONS: DocumentKind = {
  validate: ({ attributes }, whole) => {
    const name = fieldOf(attributes, 'name');
    if (name === undefined ? !whole : typeof name === 'string' && name !== '') return [];
    const pointer = pointerOf(placeOf('data', 'attributes', 'name'));
    return [problem('invalid-attribute', 'The name must be a string that is not empty.', { pointer })];
  },
};
