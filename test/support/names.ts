/** Ids and names of types as tests write them. */
export { applicationId, keptId as idOf } from '../../src/domain/ids.ts';
export { keptType as typeOf } from '../../src/domain/types.ts';
