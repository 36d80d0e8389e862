/** Checks a project without a service, by the rules that the service has: what is wrong, and where in which file. */
import { CORE } from '../../src/domain/types.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import type { Problem } from '../../src/domain/problems.ts';
import { parseJson } from '../../src/domain/values/json.ts';
import { AGGREGATES } from '../../src/modules/aggregates/kind.ts';
import { API_KEYS } from '../../src/modules/api-keys/kind.ts';
import { readDocument } from '../../src/modules/documents/body/read-body.ts';
import type { DocumentKind } from '../../src/modules/documents/kind.ts';
import { SCHEMAS } from '../../src/modules/schemas/kind.ts';
import { TYPE_SETTINGS } from '../../src/modules/schemas/type-settings.ts';
import { ACCOUNT_SETTINGS } from '../../src/modules/users/accounts/kinds.ts';
import { TEMPLATES } from '../../src/modules/users/accounts/templates.ts';
import { PROVIDERS } from '../../src/modules/users/providers/kinds.ts';
import { WEBHOOKS } from '../../src/modules/webhooks/kind.ts';
import type { Declarations } from '../declarations.ts';
import { pathIn, refuse, type Fault } from './files.ts';
import { readMigrations } from './migrations.ts';
import { isNames, parted } from './groups.ts';
import { factsOf } from './parts.ts';
import { readProject, type Declared, type Project } from './project.ts';
import { readSeeds } from './seeds.ts';

/** The rules of the service. */
const KINDS: Readonly<Record<string, DocumentKind>> = {
  [CORE.typeSettings]: TYPE_SETTINGS,
  [CORE.schema]: SCHEMAS,
  [CORE.aggregate]: AGGREGATES,
  [CORE.apiKey]: API_KEYS,
  [CORE.webhook]: WEBHOOKS,
  [CORE.accountSettings]: ACCOUNT_SETTINGS,
  [CORE.identityProvider]: PROVIDERS,
  [CORE.mailTemplate]: TEMPLATES,
};

/** All that is wrong. */
function faultsOf({ declared, faults }: Project): readonly Fault[] {
  if (faults.length > 0) return faults;
  return declared.flatMap((each) => problemsOf(each).map((problem) => faultIn(each, problem)));
}

/** A project in which nothing is wrong. */
export function checkedProject(root: string): Project {
  const project = readProject(root);
  refuse([...faultsOf(project), ...readSeeds(root).faults, ...readMigrations(root).faults]);
  return project;
}

/** What types are written from. */
export function declarationsOf({ declared }: Project): Declarations {
  const of = (type: string) => declared.filter((each) => each.type === type);
  return {
    schemas: of(CORE.schema).map(({ name, attributes }) => ({
      target: name,
      content: attributes['content'],
    })),
    settings: of(CORE.typeSettings).map(({ name, attributes }) => ({
      name,
      inverses: attributes['inverses'],
      count: attributes['count'],
    })),
    aggregates: of(CORE.aggregate).map(({ name, attributes: { pipeline } }) => ({
      'output-type': name,
      pipeline: Array.isArray(pipeline) ? pipeline : [],
    })),
  };
}

/** A problem that the service would tell, or has told, in the file that it is about. */
export function faultIn(
  { file, placed }: Declared,
  { detail, source }: Pick<Problem, 'detail' | 'source'>,
): Fault {
  const pointer = source !== undefined && 'pointer' in source ? source.pointer : '';
  return file.fault(placed(pathIn(pointer.replace(/^\/data\/attributes/, ''))), detail);
}

function problemsOf({ type, name, sent }: Declared): readonly Pick<Problem, 'detail' | 'source'>[] {
  const { what, made, key } = factsOf(type);
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`Nothing checks documents of type ${type}.`);
  if (name === '') return [{ detail: `The ${what} needs the member ${key}, a string.` }];
  if (made !== undefined && Object.hasOwn(sent, made)) {
    return [{ detail: `The ${made} stays on the server.`, source: { pointer: `/data/attributes/${made}` } }];
  }
  const { attributes, groups } = parted(type, sent);
  const unnamed = groups.find(
    ([, names]) => !(isNames(names) && new Set(['', ...names]).size > names.length),
  );
  if (unnamed !== undefined) {
    const source = { pointer: `/data/attributes/${unnamed[0]}` };
    return [{ detail: 'This is an array of names of groups, each once.', source }];
  }
  const parsed = parseJson(JSON.stringify({ data: { type, attributes } }), LIMITS.jsonDepth);
  if (!parsed.ok) return [{ detail: parsed.detail }];
  const read = readDocument(parsed.value, type, null, kind);
  if (!read.ok) return read.problems;
  return [...read.value.problems, ...(kind.validate?.(read.value.content, true, null) ?? [])];
}
