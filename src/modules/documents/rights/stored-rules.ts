/**
 * Stored conditions, to be asked of documents one by one: rules of keys, filters of webhooks. Where nobody follows
 * links for them, one that asks linked documents is refused if relationships are known. If they are not, it holds for
 * no document that has links there (operators/filter/through.ts).
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import { everyOf, typesOf } from '../../../collection/rpc/maintenance/applications.ts';
import { pathOfSome, pathOfType } from '../../../domain/addresses/paths.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { offerOf, shownName } from '../../../domain/names.ts';
import { pointerOf } from '../../../domain/pointer.ts';
import { problem, type Problem, type ProblemSource } from '../../../domain/problems.ts';
import { AUDIT_FIELD_NAMES } from '../../../domain/audit-fields.ts';
import { CORE, storedType, type TypeName } from '../../../domain/types.ts';
import { isParsedObject, memberAt, type Parsed } from '../../../domain/values/json.ts';
import { EVERYTHING, NOTHING } from '../../../operators/filter/conditions.ts';
import { constantOf } from '../../../operators/filter/constant.ts';
import { EXPRESSION, type RuleCondition } from '../../../operators/filter/rule.ts';
import type { SettingsExpression } from '../../../operators/settings/expression.ts';
import type { Path } from '../../../query/walk.ts';
import { openRaw } from '../body/raw.ts';

export interface StoredRule {
  readonly rule: Pick<RuleCondition, 'parts' | 'names' | 'diagnostics'>;
  readonly pointer: string;
  readonly follows?: true;
  /** Whether its names are those of relationships alone. */
  readonly isOfLinks?: true;
  /** Whether it is about documents of a type, which are asked for at some paths. */
  readonly concerns: (type: TypeName, paths: readonly string[]) => boolean;
}

/** What an expression asks of a document, as a rule says it. */
export function askedBy(
  { fields, linked }: SettingsExpression,
  constant: boolean | null,
): StoredRule['rule'] {
  const condition = constant === true ? EVERYTHING : NOTHING;
  return {
    parts: constant === null ? [] : [{ place: null, condition }],
    names: [...Array.from(fields ?? [], (name) => [name]), ...linked].map((path) => ({
      path,
      linked: path.length === 1 ? null : (path[0] ?? null),
      isFollowable: true,
      place: null,
    })),
    diagnostics: [],
  };
}

/** What is wrong with rules, and what is probably not meant. */
export async function findingsOf(caller: CallContext, rules: readonly StoredRule[]) {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const names = rules.flatMap(({ rule }) => rule.names);
  const linked = names.flatMap((each) => each.linked ?? []);
  const firsts = names.flatMap(({ path: [name] }) => name ?? []);
  const all = await typesAsked(caller);
  const types = all
    .filter(({ type, paths }) => rules.some(({ concerns }) => concerns(type, paths)))
    .slice(0, LIMITS.typesCounted);
  const known = await Promise.all(
    types.map((each) => relationshipsOf(caller, each, new Set(each.schemas.length === 0 ? linked : firsts))),
  );
  for (const { rule, pointer, concerns, follows, isOfLinks } of rules) {
    for (const place of rule.diagnostics) {
      problems.push(problem('invalid-attribute', EXPRESSION, { pointer: pointer + pointerOf(place) }));
    }
    const about = types.filter(({ type, paths }) => concerns(type, paths));
    const found = about.flatMap((each) => known[types.indexOf(each)] ?? []);
    const links = found.flatMap(({ names: each }) => each);
    const followed = new Set(found.flatMap((each) => each.followed));
    warnings.push(...idle(rule, pointer));
    for (const { path, linked: link, isFollowable, place } of rule.names) {
      const at = { pointer: pointer + pointerOf(place) };
      if (link !== null && links.includes(link)) {
        if (follows === true && isFollowable && followed.has(link)) {
          const targets = found.flatMap(({ linked: each }) => each.filter(({ name }) => name === link));
          const typesOf = new Set(targets.flatMap((each) => each.types));
          warnings.push(
            ...misspelt(
              path.slice(1),
              all.filter(({ type }) => typesOf.has(type)),
              at,
            ),
          );
          continue;
        }
        const shown = shownName(link);
        const why =
          follows === true
            ? 'a rule looks at fields of linked documents, but not at these'
            : 'this does not follow links';
        const detail = `${shown} is a relationship, and ${why}: it may ask for ${shown}.id and ${shown}.type.`;
        problems.push(problem('invalid-attribute', detail, at));
      } else if (!links.includes(path[0] ?? '')) {
        warnings.push(...misspelt(path, about, at, isOfLinks ? 'relationships' : 'attributes'));
      }
    }
  }
  return { problems, warnings };
}

