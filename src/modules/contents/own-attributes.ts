/** What is said of the attributes of the service's own types, one by one. */
import { OWN_TYPES } from './own-types.ts';
import type { Schema } from './schema.ts';

export interface OwnAttribute {
  readonly name: string;
  readonly says: string;
  readonly schema: Schema;
  /** True where the service makes it. */
  readonly isMade: boolean;
  /** True where a document may lack it. */
  readonly isOptional: boolean;
  /** True where a create must have it. */
  readonly isRequired: boolean;
}

/** What is said of each attribute of a type; nothing of types that clients choose. */
export function attributesOf(type: string): readonly OwnAttribute[] {
  const own = Object.hasOwn(OWN_TYPES, type) ? OWN_TYPES[type] : undefined;
  return Object.entries(own?.attributes ?? {}).map(([key, schema]) => {
    const isMade = schema['readOnly'] === true;
    const isOptional = key.endsWith('?');
    const name = key.replace(/\?$/, '');
    const { description } = schema;
    const says = typeof description === 'string' ? description : '';
    return { name, says, schema, isMade, isOptional, isRequired: !isMade && !isOptional };
  });
}
