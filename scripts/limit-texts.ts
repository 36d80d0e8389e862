/** What docs/limits.md says of each limit. */
import type { LIMITS } from '../src/domain/limits.ts';
import type { ProblemCode } from '../src/domain/problems.ts';

/** What a limit is of, what a request past it meets (null where nothing is refused), and its unit. */
export type LimitText = readonly [
  what: string,
  problem: ProblemCode | null,
  unit?: 'bytes' | 'characters' | 'steps' | 'milliseconds',
];

/** No request is refused for these, and another page says what they do. */
type Elsewhere =
  | 'accountName'
  | 'accountPassword'
  | 'accountMinutes'
  | 'mailMinutes'
  | 'mailSubject'
  | 'freshLogin'
  | 'refreshAgain'
  | 'accountTries'
  | 'factorTries'
  | 'contentWaits'
  | 'uploadTimes'
  | 'pictureLinger'
  | 'auditedNames'
  | 'bodyTrust'
  | 'sessionLease'
  | 'sessionsTold'
  | 'bodyDrained'
  | 'bodyDraining'
  | 'transactionPatience'
  | 'diagnosed'
  | 'diagnosedUnits'
  | 'diagnosticsTold'
  | 'learnedIndexes'
  | 'carriedVersion'
  | 'exportPage'
  | 'webhookPatience'
  | 'messagesWaiting'
  | 'messageUnits'
  | 'messagePatience'
  | 'deadLetters'
  | 'deadLetterUnits'
  | 'deadLetterLifetime';

