/** Brings what writes have noted (audits.ts) to the application's collection of audit entries, each entry once. */
import { linkOf, type Content } from '../../../domain/documents.ts';
import { isNewFieldName } from '../../../domain/field-names.ts';
import { NO_SETTINGS, type TypeSettings } from '../../../domain/types/settings.ts';
import { CORE } from '../../../domain/types.ts';
import { collectionOf, type CollectionClient } from '../../rpc/client.ts';
import type { AuditMessage } from '../../rpc/writes/target.ts';
import type { ImportLine } from '../../rpc/maintenance/transfer.ts';
import { within, type Carried, type Carrier } from './deliveries.ts';
import type { Ground } from '../ground.ts';

const DAY = 86_400_000;

/** The field that says when an entry goes, and the settings of the type that let it go then. */
const EXPIRES = 'expires';
const SETTINGS: TypeSettings = { ...NO_SETTINGS, expires: isNewFieldName(EXPIRES) ? EXPIRES : null };

export function auditCarrier(ground: Ground): Carrier {
  let isSet = false;
  return within(ground, async (caller, { payload }) => {
    const trail = collectionOf(caller, CORE.auditEntry);
    if (!isSet) {
      // It refuses what is in force already.
      await trail.calls.stageSettings(1, SETTINGS);
      await trail.calls.settleSettings(1, SETTINGS);
      isSet = true;
    }
    return carry(trail, linesOf(JSON.parse(payload) as AuditMessage));
  });
}

async function carry(trail: CollectionClient, lines: readonly ImportLine<Content>[]): Promise<Carried> {
  const taken = await trail.importLines({ lines, stores: true, checked: false });
  // The application was deleted.
  if (!taken.ok) return { state: 'gone' };
  if (taken.value.ok) return { state: 'delivered' };
  // What is refused was there, and has gone.
  const refused = new Set(taken.value.refused.map(({ at }) => at));
  const left = lines.filter(({ at }) => !refused.has(at));
  return left.length === 0 || left.length === lines.length ? { state: 'delivered' } : carry(trail, left);
}

function linesOf({ auditor, changes }: AuditMessage): readonly ImportLine<Content>[] {
  const { days, key, keyName, method, request, user } = auditor;
  return changes.map(({ at, change, entry, fields, id, type }, position) => ({
    at: position,
    document: {
      id: entry,
      content: {
        attributes: {
          at: new Date(at),
          change,
          'target-type': type,
          'target-id': id,
          fields: [...fields],
          method,
          key,
          'key-name': keyName,
          user: user === null ? null : { ...linkOf(user) },
          request,
          [EXPIRES]: new Date(at + days * DAY),
        },
        relationships: {},
      },
      acl: {},
      auditFields: { creator: null, created: at, updated: at },
    },
  }));
}
