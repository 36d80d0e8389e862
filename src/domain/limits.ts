/**
 * Every limit of the service in one place; docs/limits.md lists those that clients meet. Sizes are bytes, unless said.
 * Other files hold only measures of their own work: sizes of steps, of caches, of what SQLite takes.
 */

export const LIMITS = {
  body: 1024 * 1024,
  document: 1024 * 1024,
  /** Of a list of operations: how many, the types that it writes, the bytes of its body, the links that it sets. */
  operations: 1000,
  operationsTypes: 10,
  operationsBody: 8 * 1024 * 1024,
  operationsLinks: 25_000,
  /** The documents that its operations find and leave, in UTF-16 units: two bytes each fit one call; and other rows. */
  operationsWork: 12 * 1024 * 1024,
  /** Documents that one PATCH or DELETE on a collection changes, and those that it may look at among the found. */
  bulk: 1000,
  bulkLooked: 10_000,
  /** Milliseconds in which a body must arrive, and after which its sender's rights are asked again. */
  bodyDeadline: 60_000,
  bodyTrust: 1_000,
  /** Milliseconds for which a session relies on what it was told, and sessions that one change tells at once. */
  sessionLease: 30_000,
  sessionsTold: 500,
  /** Bytes of a body that is too large which are read and dropped, and milliseconds that the answer waits for that. */
  bodyDrained: 16 * 1024 * 1024,
  bodyDraining: 1_000,
  /** Milliseconds for which a write waits for a list of several types to be decided, and such a list for others. */
  transactionPatience: 10_000,
  /** Of the header `Idempotency-Key`, in characters; and milliseconds for which a first answer is given again. */
  idempotencyKey: 255,
  outcomeLifetime: 86_400_000,
  /** Bytes of such answers kept for one API key and user in one collection. */
  outcomesOfSender: 64 * 1024 * 1024,
  /** Levels of arrays and objects in a JSON body. */
  jsonDepth: 64,
  /** Documents, their UTF-16 units, and warnings about a list that finds nothing. */
  diagnosed: 1000,
  diagnosedUnits: 2 * 1024 * 1024,
  diagnosticsTold: 20,
  pageSize: 1000,
  defaultPageSize: 20,
  includeLevels: 5,
  includedDocuments: 1000,
  /** Of the decoded filter expressions of a request together. */
  filter: 16 * 1024,
  /** Levels of arrays and objects in a filter: those of BSON, and no document nests more than its JSON. */
  filterDepth: 100,
  /** Items of arrays that the tests of a filter look at in one document, added up: about 0.1 s. */
  matchedItems: 2_000_000,
  /** Conditions on linked documents in one filter, and the linked documents that meet them, together. */
  relatedConditions: 20,
  relatedDocuments: 10_000,
  /** Links that a condition on linked documents may follow one after the other. */
  linksInARow: 3,
  sortFields: 16,
  /** Positions of one geometry, and levels of collections of geometries in one another. */
  geometryPositions: 10_000,
  geometryNesting: 8,
  /** Stages of a pipeline, levels of a value in it, characters of an id that it makes: these stand in a path. */
  pipelineStages: 64,
  pipelineDepth: 100,
  outputId: 1_000,
  /** Indexes that one collection learns: each makes every write more expensive. */
  learnedIndexes: 16,
  /** Days for which an audit trail may keep its entries. */
  auditDays: 3650,
  /** Characters of the names of fields in one of its entries. */
  auditedNames: 2_000,
  permissionsPerKey: 1000,
  /** UTF-8 bytes of all rules of a key's permissions: each request may carry one to every collection it asks. */
  permissionRules: 256 * 1024,
  /** Names of fields that one rule lists. */
  ruleFields: 200,
  /** Instructions of the patterns of a key's permissions together; a plain character is about one. */
  permissionPatterns: 100_000,
  /** The largest quota of requests a second. */
  requestsQuota: 1_000_000,
  /** In characters. */
  regexPattern: 1000,
  path: 2 * 1024,
  /** In characters. */
  typeName: 128,
  /** Types that a list of them looks at, and those on a page whose documents are counted: each wakes an object. */
  typesListed: 10_000,
  typesCounted: 100,
  username: 256,
  /** Of a password under account settings; minutes of a code; wrong codes of an action; characters of product names. */
  accountName: 100,
  accountPassword: 8,
  /** Characters of a template of a mail. */
  mailSubject: 200,
  mailTemplate: 50_000,
  /** Minutes for which what nobody has asked for is valid at least: two days, as long as actions are kept. */
  mailMinutes: 2_880,
  /** Milliseconds for which a login lets its user add a second factor. */
  freshLogin: 600_000,
  /** Milliseconds for which a refresh token that was used gets the same answer again. */
  refreshAgain: 10_000,
  accountMinutes: 30,
  passkeys: 20,
  accountTries: 5,
  /** Wrong codes of a second factor in a row. */
  factorTries: 100,
  /** Account actions in an hour: for one address or user, of strangers at one client address, and of an application. */
  actionsOfOne: 5,
  actionsOfClient: 100,
  actionsOfAll: 1_000,
  /** Account actions of a kind that strangers have begun whose client addresses are unknown. */
  actionsUnderWay: 1_000,
  /** In bytes of UTF-8. */
  password: 1024,
  /** Milliseconds that a request waits for its turn at hashing a password. */
  hashPatience: 20_000,
  /** Types that the links of one write may point to, and that one include may reach: each costs a call. */
  linkedTypes: 50,
  includedTypes: 200,
  /** Links that one include or related read may follow, found or not. */
  followedLinks: 20_000,
  /** Members of one group, and groups of one identity. */
  groupMembers: 10_000,
  groupsOfIdentity: 1_000,
  /** Of a type's settings: unique lists, paths of one, their characters, rights, inverses, links to aggregates. */
  settingsUnique: 8,
  settingsPaths: 8,
  settingsPath: 1000,
  settingsEntries: 100,
  settingsInverses: 50,
  settingsRelationships: 50,
  /** Views of a type, and characters of the query of one. */
  settingsViews: 50,
  settingsView: 4000,
  /** Of a history: days, and versions of a document. */
  historyDays: 36_500,
  historyVersions: 1_000,
  /** Ids of a list of documents as they were at a moment. */
  idsAt: 100,
  /** Of rights that come through links: types of linked documents, and documents that one user has them by. */
  inheritedTypes: 20,
  inheritedDocuments: 10_000,
  /** Checks of a type, computed fields, counters, characters of the JSON of each, and of a name or a message. */
  settingsChecks: 50,
  settingsSet: 50,
  settingsCount: 8,
  settingsRules: 64 * 1024,
  settingsMessage: 500,
  /** Identities that one right of an ACL names: more are a group's. */
  rightIdentities: 4000,
  /** Links of a relationship that gives rights. */
  rightsLinks: 1000,
  /** Combinations of values of one document for one list of unique fields. */
  uniqueValues: 1000,
  /**
   * The content of a file, unless a setting says another number; milliseconds that one may take to arrive, and that it
   * waits for its document; characters of a name and of a media type.
   */
  file: 100_000_000,
  contentDeadline: 3_600_000,
  contentWaits: 2 * 3_600_000,
  /** Milliseconds for which an upload waits for its next request; how many times larger than one request it may be. */
  uploadWaits: 24 * 3_600_000,
  uploadTimes: 50,
  /** Characters that are said of an upload: they are kept, and count in no quota. */
  uploadMetadata: 8_192,
  linkLifetime: 7 * 86_400_000,
  fileName: 255,
  mediaType: 255,
  /** Of pictures in sizes: pixels of a side, sizes of a setting; pixels and bytes of a picture made into others. */
  pictureSide: 4096,
  pictureSizes: 20,
  picturePixels: 64 * 1024 * 1024,
  pictureBytes: 50_000_000,
  /** Milliseconds for making one, and for its turn; and until those are deleted that came after their file. */
  pictureDeadline: 60_000,
  picturePatience: 20_000,
  pictureLinger: 600_000,
  /** Of one request of an import: lines, and bytes of its body. */
  importLines: 1000,
  importBody: 8 * 1024 * 1024,
  /** Versions that a line of an import carries for tokens; the highest: a counter above it has enough left. */
  carriedVersions: 100,
  carriedVersion: 2 ** 52,
  /** Bytes of one page of an export, about. */
  exportPage: 4 * 1024 * 1024,
  /** Moments that exports of one collection keep at a time; milliseconds for which one stays that nobody reads. */
  exportMoments: 4,
  exportPatience: 600_000,
  /** Webhooks of an application, and of one type in it; letters to one of them that an answer shows. */
  webhooks: 100,
  webhooksOfType: 10,
  messagesShown: 100,
  /** Characters of an address that a webhook calls, and milliseconds that it has to answer. */
  webhookUrl: 2_000,
  webhookPatience: 10_000,
  /**
   * Letters that wait for one addressee in one collection, and the UTF-16 units of their payloads; those given up.
   * Milliseconds after which a waiting one is given up, and after which one that was given up is forgotten.
   */
  messagesWaiting: 10_000,
  messageUnits: 32 * 1024 * 1024,
  messagePatience: 3 * 86_400_000,
  deadLetters: 1000,
  deadLetterUnits: 8 * 1024 * 1024,
  deadLetterLifetime: 7 * 86_400_000,
  /** Of a type's feed: milliseconds and bytes for which former states are kept, and a feed that nobody asks for. */
  feedRetention: 7 * 86_400_000,
  feedBytes: 64 * 1024 * 1024,
  /** Documents that one page of a feed looks at, and UTF-16 units that it shows, about. */
  feedLooked: 10_000,
  feedPage: 4 * 1024 * 1024,
  /**
   * Streams of one type, and of one user; without a user, of one key and of one client address. Subscriptions of one
   * stream, characters of a message and of what is asked.
   */
  liveStreams: 10_000,
  liveStreamsOfUser: 50,
  liveStreamsOfKey: 5_000,
  liveStreamsOfAddress: 200,
  liveSubscriptions: 10,
  liveMessage: 4096,
  liveAsked: 1000,
  /** Characters and events that are sent to a client that says nothing. */
  liveUnheard: 1024 * 1024,
  liveUnheardEvents: 1000,
  /** Of the bodies in one answer together, in bytes of memory (memory.ts): what a Worker can bear. */
  answer: 16 * 1024 * 1024,
  /** Of a page of CSV: each document may have columns of its own, which all others leave empty. */
  csvCells: 1_000_000,
  /** A larger answer, or page on its way from its object, is large: it leaves in parts, and such are counted. */
  sentAtOnce: 256 * 1024,
  /** Milliseconds that a client may leave a large answer untaken; it has more for each part. */
  answerPatience: 30_000,
  /** Of an isolate's large answers together, from the page that they are made of to what clients have not taken yet. */
  answersLeaving: 64 * 1024 * 1024,
} as const;

