/** What the checks of the service's own types have in common: what is wrong with their attributes, and where. */
import { readQuotas, type QuotaName } from '../../domain/applications/quotas.ts';
import { offerOf, oneOf } from '../../domain/names.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem, type ProblemCode } from '../../domain/problems.ts';
import { coreTypesThat, typeInfo } from '../../domain/types/facts.ts';
import { mapFields, memberOf } from '../../domain/values/tree.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import type { Content } from '../../domain/documents.ts';
import { isItems, isMembers } from '../contents/example.ts';
import { attributesOf } from '../contents/own-types.ts';
import type { Schema } from '../contents/schema.ts';

/** Says what is wrong with a value; nothing of one that is right. */
export type AttributeCheck = (value: Value) => string | undefined;

/** The fault of an attribute, or of what is inside it: the pointer begins at the attributes. */
export function faultAt(pointer: string, detail: string, code: ProblemCode = 'invalid-attribute'): Problem {
  return problem(code, detail, { pointer: `/data/attributes${pointer}` });
}

export function missing(name: string): Problem {
  return faultAt(`/${name}`, `The attribute ${name} is required.`, 'missing-attribute');
}

/**
 * What checks find, in their order, by the table of the service's own types: a new document (`whole`) has what its type
 * requires, and what the service makes is not sent. Flags, choices and whole numbers are checked as the table says.
 */
export function checked(
  type: string,
  attributes: Fields,
  whole: boolean,
  checks: Readonly<Record<string, AttributeCheck>>,
): readonly Problem[] {
  const own = attributesOf(type);
  const others = own.flatMap(({ name, isMade, schema }) => {
    const check = isMade || Object.hasOwn(checks, name) ? undefined : checkOf(name, schema);
    return check === undefined ? [] : [[name, check] as const];
  });
  return [...Object.entries(checks), ...others].flatMap(([name, check]) => {
    const value = memberOf(attributes, name);
    const { isMade, isRequired } = own.find((each) => each.name === name) ?? {};
    if (value === undefined) return whole && isRequired === true ? [missing(name)] : [];
    const detail = check(value);
    const code = isMade === true ? 'read-only-member' : 'invalid-attribute';
    return detail === undefined ? [] : [faultAt(`/${name}`, detail, code)];
  });
}

/** The check that a schema of the table stands for, if it is one of these. */
function checkOf(name: string, schema: Schema): AttributeCheck | undefined {
  const { anyOf, type, enum: choices, minimum, maximum } = schema;
  if (isItems(anyOf)) {
    const [none, some] = anyOf.filter(isMembers);
    const check = none?.['type'] === 'null' && some !== undefined ? checkOf(name, some) : undefined;
    return check && ((value) => (value === null ? undefined : check(value)));
  }
  if (type === 'boolean')
    return (value) => (typeof value === 'boolean' ? undefined : 'This must be true or false.');
  if (isItems(choices)) {
    const names = choices.map(String);
    return (value) =>
      names.some((each) => each === value) ? undefined : `The value of ${name} is ${oneOf(names, 'or')}.`;
  }
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return undefined;
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
      ? undefined
      : `This is a whole number from ${minimum} to ${maximum}.`;
}

/** Of a type without relationships: `subject` begins a sentence. */
export function faultsOfLinks(subject: string, relationships: Content['relationships']): readonly Problem[] {
  return Object.keys(relationships).map((name) => faultOfLinks(name, `${subject} has no relationships.`));
}

export function faultOfLinks(name: string, detail: string): Problem {
  return problem('invalid-relationship', detail, {
    pointer: pointerOf(placeOf('data', 'relationships', name)),
  });
}

export function faultsOfNames(type: string, attributes: Fields): readonly Problem[] {
  const names = attributesOf(type).map(({ name }) => name);
  return Object.keys(attributes)
    .filter((name) => !names.includes(name))
    .map((name) =>
      faultAt(pointerOf(placeOf(name)), `There is no such attribute here: ${oneOf(names, 'or')}.`),
    );
}

/** The same checks of attributes that null takes away. */
export function orNone(
  checks: Readonly<Record<string, AttributeCheck>>,
): Readonly<Record<string, AttributeCheck>> {
  return mapFields(checks, (check) => (value) => (value === null ? undefined : check(value)));
}

/** Of what has a name: a new one without it is as one with a wrong name. */
export function faultsOfName(attributes: Fields, whole: boolean): readonly Problem[] {
  const name = memberOf(attributes, 'name');
  const isFine = name === undefined ? !whole : typeof name === 'string' && name !== '';
  return isFine ? [] : [faultAt('/name', 'The name must be a string that is not empty.')];
}

export function faultsOfQuotas(attributes: Fields, names: readonly QuotaName[]): readonly Problem[] {
  return readQuotas(memberOf(attributes, 'quotas'), names).faults.map(({ member, detail }) =>
    faultAt(pointerOf(placeOf('quotas', ...(member === null ? [] : [member]))), detail),
  );
}

/** Schemas, webhooks and settings are for types that an application chooses, or identities. `subject` goes first. */
export function faultOfTarget(subject: string, target: Value): string | undefined {
  if (typeof target === 'string' && typeInfo(target).schemaTarget === true) return undefined;
  const types = coreTypesThat((facts) => facts.schemaTarget);
  return `${subject} a type of resources, ${oneOf(types, 'or')}.${offerOf(target, types)}`;
}
