/** The audit trail of an application (docs/audit.md): read by keys that permit it, written by the service alone. */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { CORE } from '../../domain/types.ts';
import { endpointsOf } from '../documents/endpoints.ts';

export const AUDIT = endpointsOf({
  path: pathOfType(CORE.auditEntry),
  one: 'an entry of the audit trail',
  many: 'entries of the audit trail',
}).filter(({ method }) => method === 'GET');
