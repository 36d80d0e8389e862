/** What is wrong with submitted content, beyond its form, and who may be told of it. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { type Problem } from '../../../domain/problems.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { RequestContext } from '../../endpoint.ts';
import { kindOfType } from '../../kinds.ts';
import { type DocumentKind } from '../kind.ts';
import { checkRelationships } from '../linked/links.ts';
import { type SubmittedDocument } from '../body/read-body.ts';
import { faultsOfGuarded, faultsOfRights } from '../body/read-meta.ts';
import { changeRefused } from '../../../collection/rpc/refusals.ts';
import { disclosesOnlySeen } from '../../../collection/rpc/rules.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { readerOf } from '../rights/rules.ts';
import { TOLD } from '../../../domain/limits.ts';
import { findingsOf, type StoredRule } from '../rights/stored-rules.ts';
import { noteWarning } from '../warnings/warnings.ts';

/** All problems of submitted content, links last, because they cost calls. */
export async function faultsOf(
  context: RequestContext,
  submitted: SubmittedDocument,
  whole: boolean,
): Promise<readonly Problem[]> {
  const { content } = submitted;
  const kind = kindOfType(context.parameters.type);
  const seesWhole = !whole && kind.validatesWhole === true;
  const current = seesWhole ? await currentAttributes(context) : null;
  const own = kind.validate?.(content, whole, current, context) ?? [];
  // Problems of the whole document reveal its stored part.
  const shown =
    seesWhole && own.length > 0 && !(await isShown(context, own)) ? changeRefused().problems : own;
  return [
    ...submitted.problems,
    ...shown,
    ...faultsOfRights(context.parameters.type, submitted.grants),
    ...faultsOfGuarded(submitted.update ?? [], (name) => isGuarded(kind, name)),
    ...(own.length > 0 ? [] : await checkRules(context, kind.rules?.(content, current))),
    ...(await checkRelationships(context, content.relationships)),
  ];
}

async function checkRules(
  context: RequestContext,
  rules: readonly StoredRule[] = [],
): Promise<readonly Problem[]> {
  if (rules.length === 0) return [];
  const { problems, warnings } = await findingsOf(context, rules);
  for (const each of warnings) noteWarning(context, each);
  return problems.slice(0, TOLD.inBody);
}

/** Whether an attribute is checked, or stored in another form, as a whole: then operators cannot change it. */
function isGuarded({ validate, guarded }: DocumentKind, name: string): boolean {
  return guarded === undefined ? validate !== undefined : guarded.has(name);
}

/** Whether a caller may be told of problems of the whole addressed document. */
async function isShown(context: RequestContext, problems: readonly Problem[]): Promise<boolean> {
  const { type, id } = context.parameters;
  for (const each of [context.access, readerOf(context.access, pathOfDocument(type, id))]) {
    if (each === undefined) continue;
    if (!disclosesOnlySeen(problems, each.rule)) return false;
    const read = await collectionOf(context, type).read(id, each);
    if (read.state !== 'found') return false;
  }
  return true;
}

/** The attributes of the addressed document; null if there is none, which the write itself will report. */
export async function currentAttributes(context: RequestContext): Promise<Fields | null> {
  const { type, id } = context.parameters;
  const read = await collectionOf(context, type).read(id, TRUSTED);
  return read.state === 'found' ? read.document.attributes : null;
}
