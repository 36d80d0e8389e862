/** What the test uses of @warp-drive: bundled as a page without a build tool of Ember's would have it. */
export { setupSignals } from '@warp-drive/core/configure';
export { recordIdentifierFor, useRecommendedStore } from '@warp-drive/core';
export { checkout } from '@warp-drive/core/reactive';
export { JSONAPICache } from '@warp-drive/json-api';
export {
  createRecord,
  deleteRecord,
  findRecord,
  query,
  serializePatch,
  serializeResources,
  setBuildURLConfig,
  updateRecord,
} from '@warp-drive/utilities/json-api';