/** Problems that one answer tells at most: it must not grow with a hostile request. */
export const TOLD = { inBody: 50, inDefinition: 20 } as const;

/** What may be under way in one object at a time; more waits. */
export const AT_ONCE = {
  /** Passwords that wait to be hashed, in one isolate; one more is refused. */
  hashesWaiting: 64,
  /** Pages that are large (`sentAtOnce`), and such pages that may wait; one more is refused. */
  largePages: 2,
  largePagesWaiting: 64,
  /** Pipelines: each may keep as much memory as its budget allows. */
  pipelines: 2,
  /** Letters on their way: the platform lets so many calls wait for an answer. Those to slow addressees. */
  deliveries: 6,
  slowDeliveries: 3,
} as const;

/** Bounds of memory, in bytes, about. */
export const MEMORY = {
  /** The largest single value of a pipeline, its parts counted as often as they occur. Documents have a megabyte. */
  pipelineValue: 8 * 1024 * 1024,
  /** All that is made on the way of one document through the stages. */
  pipelineDocument: 24 * 1024 * 1024,
  /** The elements of a sorted page, and all before it, together. */
  sortedPage: 16 * 1024 * 1024,
} as const;

/** Budgets of work, in units of about 10 ns (work.ts). */
export const WORK = {
  /**
   * What the patterns of one filter may take over all documents, about half a second, and beside that for each document
   * of a collection, so that an ordinary pattern finds its way through the largest.
   */
  patterns: 50_000_000,
  patternsPerDocument: 250,
  /** What one search for a pattern may take: about a second. */
  search: 100_000_000,
  /** What the patterns of an API key may take for one request, over all the paths that it asks about. */
  permissions: 15_000_000,
  /** What the patterns of webhooks' filters may take for one write, about ten milliseconds, and for a list of them. */
  webhookFilter: 1_000_000,
  webhookFilters: 20_000_000,
  /** What the update operators of one list of operations, or the expressions of settings, may take together. */
  updatesOfList: 20_000_000,
  /** What the expressions in the settings of a type may take for one document that is written: about 20 ms. */
  settings: 2_000_000,
  /** What a pipeline may take over all documents, over one document, and for the constants of its definition. */
  pipeline: 60_000_000,
  pipelinePerDocument: 20_000_000,
  pipelineConstants: 1_000_000,
} as const;
