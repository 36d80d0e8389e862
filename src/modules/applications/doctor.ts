/**
 * `GET …/findings` of an application: what is stored, and would be refused or warned of if it were written now; and lists of
 * several types whose coordinator does not say whether they are committed; and files without contents, or the reverse.
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { everyOf, typesOf } from '../../collection/rpc/maintenance/applications.ts';
import { pathOfDocument, pathOfType } from '../../domain/addresses/paths.ts';
import { ok, type Problem } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { findingsOf, type StoredRule } from '../documents/rights/stored-rules.ts';
import { kindOfType } from '../kinds.ts';
import { orphansIn, type Finding } from './orphans.ts';
import { within } from './transfer/types.ts';

export const readFindings = within(async (inside) => {
  const rules: StoredRule[] = [];
  for (const type of [CORE.apiKey, CORE.webhook, CORE.typeSettings]) {
    for await (const document of everyOf(inside, type)) {
      const path = pathOfDocument(type, document.id);
      const own = kindOfType(type).rules?.(document, null) ?? [];
      rules.push(...own.map((each) => ({ ...each, pointer: `${path}#${each.pointer}` })));
    }
  }
  const { problems, warnings } = await findingsOf(inside, rules);
  const findings = [...problems, ...warnings].map((each) => {
    const [document = '', pointer = ''] = pointerOf(each).split('#');
    return { document, pointer, detail: each.detail };
  });
  for (const look of [refusedIn, stuckIn, orphansIn]) findings.push(...(await look(inside)));
  return ok({ status: 200, document: { meta: { findings } } });
});

function pointerOf({ source }: Problem): string {
  return source !== undefined && 'pointer' in source ? source.pointer : '';
}

/** What is refused now in definitions of aggregates. */
async function refusedIn(caller: CallContext) {
  const findings: Finding[] = [];
  for await (const definition of everyOf(caller, CORE.aggregate)) {
    const document = pathOfDocument(CORE.aggregate, definition.id);
    const problems = kindOfType(CORE.aggregate).validate?.(definition, true, null) ?? [];
    findings.push(...problems.map((each) => ({ document, pointer: pointerOf(each), detail: each.detail })));
  }
  return findings;
}

/** What is still prepared after its coordinator was asked. */
async function stuckIn(caller: CallContext) {
  const findings: Finding[] = [];
  for (const type of await typesOf(caller)) {
    const prepared = await collectionOf(caller, type).calls.prepared();
    if (prepared === null) continue;
    const since = new Date(prepared.since).toISOString();
    const detail = `Writes wait since ${since} for a list of several types: ${prepared.coordinator} does not say whether it is committed.`;
    findings.push({ document: pathOfType(type), pointer: '', detail });
  }
  return findings;
}
