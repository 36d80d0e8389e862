/** One of each class of which every search makes its own: a search of nothing, which never runs. */
import { keepWarm } from '../../domain/caching/keep-warm.ts';
import { EVERYTHING } from '../../operators/filter/conditions.ts';
import { prepare } from '../../plan/prepare.ts';
import { CachedCounts } from '../storage/indexes/cached-counts.ts';
import type { ReadSql } from '../storage/sql.ts';
import { Counts } from './counts/count-cache.ts';
import { START } from './cursor.ts';
import { PagePermit, PageSemaphore } from './page-semaphore.ts';
import { SearchReader } from './reading/reader.ts';
import { SearchRun } from './run.ts';
import { Scan } from './scan.ts';
import { Search } from './search.ts';
import { Slice, TopN } from './top-n.ts';
import { TUNING } from './tuning.ts';

const sql: ReadSql = {
  databaseSize: 0,
  exec: () => {
    throw new Error('A search of nothing reads nothing.');
  },
};
const state = { counter: 0, documents: 0, first: 1, last: 0, idsAscend: true };
const planned = { condition: EVERYTHING, viewer: null, sort: [] };
const request = {
  condition: '',
  page: { offset: 0, limit: 0 },
  hidden: [],
  rule: null,
  viewer: null,
  sort: [],
};
const [type, find, pause] = ['', () => undefined, () => Promise.resolve()];
const records = new SearchReader(sql);
const query = prepare(planned, find, { type, ...state });
const scan = new Scan(records, type, query, null, pause);
const permit = new PagePermit(new PageSemaphore());
const searched = {
  records,
  state,
  type,
  find,
  counts: new Counts(),
  entries: new CachedCounts(),
  pause,
  permit,
};
const equal = () => 0;
const { page, viewer } = request;
const around = { records, state, page, viewer, query, scan, permit, tuning: TUNING, start: START };

keepWarm(new Search(searched, request, planned));
keepWarm(new SearchRun({ ...around, auditFields: false }));
keepWarm(new Slice(0, 0));
keepWarm(new TopN(0, 0, equal, equal));