/** A warning of a rule that says the same of every document. One that is empty says so plainly. */
function idle({ parts }: StoredRule['rule'], pointer: string): readonly Problem[] {
  const constant = constantOf({ op: 'and', conditions: parts.map(({ condition }) => condition) });
  if (constant === null || parts.length === 0) return [];
  const detail = constant ? 'Every document meets this.' : 'No document meets this.';
  return [problem('decides-nothing', detail, { pointer })];
}

/** A warning of a name that no schema of the types lists, if it is near to a listed one, or they allow no others. */
function misspelt(
  [name = '', field]: Path,
  about: readonly LinkQuestion[],
  at: ProblemSource,
  member = 'attributes',
): readonly Problem[] {
  const listed = about.map(({ schemas }) => {
    const names = ['attributes', 'relationships'].map((each) =>
      schemas.flatMap((schema) => propertiesOf(schema, each)),
    );
    return names[member === 'attributes' ? 0 : 1]?.length === 0 ? [name] : [...names.flat(), ...OWN];
  });
  const isKnown = about.length === 0 || listed.some((names) => names.includes(name));
  if (isKnown || field === 'id' || field === 'type') return [];
  const offer = offerOf(name, listed.flat());
  const isClosed = about.every(({ schemas }) =>
    schemas.some((schema) => memberAt(schema, 'properties', member, 'additionalProperties') === false),
  );
  if (offer === '' && !isClosed) return [];
  return [problem('no-such-field', `The schema of the type lists no field ${shownName(name)}.${offer}`, at)];
}

const OWN = ['id', 'type', ...AUDIT_FIELD_NAMES];

interface LinkQuestion {
  readonly type: TypeName;
  /** The paths at which its documents are asked for. */
  readonly paths: readonly string[];
  readonly schemas: readonly Parsed[];
}

/** The types that there are, or that schemas are for; and those that aggregates read, at the paths of these. */
async function typesAsked(caller: CallContext): Promise<readonly LinkQuestion[]> {
  const schemas = new Map<string, Parsed[]>();
  for await (const { attributes } of everyOf(caller, CORE.schema)) {
    const { target, content } = attributes;
    if (typeof target !== 'string' || typeof content !== 'string') continue;
    schemas.set(target, [...(schemas.get(target) ?? []), openRaw(content)]);
  }
  const question = (name: string, at: TypeName): LinkQuestion => {
    const paths = [pathOfType(at), pathOfSome(at)];
    return { type: storedType(name), paths, schemas: schemas.get(name) ?? [] };
  };
  const names = new Set([...schemas.keys(), ...(await typesOf(caller, LIMITS.typesListed))]);
  const types = Array.from(names, (name) => question(name, storedType(name)));
  for await (const { attributes } of everyOf(caller, CORE.aggregate)) {
    const { 'input-type': input, 'output-type': output } = attributes;
    if (typeof input === 'string' && typeof output === 'string')
      types.push(question(input, storedType(output)));
  }
  return types;
}

/**
 * The relationships of a type: as its settings and schemas say, and those of the names that are one of some document.
 * `followed`: those whose documents a rule may ask.
 */
async function relationshipsOf(
  caller: CallContext,
  { type, schemas }: LinkQuestion,
  names: ReadonlySet<string>,
) {
  if (names.size === 0) return { names: [], followed: [], linked: [] };
  const collection = collectionOf(caller, type);
  const settings = await collection.settings();
  const linked = await collection.calls.linkTypes([...names]);
  const toOutputs: readonly string[] = settings?.aggregateLinks ?? [];
  const stored = [
    ...schemas.flatMap((schema) => propertiesOf(schema, 'relationships')),
    ...linked.map(({ name }) => name),
  ];
  return {
    names: [...AUDIT_FIELD_NAMES, ...Object.keys(settings?.inverses ?? {}), ...toOutputs, ...stored],
    followed: stored.filter((name) => !toOutputs.includes(name)),
    linked,
  };
}

function propertiesOf(schema: Parsed, member: string): readonly string[] {
  const found = memberAt(schema, 'properties', member, 'properties');
  return isParsedObject(found) ? Object.keys(found) : [];
}
