/** The kind of schemas (spec, Schema). */
import { parseJson } from '../../domain/values/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Problem } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { checkSchema } from '../../schema/check.ts';
import { checked, faultAt, faultOfTarget } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { memberOf } from '../../domain/values/tree.ts';

export const SCHEMAS: DocumentKind = {
  raw: { content: 'whole' },

  validate: ({ attributes }, whole) => {
    const content = memberOf(attributes, 'content');
    return [
      ...checked(CORE.schema, attributes, whole, {
        target: (value) => faultOfTarget('The target must be', value),
        // Whatever it is, JSON text stands for it here: a raw attribute.
        content: () => undefined,
      }),
      ...(typeof content === 'string' ? checkContent(content) : []),
    ];
  },
};

function checkContent(content: string): readonly Problem[] {
  const parsed = parseJson(content, LIMITS.jsonDepth);
  if (!parsed.ok) return [faultAt('/content', parsed.detail)];
  return checkSchema(parsed.value).map(({ pointer, detail }) => faultAt(`/content${pointer}`, detail));
}
