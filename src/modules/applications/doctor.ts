/**
 * `GET …/findings` of an application: what is stored, and would be refused or warned of if it were written now; and lists of
 * several types whose coordinator does not say whether they are committed; and files without contents, or the reverse.
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { everyOf, typesOf } from '../../collection/rpc/maintenance/applications.ts';
import { pathOfDocument, pathOfType } from '../../domain/addresses/paths.ts';
import { ok } from '../../domain/problems.ts';
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
  const findings = [...problems, ...warnings].map(({ detail, source }) => {
    const [document = '', pointer = ''] =
      source !== undefined && 'pointer' in source ? source.pointer.split('#') : [];
    return { document, pointer, detail };
  });
  return ok({
    status: 200,
    document: {
      meta: {
        findings: [...findings, ...(await stuckIn(inside)), ...(await orphansIn(inside))],
      },
    },
  });
});

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
