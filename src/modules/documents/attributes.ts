/** What the checks of the service's own types have in common: what is wrong with their attributes, and where. */
import { readQuotas, type QuotaName } from '../../domain/applications/quotas.ts';
import { offerOf, oneOf } from '../../domain/names.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem, type ProblemCode } from '../../domain/problems.ts';
import { coreTypesThat, typeInfo } from '../../domain/types/facts.ts';
import { memberOf } from '../../domain/values/tree.ts';
import type { Fields, Value } from '../../domain/values/values.ts';
import { attributesOf } from '../contents/own-attributes.ts';

/** Says what is wrong with a value; nothing of one that is right. */
export type Check = (value: Value) => string | undefined;

/** The fault of an attribute, or of what is inside it: the pointer begins at the attributes. */
export function faultAt(pointer: string, detail: string, code: ProblemCode = 'invalid-attribute'): Problem {
  return problem(code, detail, { pointer: `/data/attributes${pointer}` });
}

export function missing(name: string): Problem {
  return faultAt(`/${name}`, `The attribute ${name} is required.`, 'missing-attribute');
}

/**
 * What checks find, in their order, by the table of the service's own types: a new document (`whole`) has what its type
 * requires, and what the service makes is not sent.
 */
export function checked(
  type: string,
  attributes: Fields,
  whole: boolean,
  checks: Readonly<Record<string, Check>>,
): readonly Problem[] {
  const own = attributesOf(type);
  return Object.entries(checks).flatMap(([name, check]) => {
    const value = memberOf(attributes, name);
    const { isMade, isRequired } = own.find((each) => each.name === name) ?? {};
    if (value === undefined) return whole && isRequired === true ? [missing(name)] : [];
    const detail = check(value);
    const code = isMade === true ? 'read-only-member' : 'invalid-attribute';
    return detail === undefined ? [] : [faultAt(`/${name}`, detail, code)];
  });
}

/** The same checks of attributes that null takes away. */
export function orNone(checks: Readonly<Record<string, Check>>): Readonly<Record<string, Check>> {
  return Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [
      name,
      (value) => (value === null ? undefined : check(value)),
    ]),
  );
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

/** Schemas, webhooks and settings are for types that an application chooses, or for identities. `subject` begins a sentence. */
export function faultOfTarget(subject: string, target: Value): string | undefined {
  if (typeof target === 'string' && typeInfo(target).schemaTarget === true) return undefined;
  const types = coreTypesThat((facts) => facts.schemaTarget);
  return `${subject} a type of resources, ${oneOf(types, 'or')}.${offerOf(target, types)}`;
}
