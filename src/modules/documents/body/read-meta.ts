/**
 * The `meta` of a resource object in a request: the rights that a document is created with (`acl`), or the operators
 * that change it where it is (`update`).
 */
import { type ParsedObject, isParsedObject, type Parsed } from '../../../domain/values/json.ts';
import { inside, placeOf, pointerOf, type Place } from '../../../domain/pointer.ts';
import { problem, type Problem } from '../../../domain/problems.ts';
import { type Grant, MEMBERS, readGrant, type AclLevel } from '../../../domain/rights.ts';
import { isLinkable } from '../../../domain/types/facts.ts';
import { isFields, type Fields } from '../../../domain/values/values.ts';
import { readValue } from '../../../domain/values/wrappers.ts';
import { readUpdate } from '../../../operators/update/read.ts';
import { pathsOf, type UpdateStep, type Update } from '../../../operators/update/update.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import { LIMITS, TOLD } from '../../../domain/limits.ts';
import { unknownName, sentenceOf, type Detail } from '../../../domain/names.ts';
import { keepWarm } from '../../../domain/caching/keep-warm.ts';
import type { DocumentId } from '../../../domain/ids.ts';

/** Names that a client gives to documents which the request adds (JSON:API, `lid`). */
export interface LocalIds {
  /** The placeholder for the id of a document, or undefined for an unknown name. */
  readonly find: (type: string, lid: string) => DocumentId | undefined;
  /** What is wrong with an unknown name. */
  readonly unknown: (type: string, lid: string) => string;
  /** The local id of the addressed document, if it has no other. */
  readonly addressed?: string;
}

export class Problems {
  readonly all: Problem[] = [];
  readonly locals: LocalIds | undefined;

  constructor(locals?: LocalIds) {
    this.locals = locals;
  }

  add(code: Problem['code'], place: Place, detail: Detail): void {
    if (this.all.length >= TOLD.inBody) return;
    this.all.push(problem(code, sentenceOf(detail), { pointer: pointerOf(place) }));
  }

  /** The value as an object, or null and a problem. */
  object(value: Parsed | undefined, place: Place, detail: string): ParsedObject | null {
    if (isParsedObject(value)) return value;
    this.add('invalid-body', place, detail);
    return null;
  }
}
keepWarm(new Problems());

export interface Meta {
  readonly update: Update | null;
  readonly grants: Readonly<Record<string, Grant>> | null;
}

const META = placeOf('data', 'meta');
const UPDATE = inside(META, 'update');

/** `others` holds the attributes and relationships of the same body. */
export function readMeta(
  shape: Problems,
  content: Problems,
  data: ParsedObject,
  isNew: boolean,
  others: readonly object[],
): Meta {
  const sent = memberOf(data, 'meta');
  if (sent === undefined) return { update: null, grants: null };
  const meta = shape.object(sent, META, 'The meta member must be an object.') ?? {};
  return {
    update: readOperators(shape, content, meta, isNew, others),
    grants: readRights(shape, content, meta, isNew),
  };
}

function readOperators(
  shape: Problems,
  content: Problems,
  meta: ParsedObject,
  isNew: boolean,
  others: readonly object[],
): Update | null {
  const sent = memberOf(meta, 'update');
  if (sent === undefined) return null;
  if (isNew) {
    content.add('invalid-update', UPDATE, 'What is created has nothing yet that operators could change.');
    return null;
  }
  const object = shape.object(sent, UPDATE, 'The update member must be an object of operators.');
  if (object === null) return null;
  const update = readUpdate(object, UPDATE, (place, detail) => {
    content.add('invalid-update', place, detail);
  });
  for (const [step, name] of changedBy(update)) {
    if (!others.some((fields) => Object.hasOwn(fields, name))) continue;
    const [place, field] = [step.path.join('.').slice(0, 200), name.slice(0, 200)];
    const detail = `${step.op} on ${place} and the field ${field} would change the same place.`;
    content.add('invalid-update', placeOfStep(step), detail);
  }
  return update;
}

/** Why an update cannot change some of a document's attributes; null if it can. */
export function faultsOfGuarded(update: Update, isGuarded: (name: string) => boolean): readonly Problem[] {
  return changedBy(update).flatMap(([step, name]) =>
    isGuarded(name)
      ? problem(
          'invalid-update',
          `The attribute ${name.slice(0, 200)} is checked as a whole: send it in attributes.`,
          {
            pointer: pointerOf(placeOfStep(step)),
          },
        )
      : [],
  );
}

/** Why documents of a type can not be created with rights; none where they can. */
export function faultsOfRights(type: string, grants: Meta['grants']): readonly Problem[] {
  if (grants === null || isLinkable(type)) return [];
  const pointer = pointerOf(inside(META, 'acl'));
  return [problem('invalid-attribute', 'Documents of this type have no ACL.', { pointer })];
}

function changedBy(update: Update): readonly (readonly [UpdateStep, string])[] {
  return update.flatMap((step) => pathsOf(step).map(([name = '']) => [step, name] as const));
}

function placeOfStep({ op, path }: UpdateStep): Place {
  return inside(inside(UPDATE, op), path.join('.'));
}

function readRights(shape: Problems, content: Problems, meta: ParsedObject, isNew: boolean): Meta['grants'] {
  const sent = memberOf(meta, 'acl');
  if (sent === undefined) return null;
  const place = inside(META, 'acl');
  if (!isNew) {
    content.add('invalid-attribute', place, 'The rights on a document that is there are changed at its ACL.');
    return null;
  }
  const object = shape.object(sent, place, 'The acl member must be an object of rights.');
  if (object === null) return null;
  const members = readValue(object, place, () => undefined);
  const { grants, problems } = readGrants(isFields(members) ? members : {}, 'acl', place);
  content.all.push(...problems);
  return grants;
}

export interface Grants {
  readonly grants: Readonly<Record<string, Grant>>;
  readonly problems: readonly Problem[];
}

/** The rights among the members of an object at a place; any other member is a fault. */
export function readGrants(
  members: Fields,
  level: AclLevel,
  place: Place,
  most: number = LIMITS.rightIdentities,
): Grants {
  const grants: [string, Grant][] = [];
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(members)) {
    const pointer = pointerOf(inside(place, name));
    const grant = readGrant(value);
    if (!Object.hasOwn(MEMBERS[level], name)) {
      if (problems.length >= TOLD.inBody) continue;
      const names = Object.keys(MEMBERS[level]);
      const detail = unknownName(name, { what: 'right', where: 'here', names });
      problems.push(problem('invalid-attribute', detail, { pointer }));
    } else if (grant === undefined) {
      const detail = 'A right is "*" or an array of users, user groups and external users as {type, id}.';
      problems.push(problem('invalid-attribute', detail, { pointer }));
    } else if (grant.length > most) {
      const detail = `A right names at most ${most} identities: name a group of them.`;
      problems.push(problem('invalid-attribute', detail, { pointer }));
    } else grants.push([name, grant]);
  }
  return { grants: Object.fromEntries(grants), problems };
}
