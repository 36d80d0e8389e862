/** The kind of schemas (spec, Schema). */
import { parseJson } from '../../domain/values/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { offerOf, oneOf } from '../../domain/names.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import { coreTypesThat, typeInfo } from '../../domain/types.ts';
import type { Value } from '../../domain/values/values.ts';
import { checkSchema } from '../../schema/check.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { showRaw } from '../documents/body/raw.ts';
import { memberOf } from '../../domain/values/tree.ts';

export const SCHEMAS: DocumentKind = {
  rawAttributes: new Set(['content']),

  validate: ({ attributes }, whole) => {
    const target = memberOf(attributes, 'target');
    const content = memberOf(attributes, 'content');
    return [
      ...(target === undefined && !whole ? [] : checkTarget(target)),
      ...(content === undefined && !whole ? [] : checkContent(content)),
    ];
  },

  attributes: (document) => Promise.resolve(showRaw(document.attributes, 'content')),
};

function checkTarget(target: Value | undefined): readonly Problem[] {
  const pointer = pointerOf(placeOf('data', 'attributes', 'target'));
  if (target === undefined)
    return [problem('missing-attribute', 'The attribute target is required.', { pointer })];
  if (typeof target === 'string' && typeInfo(target).schemaTarget === true) return [];
  const types = coreTypesThat((facts) => facts.schemaTarget);
  const offer = offerOf(target, types);
  const detail = `The target must be a type of resources, ${oneOf(types, 'or')}.${offer}`;
  return [problem('invalid-attribute', detail, { pointer })];
}

/** `content` is JSON text here: a raw attribute. */
function checkContent(content: Value | undefined): readonly Problem[] {
  const place = pointerOf(placeOf('data', 'attributes', 'content'));
  if (typeof content !== 'string') {
    return [problem('missing-attribute', 'The attribute content is required.', { pointer: place })];
  }
  const parsed = parseJson(content, LIMITS.jsonDepth);
  if (!parsed.ok) return [problem('invalid-attribute', parsed.detail, { pointer: place })];
  return checkSchema(parsed.value).map(({ pointer, detail }) =>
    problem('invalid-attribute', detail, { pointer: `${place}${pointer}` }),
  );
}
