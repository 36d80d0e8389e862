/** What docs/limits.md says of each limit. */
import type { LIMITS } from '../src/domain/limits.ts';
import type { ProblemCode } from '../src/domain/problems.ts';

export interface LimitText {
  readonly what: string;
  /** What a request past the limit meets; absent where nothing is refused. */
  readonly problem?: ProblemCode;
  readonly unit?: 'bytes' | 'characters' | 'steps' | 'milliseconds';
}

/** What each limit is of. A new limit must be told here before it compiles. */
export const LIMIT_TEXTS: Readonly<Record<keyof typeof LIMITS, LimitText>> = {
  body: { what: 'The body of a request', problem: 'body-too-large', unit: 'bytes' },
  document: {
    what: 'A document at rest: its fields in the stored encoding',
    problem: 'document-too-large',
    unit: 'bytes',
  },
  operations: { what: 'Operations in one list', problem: 'list-too-large' },
  operationsBody: { what: 'The body of a list of operations', problem: 'body-too-large', unit: 'bytes' },
  operationsLinks: { what: 'Links that the operations of a list set', problem: 'list-too-large' },
  operationsWork: {
    what: 'The documents before and after each operation of a list, added up',
    problem: 'list-too-large',
    unit: 'characters',
  },
  auditDays: { what: 'Days for which an audit trail keeps its entries', problem: 'invalid-attribute' },
  auditedNames: { what: 'The names of changed fields in an entry of an audit trail', unit: 'characters' },
  bulk: {
    what: 'Documents that one `PATCH` or `DELETE` on a collection changes',
    problem: 'too-many-matches',
  },
  bulkLooked: {
    what: 'Documents that it looks at to find those that the user may change',
    problem: 'too-many-matches',
  },
  bodyDeadline: { what: 'The time in which a body arrives', problem: 'body-too-slow', unit: 'milliseconds' },
  bodyTrust: {
    what: 'The time after which the rights to a slow body are checked again',
    unit: 'milliseconds',
  },
  sessionLease: {
    what: 'The time for which the session of a user relies on what it was told of tokens and groups',
    unit: 'milliseconds',
  },
  sessionsTold: {
    what: 'Sessions that one change of users or groups tells; with more, it waits for that time',
  },
  bodyDrained: { what: 'A body past its limit, as far as it is read and dropped', unit: 'bytes' },
  bodyDraining: { what: 'The time that the answer waits for that', unit: 'milliseconds' },
  idempotencyKey: { what: 'An `Idempotency-Key`', problem: 'invalid-header', unit: 'characters' },
  outcomeLifetime: {
    what: 'The time for which the first answer to an `Idempotency-Key` is given again',
    unit: 'milliseconds',
  },
  outcomesOfSender: {
    what: 'Such answers that a collection keeps for one API key and user',
    unit: 'bytes',
  },
  jsonDepth: { what: 'Levels of arrays and objects in a body', problem: 'too-deep' },
  doubted: { what: 'Documents that are looked at for the warnings of a list that finds nothing' },
  doubtedUnits: { what: 'The same in all', unit: 'characters' },
  doubtsTold: { what: 'Warnings of one list' },
  pageSize: { what: 'Documents on a page', problem: 'invalid-parameter' },
  defaultPageSize: { what: 'Documents on a page by default' },
  includeLevels: { what: 'Relationship names in one path of `include`', problem: 'invalid-parameter' },
  includedDocuments: { what: 'Documents in `included`', problem: 'include-too-large' },
  filter: {
    what: 'The filter expressions of a request together, decoded',
    problem: 'invalid-filter',
    unit: 'bytes',
  },
  filterDepth: { what: 'Levels of a filter expression', problem: 'invalid-filter' },
  relatedConditions: { what: 'Conditions of a filter on linked documents', problem: 'invalid-filter' },
  relatedDocuments: { what: 'Linked documents that meet them, added up', problem: 'invalid-filter' },
  geometryPositions: { what: 'Positions of one geometry', problem: 'invalid-filter' },
  geometryNesting: { what: 'Levels of geometry collections in one another', problem: 'invalid-filter' },
  pipelineStages: { what: 'Stages of a pipeline', problem: 'invalid-attribute' },
  pipelineDepth: { what: 'Levels of a value in a pipeline', problem: 'pipeline-failed' },
  outputId: { what: 'An id that a pipeline makes', problem: 'pipeline-failed', unit: 'characters' },
  learnedIndexes: { what: 'Indexes that a collection learns' },
  sortFields: { what: 'Fields of a `sort`', problem: 'invalid-parameter' },
  permissionsPerKey: { what: 'Permissions of an API key', problem: 'invalid-attribute' },
  permissionRules: { what: 'The rules of an API key together', problem: 'invalid-attribute', unit: 'bytes' },
  ruleFields: { what: 'Fields that one rule names', problem: 'invalid-attribute' },
  permissionPatterns: {
    what: 'The patterns of an API key together, repetitions written out',
    problem: 'invalid-attribute',
    unit: 'steps',
  },
  requestsQuota: { what: 'The largest quota of requests a second', problem: 'invalid-attribute' },
  regexPattern: {
    what: 'A regular expression, in a filter or in a permission',
    problem: 'invalid-filter',
    unit: 'characters',
  },
  path: { what: 'The path of a request', problem: 'path-too-long', unit: 'bytes' },
  typesListed: { what: 'Types that `GET /resources` looks at, those with the oldest first documents' },
  typesCounted: { what: 'Types on a page of `GET /resources` that tells how many documents each has' },
  typeName: { what: 'The name of a document type', problem: 'not-found', unit: 'characters' },
  username: { what: 'The name of a user', problem: 'invalid-attribute', unit: 'characters' },
  password: { what: 'A password', problem: 'invalid-attribute', unit: 'bytes' },
  linkedTypes: {
    what: 'Types that the links of one write point to',
    problem: 'invalid-relationship',
  },
  groupMembers: { what: 'Members of a group', problem: 'invalid-relationship' },
  groupsOfIdentity: { what: 'Groups that one user or external user is in', problem: 'invalid-relationship' },
  importLines: { what: 'Lines of one request of an import', problem: 'list-too-large' },
  importBody: { what: 'The body of a request of an import', problem: 'body-too-large', unit: 'bytes' },
  exportPage: { what: 'The documents on a page of an export, about', unit: 'bytes' },
  exportMoments: { what: 'Exports of a collection that are read at a time', problem: 'export-ended' },
  exportPatience: {
    what: 'The time in which the next page of an export is read',
    problem: 'export-ended',
    unit: 'milliseconds',
  },
  includedTypes: { what: 'Types that one level of `include` reaches', problem: 'include-too-large' },
  followedLinks: {
    what: 'Links that one `include` or related read follows',
    problem: 'include-too-large',
  },
  settingsUnique: { what: 'Lists of unique fields in the settings of a type', problem: 'invalid-attribute' },
  settingsPaths: { what: 'Paths in one such list', problem: 'invalid-attribute' },
  settingsPath: { what: 'Such a path', problem: 'invalid-attribute', unit: 'characters' },
  settingsEntries: { what: 'Entries of a right in the settings of a type', problem: 'invalid-attribute' },
  settingsInverses: { what: 'Inverses in the settings of a type', problem: 'invalid-attribute' },
  settingsAggregateLinks: {
    what: 'Relationships that the settings of a type let link to aggregates',
    problem: 'invalid-attribute',
  },
  rightsLinks: { what: 'Links of a relationship that gives rights', problem: 'invalid-relationship' },
  uniqueValues: {
    what: 'Combinations of values that one document has in a list of unique fields',
    problem: 'invalid-value',
  },
  webhooks: { what: 'Webhooks of an application', problem: 'invalid-attribute' },
  webhooksOfType: { what: 'Webhooks of one type', problem: 'invalid-attribute' },
  lettersShown: {
    what: 'Deliveries to a webhook that an answer shows: of those that wait, and of the others',
  },
  webhookUrl: { what: 'The address of a webhook', problem: 'invalid-attribute', unit: 'characters' },
  webhookPatience: { what: 'The time that the receiver of a webhook has to answer', unit: 'milliseconds' },
  lettersWaiting: { what: 'Deliveries that wait for one webhook; the oldest beyond are given up' },
  letterUnits: { what: 'Their bodies together', unit: 'characters' },
  letterPatience: { what: 'The time after which one that waits is given up', unit: 'milliseconds' },
  deadLetters: { what: 'Deliveries to one webhook that were given up, and are kept' },
  deadLetterUnits: { what: 'Their bodies together', unit: 'characters' },
  deadLetterLifetime: { what: 'The time for which they are kept', unit: 'milliseconds' },
  answer: {
    what: 'The bodies of the documents in one answer together',
    problem: 'answer-too-large',
    unit: 'characters',
  },
  sentAtOnce: { what: 'An answer that goes out at once; a larger one leaves in parts', unit: 'characters' },
  answerPatience: {
    what: 'The time that such an answer waits for its client, plus one second for each 64 KB',
    unit: 'milliseconds',
  },
  feedRetention: {
    what: 'The time for which a feed knows what was shown, and outlives its last reader',
    unit: 'milliseconds',
    problem: 'mark-expired',
  },
  feedBytes: {
    what: 'Former states of documents that a feed keeps',
    unit: 'bytes',
    problem: 'mark-expired',
  },
  feedLooked: { what: 'Documents that one page of a feed looks at, about' },
  liveStreams: { what: 'Streams of one type at a time', problem: 'too-many-requests' },
  liveStreamsOfUser: { what: 'Those of one user', problem: 'too-many-requests' },
  liveSubscriptions: { what: 'Subscriptions of one stream', problem: 'invalid-body' },
  liveMessage: { what: 'A message to a stream', unit: 'characters', problem: 'invalid-body' },
  liveAsked: {
    what: 'The queries of the subscriptions of one stream',
    unit: 'characters',
    problem: 'invalid-body',
  },
  liveUnheard: { what: 'What a stream sends to a client that acknowledges nothing', unit: 'characters' },
  liveUnheardEvents: { what: 'Events that it sends to such a client' },
  feedPage: { what: 'The documents on a page of a feed, about', unit: 'characters' },
  answersLeaving: {
    what: 'Unread answers that leave in parts, of one isolate together',
    problem: 'unavailable',
    unit: 'characters',
  },
};
