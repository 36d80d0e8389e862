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
  | 'doubted'
  | 'doubtedUnits'
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
  body: ['A body', 'body-too-large', 'bytes'],
  file: ['The content of a file ([FILE_BYTES](operating.md#settings))', 'body-too-large', 'bytes'],
  passkeys: ['Passkeys of a user', 'change-refused'],
  mailTemplate: ['The text of a template of mails', 'invalid-attribute', 'characters'],
  actionsOfOne: [
    '[Account actions](accounts.md#actions) of one address or user in an hour',
    'too-many-requests',
  ],
  actionsOfClient: ['Account actions of a client address in an hour', 'too-many-requests'],
  actionsOfAll: ['Account actions of an application in an hour', 'too-many-requests'],
  actionsUnderWay: ['Passkey or provider logins under way, of unknown addresses', 'too-many-requests'],
  contentDeadline: ['Sending a content', 'body-too-slow', 'milliseconds'],
  uploadMetadata: ['The `Upload-Metadata` of an upload', 'invalid-header', 'characters'],
  uploadWaits: ['An upload between two requests', 'not-found', 'milliseconds'],
  linkLifetime: ['A link to a content', 'invalid-body', 'milliseconds'],
  fileName: ['The name of a file', 'invalid-attribute', 'characters'],
  mediaType: ['A media type of a file', 'unsupported-media-type', 'characters'],
  pictureSide: ['Pixels of a side of a size of pictures', 'invalid-attribute'],
  pictureSizes: ['Sizes of pictures in the setting `sizes`', 'invalid-attribute'],
  picturePixels: ['Pixels of a picture shown in sizes', 'invalid-parameter'],
  pictureBytes: ['The content of a picture shown in sizes', 'invalid-parameter', 'bytes'],
  pictureDeadline: ['Making a picture in a size', 'unavailable', 'milliseconds'],
  picturePatience: ['Waiting for a picture in a size', 'unavailable', 'milliseconds'],
  document: ['A stored document', 'document-too-large', 'bytes'],
  operations: ['Operations of a list', 'list-too-large'],
  operationsTypes: ['Types that a list of operations writes', 'invalid-type'],
  operationsBody: ['The body of a list of operations', 'body-too-large', 'bytes'],
  operationsLinks: ['Links that a list of operations sets', 'list-too-large'],
  operationsWork: [
    'Documents before and after each operation of a list, together',
    'list-too-large',
    'characters',
  ],
  hashPatience: ['Waiting for the hash of a password', 'too-many-requests', 'milliseconds'],
  auditDays: ['Days of an audit trail', 'invalid-attribute'],
  bulk: ['Documents that a change of many changes', 'too-many-matches'],
  bulkLooked: ['Documents that a change of many reads', 'too-many-matches'],
  bodyDeadline: ['Sending a body', 'body-too-slow', 'milliseconds'],
  idempotencyKey: ['An `Idempotency-Key`', 'invalid-header', 'characters'],
  outcomeLifetime: ['Repeating an answer to an `Idempotency-Key`', null, 'milliseconds'],
  outcomesOfSender: ['Answers to repeat, of one API key and user', null, 'bytes'],
  jsonDepth: ['Levels of JSON', 'too-deep'],
  pageSize: ['Documents on a page', 'invalid-parameter'],
  defaultPageSize: ['Documents on a page by default', null],
  includeLevels: ['Names in one path of `include`', 'invalid-parameter'],
  includedDocuments: ['Documents in `included`', 'include-too-large'],
  filter: ['Filters of a request, decoded', 'invalid-filter', 'bytes'],
  matchedItems: ['Items of arrays in one document that a filter looks at', 'invalid-filter'],
  filterDepth: ['Levels of a filter expression', 'invalid-filter'],
  relatedConditions: ['Conditions on linked documents in a filter', 'invalid-filter'],
  linksInARow: ['Links that a condition on linked documents follows in a row', 'invalid-filter'],
  relatedDocuments: ['Linked documents that meet conditions of a filter', 'invalid-filter'],
  geometryPositions: ['Positions of a geometry', 'invalid-filter'],
  geometryNesting: ['Levels of geometry collections', 'invalid-filter'],
  pipelineStages: ['Stages of a pipeline', 'invalid-attribute'],
  pipelineDepth: ['Levels of a value in a pipeline', 'pipeline-failed'],
  outputId: ['An id that a pipeline makes', 'pipeline-failed', 'characters'],
  sortFields: ['Fields of a `sort`', 'invalid-parameter'],
  permissionsPerKey: ['Permissions of an API key', 'invalid-attribute'],
  permissionRules: ['The rules of an API key', 'invalid-attribute', 'bytes'],
  ruleFields: ['Fields that a rule names', 'invalid-attribute'],
  permissionPatterns: ['Patterns of an API key', 'invalid-attribute', 'steps'],
  requestsQuota: ['A quota of requests a second', 'invalid-attribute'],
  regexPattern: ['A regular expression', 'invalid-filter', 'characters'],
  path: ['The path of a request', 'path-too-long', 'bytes'],
  typesListed: ['Types that `GET /resources` looks at', null],
  typesCounted: ['Types on a page of `GET /resources` with counts', null],
  typeName: ['The name of a document type', 'not-found', 'characters'],
  username: ['The name of a user', 'invalid-attribute', 'characters'],
  password: ['A password', 'invalid-attribute', 'bytes'],
  linkedTypes: ['Types that the links of one write point to', 'invalid-relationship'],
  groupMembers: ['Members of a group', 'invalid-relationship'],
  groupsOfIdentity: ['Groups that one user is in', 'invalid-relationship'],
  importLines: ['Lines in a request of an import', 'list-too-large'],
  importBody: ['The body of an import', 'body-too-large', 'bytes'],
  carriedVersions: ['Versions in a line of an import', 'line-refused'],
  exportMoments: ['Exports of a type at a time', 'export-ended'],
  exportPatience: ['Time between two pages of an export', 'export-ended', 'milliseconds'],
  includedTypes: ['Types that a level of `include` reaches', 'include-too-large'],
  followedLinks: ['Links that an `include` follows', 'include-too-large'],
  settingsUnique: ['Lists of unique fields of a type', 'invalid-attribute'],
  settingsPaths: ['Paths in a list of unique fields', 'invalid-attribute'],
  settingsPath: ['A path in a list of unique fields', 'invalid-attribute', 'characters'],
  settingsEntries: ['Entries of a right in settings of a type', 'invalid-attribute'],
  settingsChecks: ['Checks of a type', 'invalid-attribute'],
  settingsSet: ['Computed fields of a type', 'invalid-attribute'],
  settingsCount: ['Counters of a type', 'invalid-attribute'],
  settingsRules: [
    'The JSON of checks, of computed fields, and of counters',
    'invalid-attribute',
    'characters',
  ],
  settingsMessage: ['The name or the message of a check', 'invalid-attribute', 'characters'],
  settingsInverses: ['Inverses of a type', 'invalid-attribute'],
  historyDays: ['Days of a history', 'invalid-attribute'],
  historyVersions: ['Versions of a document in a history', 'invalid-attribute'],
  idsAt: ['Ids of a list with `at`', 'invalid-parameter'],
  settingsRelationships: ['Relationships that may link to aggregates, or have files', 'invalid-attribute'],
  settingsViews: ['Views of a type', 'invalid-attribute'],
  settingsView: ['The query of a view', 'invalid-attribute', 'characters'],
  inheritedTypes: ['Types through which documents of a type have rights', 'invalid-relationship'],
  inheritedDocuments: ['Documents of a type through which a user has rights; the newest count', null],
  rightIdentities: ['Identities that a right names', 'invalid-attribute'],
  rightsLinks: ['Links of a relationship that gives rights', 'invalid-relationship'],
  uniqueValues: ['Unique values of a document', 'invalid-value'],
  webhooks: ['Webhooks of an application', 'invalid-attribute'],
  webhooksOfType: ['Webhooks of a type', 'invalid-attribute'],
  messagesShown: ['Deliveries to a webhook in an answer, of each kind', null],
  webhookUrl: ['The address of a webhook', 'invalid-attribute', 'characters'],
  answer: ['Documents in an answer (two bytes a character beyond Latin-1)', 'answer-too-large', 'bytes'],
  sentAtOnce: ['An answer that leaves in one part', null, 'characters'],
  answerPatience: [
    'Waiting for the client of a larger answer, and 1 s more for each 64 KB',
    null,
    'milliseconds',
  ],
  feedRetention: ['The memory of a feed, and its life after the last reader', 'mark-expired', 'milliseconds'],
  feedBytes: ['Former states that a feed keeps', 'mark-expired', 'bytes'],
  feedLooked: ['Documents that a page of a feed looks at, about', null],
  liveStreams: ['Streams of a type at a time', 'too-many-requests'],
  liveStreamsOfUser: ['Streams of a user', 'too-many-requests'],
  liveStreamsOfKey: ['Streams of an API key without a user', 'too-many-requests'],
  liveStreamsOfAddress: ['Streams of a client address without a user', 'too-many-requests'],
  liveSubscriptions: ['Subscriptions of a stream', 'invalid-body'],
  liveMessage: ['A message to a stream', 'invalid-body', 'characters'],
  liveAsked: ['Queries of the subscriptions of a stream', 'invalid-body', 'characters'],
  liveUnheard: ['Text to a stream whose client acknowledges nothing', null, 'characters'],
  liveUnheardEvents: ['Events to a stream whose client acknowledges nothing', null],
  feedPage: ['A page of a feed, about', null, 'characters'],
  csvCells: ['Cells of a page of CSV', 'answer-too-large'],
  answersLeaving: ['Large bodies, answers and sort keys of an isolate', 'unavailable', 'bytes'],
};
