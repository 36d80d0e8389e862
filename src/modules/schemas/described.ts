/** An application's types as its schemas describe them, for OpenAPI. */
import { factsOf } from '../../domain/types.ts';
import { portableSchema, type PortableSchema } from '../../schema/portable.ts';
import { named, type Schema } from '../contents/schema.ts';
import { subjectOf, type Subject } from '../contents/subjects.ts';
import { exampleOfObject, isMembers } from './example.ts';

export interface DescribedTypes {
  /** The types of resources that have a schema. */
  readonly resources: ReadonlyMap<string, Subject>;
  /** The service's own types that have one. */
  readonly core: ReadonlyMap<string, Subject>;
  /** The schemas that these name. */
  readonly components: Readonly<Record<string, Schema>>;
}

export const NO_TYPES: DescribedTypes = { resources: new Map(), core: new Map(), components: {} };

/** The attributes of a schema's document, as far as they are shown. */
export interface ShownSchema {
  readonly target?: unknown;
  readonly content?: unknown;
}

export function describeTypes(schemas: readonly ShownSchema[]): DescribedTypes {
  const components: Record<string, Schema> = {};
  const subjects = [...Map.groupBy(schemas, ({ target }) => target)].flatMap(([type, of]) =>
    typeof type === 'string' && factsOf(type).schemaTarget === true
      ? [[type, describe(type, of, components)] as const]
      : [],
  );
  const [resources, core] = [true, false].map(
    (wanted) => new Map(subjects.filter(([type]) => (factsOf(type).module === 'resources') === wanted)),
  );
  return { resources: resources ?? new Map(), core: core ?? new Map(), components };
}

/** What a write must satisfy, by the members of all schemas of the type. `components` takes what they refer to. */
function describe(
  type: string,
  schemas: readonly ShownSchema[],
  components: Record<string, Schema>,
): Subject {
  const roots = schemas.flatMap(({ content }, index) => {
    const prefix = `schema.${type}.${index + 1}`;
    const portable = portableSchema(content, {
      nameOf: (number) => `${prefix}.${number}`,
      toName: (name) => `#/components/schemas/${name}`,
    });
    Object.assign(components, portable?.named);
    return portable !== null && isMembers(portable.root) ? [portable.root] : [];
  });
  const own = factsOf(type).module !== 'resources';
  const subject = own ? subjectOf(type) : ofResources(type);
  const attributes = membersOf(roots, 'attributes');
  const relationships = membersOf(roots, 'relationships');
  const example = Object.assign(
    { ...(own && subject.example.attributes) },
    ...attributes.map(exampleOfObject),
  ) as Subject['example']['attributes'];
  const keep = (name: string, all: readonly Schema[], otherwise: Schema): Schema => {
    if (all.length === 0) return otherwise;
    components[`${name}.${type}`] = together(all);
    return named(`${name}.${type}`);
  };
  const base = own ? [subject.sent] : [];
  const changed = keep('changes', [...base, ...attributes.map(withoutDemands)], subject.changed);
  return {
    ...subject,
    sent: keep('attributes', [...base, ...attributes], subject.sent),
    changed,
    shown: own ? subject.shown : changed,
    links: keep('relationships', relationships, subject.links),
    example: { ...subject.example, attributes: example, shown: { ...subject.example.shown, ...example } },
  };
}

/** Documents of a type of resources, under a name that no other schema has. */
function ofResources(type: string): Subject {
  const any = subjectOf(type);
  return {
    ...any,
    name: `resources.${type}`,
    says: `A document of the type ${type}.`,
    type: { const: type },
    example: { type, id: any.example.id, attributes: {}, shown: {} },
  };
}

/** What the schemas say of a member of the document. */
function membersOf(roots: readonly PortableSchema[], name: string): readonly PortableSchema[] {
  return roots.flatMap((root) => {
    const properties = root['properties'];
    const member = isMembers(properties) ? properties[name] : undefined;
    return isMembers(member) ? [member] : [];
  });
}

function together(schemas: readonly Schema[]): Schema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { allOf: schemas };
}

/** What asks for members to be there: PATCH need not send them, and `fields` may leave them out. */
const DEMANDS: ReadonlySet<string> = new Set([
  'required',
  'minProperties',
  'dependentRequired',
  'dependentSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
]);

function withoutDemands(schema: PortableSchema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !DEMANDS.has(name)));
}
