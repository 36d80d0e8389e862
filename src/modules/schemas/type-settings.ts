/** The kind of settings of types (docs/types.md). */
import { offerOf, oneOf, unknownName } from '../../domain/names.ts';
import { inside, placeOf, pointerOf } from '../../domain/pointer.ts';
import { TOLD } from '../../domain/limits.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import { secretFields } from '../../domain/secrets.ts';
import { readTypeSettings, SETTING_NAMES, type Report } from '../../domain/type-settings.ts';
import { coreTypesThat, typeInfo } from '../../domain/types.ts';
import { memberOf } from '../../domain/values/tree.ts';
import type { Fields } from '../../domain/values/values.ts';
import type { DocumentKind } from '../documents/kind.ts';

const ATTRIBUTES = placeOf('data', 'attributes');

export const TYPE_SETTINGS: DocumentKind = {
  // Which settings a type may have depends on its name.
  validatesWhole: true,

  validate: ({ attributes }, whole, current) => {
    // Without the document a PATCH cannot be checked here: the write will report it.
    if (!whole && current === null) return [];
    const after = { ...current, ...attributes };
    return [...checkName(after, current), ...checkKnown(attributes), ...checkSettings(after)];
  },
};

function checkName(after: Fields, current: Fields | null): readonly Problem[] {
  const pointer = pointerOf(inside(ATTRIBUTES, 'name'));
  const name = memberOf(after, 'name');
  if (name === undefined) {
    return [problem('missing-attribute', 'The attribute name is required.', { pointer })];
  }
  if (typeof name !== 'string' || typeInfo(name).schemaTarget !== true) {
    const types = coreTypesThat((facts) => facts.schemaTarget);
    const offer = offerOf(name, types);
    const detail = `The name must be that of a type of resources, ${oneOf(types, 'or')}.${offer}`;
    return [problem('invalid-attribute', detail, { pointer })];
  }
  if (current === null || memberOf(current, 'name') === name) return [];
  return [
    problem('invalid-attribute', 'The settings of a type stay with it: the name never changes.', { pointer }),
  ];
}

function checkKnown(attributes: Fields): readonly Problem[] {
  return Object.keys(attributes)
    .filter((name) => !SETTING_NAMES.includes(name))
    .slice(0, TOLD.inBody)
    .map((name) => {
      const detail = unknownName(name, { what: 'setting', names: SETTING_NAMES.slice(1) });
      return problem('invalid-attribute', detail, { pointer: pointerOf(inside(ATTRIBUTES, name)) });
    });
}

/** Settings that a type of the service cannot have: its documents carry rights and credentials of others. */
const OF_RESOURCES = ['expires', 'client-ids'];

function checkSettings(after: Fields): readonly Problem[] {
  const problems: Problem[] = [];
  const report: Report = (place, detail) => {
    problems.push(problem('invalid-attribute', detail, { pointer: pointerOf(place) }));
  };
  const { unique } = readTypeSettings(after, ATTRIBUTES, report);
  const name = memberOf(after, 'name');
  if (typeof name !== 'string' || typeInfo(name).module === 'resources') return problems;
  for (const [index, list] of unique.entries()) {
    for (const [position, path] of list.entries()) {
      if (!secretFields(name).some((secret) => path === secret || path.startsWith(`${secret}.`))) continue;
      // Who may write a document could find out what others have.
      report(placeOf('data', 'attributes', 'unique', index, position), 'A secret is not unique.');
    }
  }
  const strange = OF_RESOURCES.filter((setting) => {
    const value = memberOf(after, setting) ?? null;
    return value !== null && value !== false;
  });
  const own = strange.map((setting) => {
    const pointer = pointerOf(inside(ATTRIBUTES, setting));
    return problem('invalid-attribute', `Only types of resources can have the setting ${setting}.`, {
      pointer,
    });
  });
  return [...problems, ...own];
}
