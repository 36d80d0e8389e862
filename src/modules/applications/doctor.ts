/** `GET …/findings` of an application: what is stored, and would be refused or warned of if it were written now. */
import { everyOf } from '../../collection/rpc/maintenance/erasing.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { ok } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { findingsOf, type StoredRule } from '../documents/stored-rules.ts';
import type { Handler } from '../endpoint.ts';
import { kindOfType } from '../kinds.ts';
import { applicationInside } from './transfer/inside.ts';

export const readFindings: Handler = async (context) => {
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const rules: StoredRule[] = [];
  for (const type of [CORE.apiKey, CORE.webhook]) {
    for await (const document of everyOf(inside.value, type)) {
      const path = pathOfDocument(type, document.id);
      const own = kindOfType(type).rules?.(document, null) ?? [];
      rules.push(...own.map((each) => ({ ...each, pointer: `${path}#${each.pointer}` })));
    }
  }
  const { problems, warnings } = await findingsOf(inside.value, rules);
  const findings = [...problems, ...warnings].map(({ detail, source }) => {
    const [document = '', pointer = ''] =
      source !== undefined && 'pointer' in source ? source.pointer.split('#') : [];
    return { document, pointer, detail };
  });
  return ok({ status: 200, document: { meta: { findings } } });
};
