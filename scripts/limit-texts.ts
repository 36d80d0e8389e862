/** What docs/limits.md says of each limit. */
import type { LIMITS } from '../src/domain/limits.ts';
import type { ProblemCode } from '../src/domain/problems.ts';

export interface LimitText {
  readonly what: string;
  /** What a request past the limit meets; absent where nothing is refused. */
  readonly problem?: ProblemCode;
  readonly unit?: 'bytes' | 'characters' | 'steps' | 'milliseconds';
}

/**
 * What each limit is of. A new limit must be told here before it compiles; null where no request is refused for it, and
 * another page says what it does.
 */
export const LIMIT_TEXTS: Readonly<Record<keyof typeof LIMITS, LimitText | null>> = {
  body: { what: 'The body of a request', problem: 'body-too-large', unit: 'bytes' },
  file: {
    what: 'The content of a file, unless [FILE_BYTES](operating.md#settings) says another number',
    problem: 'body-too-large',
    unit: 'bytes',
  },
  contentDeadline: { what: 'The arrival of a content', problem: 'body-too-slow', unit: 'milliseconds' },
  contentWaits: null,
  linkLifetime: { what: 'The time of a link to a content', problem: 'invalid-body', unit: 'milliseconds' },
  fileName: { what: 'The name of a file', unit: 'characters', problem: 'invalid-attribute' },
  mediaType: { what: 'A media type of a file', unit: 'characters', problem: 'unsupported-media-type' },
  document: {
    what: 'A document as it is stored',
    problem: 'document-too-large',
    unit: 'bytes',
  },
  operations: { what: 'Operations in one list', problem: 'list-too-large' },
  operationsBody: { what: 'The body of a list of operations', problem: 'body-too-large', unit: 'bytes' },
  operationsLinks: { what: 'Links that the operations of a list set', problem: 'list-too-large' },
  operationsWork: {
    what: 'Documents before and after each operation of a list',
    problem: 'list-too-large',
    unit: 'characters',
  },
  hashPatience: {
    what: 'Waiting for the hash of a password',
    problem: 'too-many-requests',
    unit: 'milliseconds',
  },
  auditDays: { what: 'Days of an audit trail', problem: 'invalid-attribute' },
  auditedNames: null,
  bulk: {
    what: 'Documents that a change of many changes',
    problem: 'too-many-matches',
  },
  bulkLooked: {
    what: 'Documents that it looks at to find these',
    problem: 'too-many-matches',
  },
  bodyDeadline: { what: 'The arrival of a body', problem: 'body-too-slow', unit: 'milliseconds' },
  bodyTrust: null,
  sessionLease: null,
  sessionsTold: null,
  bodyDrained: null,
  bodyDraining: null,
  idempotencyKey: { what: 'An `Idempotency-Key`', problem: 'invalid-header', unit: 'characters' },
  outcomeLifetime: {
    what: 'The answer to an `Idempotency-Key` is kept for',
    unit: 'milliseconds',
  },
  outcomesOfSender: {
    what: 'Such answers of one API key and user',
    unit: 'bytes',
  },
  jsonDepth: { what: 'Levels of arrays and objects in a body', problem: 'too-deep' },
  doubted: null,
  doubtedUnits: null,
  diagnosticsTold: null,
  pageSize: { what: 'Documents on a page', problem: 'invalid-parameter' },
  defaultPageSize: { what: 'Documents on a page by default' },
  includeLevels: { what: 'Names in one path of `include`', problem: 'invalid-parameter' },
  includedDocuments: { what: 'Documents in `included`', problem: 'include-too-large' },
  filter: {
    what: 'Filters of a request together, decoded',
    problem: 'invalid-filter',
    unit: 'bytes',
  },
  matchedItems: {
    what: 'Items of arrays that a filter looks at in one document',
    problem: 'invalid-filter',
  },
  filterDepth: { what: 'Levels of a filter expression', problem: 'invalid-filter' },
  relatedConditions: { what: 'Conditions of a filter on linked documents', problem: 'invalid-filter' },
  relatedDocuments: { what: 'Linked documents that meet them, added up', problem: 'invalid-filter' },
  geometryPositions: { what: 'Positions of one geometry', problem: 'invalid-filter' },
  geometryNesting: { what: 'Levels of geometry collections', problem: 'invalid-filter' },
  pipelineStages: { what: 'Stages of a pipeline', problem: 'invalid-attribute' },
  pipelineDepth: { what: 'Levels of a value in a pipeline', problem: 'pipeline-failed' },
  outputId: { what: 'An id that a pipeline makes', problem: 'pipeline-failed', unit: 'characters' },
  learnedIndexes: null,
  sortFields: { what: 'Fields of a `sort`', problem: 'invalid-parameter' },
  permissionsPerKey: { what: 'Permissions of an API key', problem: 'invalid-attribute' },
  permissionRules: { what: 'The rules of an API key together', problem: 'invalid-attribute', unit: 'bytes' },
  ruleFields: { what: 'Fields that one rule names', problem: 'invalid-attribute' },
  permissionPatterns: {
    what: 'Patterns of an API key together',
    problem: 'invalid-attribute',
    unit: 'steps',
  },
  requestsQuota: { what: 'The largest quota of requests a second', problem: 'invalid-attribute' },
  regexPattern: {
    what: 'A regular expression',
    problem: 'invalid-filter',
    unit: 'characters',
  },
  path: { what: 'The path of a request', problem: 'path-too-long', unit: 'bytes' },
  typesListed: { what: 'Types that `GET /resources` looks at' },
  typesCounted: { what: 'Types on a page of `GET /resources` with counts' },
  typeName: { what: 'The name of a document type', problem: 'not-found', unit: 'characters' },
  username: { what: 'The name of a user', problem: 'invalid-attribute', unit: 'characters' },
  password: { what: 'A password', problem: 'invalid-attribute', unit: 'bytes' },
  linkedTypes: {
    what: 'Types that the links of one write point to',
    problem: 'invalid-relationship',
  },
  groupMembers: { what: 'Members of a group', problem: 'invalid-relationship' },
  groupsOfIdentity: { what: 'Groups that one user is in', problem: 'invalid-relationship' },
  importLines: { what: 'Lines of one request of an import', problem: 'list-too-large' },
  importBody: { what: 'The body of a request of an import', problem: 'body-too-large', unit: 'bytes' },
  carriedVersions: { what: 'Versions that one line of it names', problem: 'line-refused' },
  carriedVersion: null,
  exportPage: null,
  exportMoments: { what: 'Exports of a collection that are read at a time', problem: 'export-ended' },
  exportPatience: {
    what: 'Time between two pages of an export',
    problem: 'export-ended',
    unit: 'milliseconds',
  },
  includedTypes: { what: 'Types that one level of `include` reaches', problem: 'include-too-large' },
  followedLinks: {
    what: 'Links that one `include` follows',
    problem: 'include-too-large',
  },
  settingsUnique: { what: 'Lists of unique fields in the settings of a type', problem: 'invalid-attribute' },
  settingsPaths: { what: 'Paths in one such list', problem: 'invalid-attribute' },
  settingsPath: { what: 'Such a path', problem: 'invalid-attribute', unit: 'characters' },
  settingsEntries: { what: 'Entries of a right in the settings of a type', problem: 'invalid-attribute' },
  settingsChecks: { what: 'Checks in the settings of a type', problem: 'invalid-attribute' },
  settingsSet: { what: 'Fields that the settings of a type compute', problem: 'invalid-attribute' },
  settingsRules: { what: 'The JSON of either', unit: 'characters', problem: 'invalid-attribute' },
  settingsMessage: {
    what: 'The name or the message of a check',
    unit: 'characters',
    problem: 'invalid-attribute',
  },
  settingsInverses: { what: 'Inverses in the settings of a type', problem: 'invalid-attribute' },
  historyDays: { what: 'Days for which a history keeps a version', problem: 'invalid-attribute' },
  historyVersions: { what: 'Versions of a document that a history keeps', problem: 'invalid-attribute' },
  settingsRelationships: {
    what: 'Relationships that may link to aggregates, or have files',
    problem: 'invalid-attribute',
  },
  inheritedTypes: {
    what: 'Types of documents that the documents of one type have rights through',
    problem: 'invalid-relationship',
  },
  inheritedDocuments: {
    what: 'Documents of one type through which a user has rights; the newest count',
  },
  rightIdentities: { what: 'Identities that one right names', problem: 'invalid-attribute' },
  rightsLinks: { what: 'Links of a relationship that gives rights', problem: 'invalid-relationship' },
  uniqueValues: {
    what: 'Unique combinations of values of one document',
    problem: 'invalid-value',
  },
  webhooks: { what: 'Webhooks of an application', problem: 'invalid-attribute' },
  webhooksOfType: { what: 'Webhooks of one type', problem: 'invalid-attribute' },
  messagesShown: {
    what: 'Deliveries to a webhook in an answer, of each kind',
  },
  webhookUrl: { what: 'The address of a webhook', problem: 'invalid-attribute', unit: 'characters' },
  webhookPatience: null,
  messagesWaiting: null,
  messageUnits: null,
  messagePatience: null,
  deadLetters: null,
  deadLetterUnits: null,
  deadLetterLifetime: null,
  answer: {
    what: 'Bodies of the documents in one answer together (two bytes a character beyond Latin-1)',
    problem: 'answer-too-large',
    unit: 'bytes',
  },
  sentAtOnce: { what: 'An answer that leaves at once; a larger one leaves in parts', unit: 'characters' },
  answerPatience: {
    what: 'Such an answer waits for its client, and 1 s more for each 64 KB',
    unit: 'milliseconds',
  },
  feedRetention: {
    what: 'A feed remembers, and outlives its last reader for',
    unit: 'milliseconds',
    problem: 'mark-expired',
  },
  feedBytes: {
    what: 'Former states of documents that a feed keeps',
    unit: 'bytes',
    problem: 'mark-expired',
  },
  feedLooked: { what: 'Documents that a page of a feed looks at, about' },
  liveStreams: { what: 'Streams of one type at a time', problem: 'too-many-requests' },
  liveStreamsOfUser: { what: 'Those of one user', problem: 'too-many-requests' },
  liveStreamsOfKey: { what: 'Those of one API key that have no user', problem: 'too-many-requests' },
  liveStreamsOfAddress: {
    what: 'Those of one client address that have no user',
    problem: 'too-many-requests',
  },
  liveSubscriptions: { what: 'Subscriptions of one stream', problem: 'invalid-body' },
  liveMessage: { what: 'A message to a stream', unit: 'characters', problem: 'invalid-body' },
  liveAsked: {
    what: 'The queries of the subscriptions of one stream',
    unit: 'characters',
    problem: 'invalid-body',
  },
  liveUnheard: { what: 'Text to a stream whose client acknowledges nothing', unit: 'characters' },
  liveUnheardEvents: { what: 'Events to such a stream' },
  feedPage: { what: 'A page of a feed, about', unit: 'characters' },
  csvCells: { what: 'The cells of a page of CSV', problem: 'answer-too-large' },
  answersLeaving: {
    what: 'Large bodies, answers and sort keys of one isolate together',
    problem: 'unavailable',
    unit: 'bytes',
  },
};
