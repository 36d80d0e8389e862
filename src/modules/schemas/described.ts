/** An application's types as its schemas describe them, for OpenAPI. */
import { typeInfo } from '../../domain/types/facts.ts';
import { portableSchema, type PortableSchema } from '../../schema/portable.ts';
import { named, type Schema } from '../contents/schema.ts';
import { subjectOf, type Subject } from '../contents/subjects.ts';
import { exampleOfObject, isMembers, SAMPLE_DATE } from '../contents/example.ts';
import { SENT, sentAttributes, sentRelationships } from './sent.ts';

export interface DescribedTypes {
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
    typeof type === 'string' && typeInfo(type).schemaTarget === true
      ? [[type, describe(type, of, components)] as const]
      : [],
  );
  const [resources, core] = [true, false].map(
    (wanted) => new Map(subjects.filter(([type]) => (typeInfo(type).module === 'resources') === wanted)),
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
    for (const [name, each] of Object.entries(portable?.named ?? {})) {
      components[name] = each as Schema;
      components[`${name}${SENT}`] = (typeof each === 'boolean' ? each : sentAttributes(each)) as Schema;
    }
    return portable !== null && isMembers(portable.root) ? [portable.root] : [];
  });
  const own = typeInfo(type).module !== 'resources';
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
  const sent = attributes.map(sentAttributes);
  const links = relationships.map(sentRelationships);
  return {
    ...subject,
    sent: keep('attributes', [...base, ...sent], subject.sent),
    changed: keep('changes', [...base, ...sent.map(withoutDemands)], subject.changed),
    shown: own ? subject.shown : keep('shown', attributes.map(withoutDemands), subject.shown),
    links: keep('relationships', links, subject.links),
    changedLinks: keep('changed-relationships', links.map(withoutDemands), subject.changedLinks),
    demands: roots.flatMap(({ required = [] }) => required as readonly string[]),
    example: {
      ...subject.example,
      attributes: wrapDates(example),
      shown: { ...subject.example.shown, ...example },
    },
  };
}

function wrapDates(example: Subject['example']['attributes']): Subject['example']['attributes'] {
  const wrap = (_: string, value: unknown) => (value === SAMPLE_DATE ? { $date: value } : value);
  return JSON.parse(JSON.stringify(example), wrap) as typeof example;
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

function withoutDemands(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !DEMANDS.has(name)));
}
