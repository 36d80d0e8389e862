/** Whether objects can be kept in a jurisdiction: on one machine, all are where it is. */
import type { Environment } from './environment.ts';

/** What the runtime on one machine says of jurisdictions. */
const NONE = 'Jurisdiction restrictions are not implemented in workerd.';

export function hasJurisdictions({ COLLECTIONS }: Pick<Environment, 'COLLECTIONS'>): boolean {
  return knowsJurisdictions(COLLECTIONS);
}

export function knowsJurisdictions<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
): boolean {
  try {
    namespace.jurisdiction('eu');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === NONE) return false;
    throw error;
  }
}