/** A new limit must be told here, or named above, before it compiles. */
export const LIMIT_TEXTS: Readonly<Record<Exclude<keyof typeof LIMITS, Elsewhere>, LimitText>> = {
  body: ['Request body', 'body-too-large', 'bytes'],
  file: ['File ([FILE_BYTES](operating.md#settings))', 'body-too-large', 'bytes'],
  passkeys: ['Passkeys of a user', 'change-refused'],
  mailTemplate: ['Mail template', 'invalid-attribute', 'characters'],
  actionsOfOne: [
    '[Account actions](accounts.md#actions) an hour, of one address or user',
    'too-many-requests',
  ],
  actionsOfClient: ['Account actions an hour, of a client address', 'too-many-requests'],
  actionsOfAll: ['Account actions an hour, of an application', 'too-many-requests'],
  actionsUnderWay: ['Unfinished passkey or provider logins from unknown addresses', 'too-many-requests'],
  contentDeadline: ['Upload of a file', 'body-too-slow', 'milliseconds'],
  uploadMetadata: ['`Upload-Metadata`', 'invalid-header', 'characters'],
  uploadWaits: ['Pause of an upload', 'not-found', 'milliseconds'],
  linkLifetime: ['Lifetime of a link to a file', 'invalid-body', 'milliseconds'],
  fileName: ['File name', 'invalid-attribute', 'characters'],
  mediaType: ['Media type of a file', 'unsupported-media-type', 'characters'],
  pictureSide: ['Pixels of a picture size, each side', 'invalid-attribute'],
  pictureSizes: ['Entries of the setting `sizes`', 'invalid-attribute'],
  picturePixels: ['Pixels of a picture with sizes', 'invalid-parameter'],
  pictureBytes: ['Picture with sizes', 'invalid-parameter', 'bytes'],
  pictureDeadline: ['Making a picture size', 'unavailable', 'milliseconds'],
  picturePatience: ['Waiting for a picture size', 'unavailable', 'milliseconds'],
  document: ['Stored document', 'document-too-large', 'bytes'],
  operations: ['Operations in a list', 'list-too-large'],
  operationsTypes: ['Types in a list of operations', 'invalid-type'],
  operationsBody: ['List of operations', 'body-too-large', 'bytes'],
  operationsLinks: ['Links in a list of operations', 'list-too-large'],
  operationsWork: ['Documents of a list of operations, before and after', 'list-too-large', 'characters'],
  hashPatience: ['Waiting for a password hash', 'too-many-requests', 'milliseconds'],
  auditDays: ['Days of an audit trail', 'invalid-attribute'],
  bulk: ['Documents that a change by filter changes', 'too-many-matches'],
  bulkLooked: ['Documents that a change by filter reads', 'too-many-matches'],
  bodyDeadline: ['Upload of another body', 'body-too-slow', 'milliseconds'],
  idempotencyKey: ['`Idempotency-Key`', 'invalid-header', 'characters'],
  outcomeLifetime: ['Answers are repeated for an `Idempotency-Key`', null, 'milliseconds'],
  outcomesOfSender: ['Answers to repeat, for one type, API key and user', null, 'bytes'],
  jsonDepth: ['Levels of JSON', 'too-deep'],
  pageSize: ['Documents on a page', 'invalid-parameter'],
  defaultPageSize: ['Documents on a page by default', null],
  includeLevels: ['Names in a path of `include`', 'invalid-parameter'],
  includedDocuments: ['Documents in `included`', 'include-too-large'],
  filter: ['Filters of a request, decoded', 'invalid-filter', 'bytes'],
  matchedItems: ['Array items that a filter looks at in one document', 'invalid-filter'],
  filterDepth: ['Levels of a filter', 'invalid-filter'],
  relatedConditions: ['Conditions on linked documents', 'invalid-filter'],
  linksInARow: ['Links in a path of such a condition', 'invalid-filter'],
  relatedDocuments: ['Linked documents that match such conditions', 'invalid-filter'],
  geometryPositions: ['Positions of a geometry', 'invalid-filter'],
  geometryNesting: ['Levels of geometry collections', 'invalid-filter'],
  pipelineStages: ['Stages of a pipeline', 'invalid-attribute'],
  pipelineDepth: ['Levels of a value in a pipeline', 'pipeline-failed'],
  outputId: ['Id of an output', 'pipeline-failed', 'characters'],
  sortFields: ['Fields of a `sort`', 'invalid-parameter'],
  permissionsPerKey: ['Permissions of an API key', 'invalid-attribute'],
  permissionRules: ['Rules of an API key', 'invalid-attribute', 'bytes'],
  ruleFields: ['Fields in a rule', 'invalid-attribute'],
  permissionPatterns: ['Regular expressions of an API key', 'invalid-attribute', 'steps'],
  requestsQuota: ['Quota of requests a second', 'invalid-attribute'],
  regexPattern: ['Regular expression', 'invalid-filter', 'characters'],
  path: ['Path of a request', 'path-too-long', 'bytes'],
  typesListed: ['Types that `GET /resources` looks at', null],
  typesCounted: ['Types on a page of `GET /resources` with counts', null],
  typeName: ['Type name', 'not-found', 'characters'],
  username: ['User name', 'invalid-attribute', 'characters'],
  password: ['Password', 'invalid-attribute', 'bytes'],
  linkedTypes: ['Types that one write links to', 'invalid-relationship'],
  groupMembers: ['Members of a group', 'invalid-relationship'],
  groupsOfIdentity: ['Groups of one user', 'invalid-relationship'],
  importLines: ['Lines in a request of an import', 'list-too-large'],
  importBody: ['Request of an import', 'body-too-large', 'bytes'],
  carriedVersions: ['Versions in a line of an import', 'line-refused'],
  exportMoments: ['Exports of a type at a time', 'export-ended'],
  exportPatience: ['Pause between two pages of an export', 'export-ended', 'milliseconds'],
  includedTypes: ['Types in a level of `include`', 'include-too-large'],
  followedLinks: ['Links that `include` follows', 'include-too-large'],
  settingsUnique: ['Lists of unique fields of a type', 'invalid-attribute'],
  settingsPaths: ['Paths in a list of unique fields', 'invalid-attribute'],
  settingsPath: ['Path in a list of unique fields', 'invalid-attribute', 'characters'],
  settingsEntries: ['Entries of a right in settings', 'invalid-attribute'],
  settingsChecks: ['Checks of a type', 'invalid-attribute'],
  settingsSet: ['Computed fields of a type', 'invalid-attribute'],
  settingsCount: ['Counters of a type', 'invalid-attribute'],
  settingsRules: ['JSON of checks, of computed fields, and of counters', 'invalid-attribute', 'characters'],
  settingsMessage: ['Name or message of a check', 'invalid-attribute', 'characters'],
  settingsInverses: ['Inverses of a type', 'invalid-attribute'],
  historyDays: ['Days of a history', 'invalid-attribute'],
  historyVersions: ['Versions of a document in a history', 'invalid-attribute'],
  idsAt: ['Ids in a list with `at`', 'invalid-parameter'],
  settingsRelationships: ['Relationships that may link to aggregates, or have files', 'invalid-attribute'],
  settingsViews: ['Views of a type', 'invalid-attribute'],
  settingsView: ['Query of a view', 'invalid-attribute', 'characters'],
  inheritedTypes: ['Types that a type gets rights through', 'invalid-relationship'],
  inheritedDocuments: ['Documents of a type through which a user has rights (the newest)', null],
  rightIdentities: ['Identities in a right', 'invalid-attribute'],
  rightsLinks: ['Links of a relationship that gives rights', 'invalid-relationship'],
  uniqueValues: ['Unique values of a document', 'invalid-value'],
  webhooks: ['Webhooks of an application', 'invalid-attribute'],
  webhooksOfType: ['Webhooks of a type', 'invalid-attribute'],
  messagesShown: ['Shown deliveries of a webhook, of each kind', null],
  webhookUrl: ['URL of a webhook', 'invalid-attribute', 'characters'],
  answer: ['Documents in an answer (two bytes a character beyond Latin-1)', 'answer-too-large', 'bytes'],
  sentAtOnce: ['Answer sent in one part', null, 'characters'],
  answerPatience: ['Time to read a larger answer, plus 1 s for each 64 KB', null, 'milliseconds'],
  feedRetention: ['Age of a mark; time without readers of a feed', 'mark-expired', 'milliseconds'],
  feedBytes: ['Former states of a feed', 'mark-expired', 'bytes'],
  feedLooked: ['Documents that a page of a feed looks at, about', null],
  liveStreams: ['Streams of a type at a time', 'too-many-requests'],
  liveStreamsOfUser: ['Streams of a user', 'too-many-requests'],
  liveStreamsOfKey: ['Streams of an API key without a user', 'too-many-requests'],
  liveStreamsOfAddress: ['Streams of a client address without a user', 'too-many-requests'],
  liveSubscriptions: ['Subscriptions of a stream', 'invalid-body'],
  liveMessage: ['Message to a stream', 'invalid-body', 'characters'],
  liveAsked: ['Queries of all subscriptions of a stream', 'invalid-body', 'characters'],
  liveUnheard: ['Unacknowledged text of a stream', null, 'characters'],
  liveUnheardEvents: ['Unacknowledged events of a stream', null],
  feedPage: ['Page of a feed, about', null, 'characters'],
  csvCells: ['Cells of a CSV page', 'answer-too-large'],
  answersLeaving: ['Large bodies, answers and sort keys of an isolate', 'unavailable', 'bytes'],
};
