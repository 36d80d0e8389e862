/**
 * Which file may import which. Every law that a file falls under holds, so none hides another. Paths are those from the
 * root of the project; a package is its own name.
 */
export interface Law {
  /** The files that it binds. */
  readonly in: RegExp;
  /** What they must not import. */
  readonly never: RegExp;
  readonly says: string;
}

const oneOf = (names: readonly string[]): string => `(${names.join('|')})`;

/** What a folder of src may import besides itself: the way of a request, one-directional. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  mail: ['domain'],
  query: ['domain'],
  operators: ['query', 'domain'],
  plan: ['operators', 'query', 'domain'],
  schema: ['query', 'domain'],
  pipeline: ['query', 'operators', 'domain'],
  collection: ['schema', 'pipeline', 'plan', 'query', 'operators', 'mail', 'domain'],
  auth: ['collection', 'operators', 'query', 'domain'],
  modules: ['auth', 'collection', 'schema', 'pipeline', 'query', 'operators', 'mail', 'domain'],
  http: ['modules', 'auth', 'collection', 'operators', 'query', 'domain'],
};

const layers = Object.entries(LAYERS).map(([layer, seen]): Law => ({
  in: new RegExp(`^src/${layer}/`),
  never: new RegExp(
    `^src/(index\\.ts$|${oneOf(Object.keys(LAYERS).filter((other) => other !== layer && !seen.includes(other)))}/)`,
  ),
  says: `src/${layer} may import only: ${[layer, ...seen].join(', ')}.`,
}));

/** The rooms of src/collection, with the rooms each may import besides itself. Reads never see what writes. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  rpc: [],
  storage: ['rpc'],
  write: ['storage', 'rpc'],
  search: ['storage', 'rpc'],
  aggregate: ['search', 'storage', 'rpc'],
};

const ABOVE_ROOMS = [
  'collection',
  'parts',
  'background',
  'calls/\\w+',
  'reads',
  'searches',
  'list-writes',
  'write-steps',
  'initialization',
  'exports',
  'learning',
  'on-demand',
];

const rooms = Object.entries(ROOMS).map(([room, seen]): Law => {
  const others = Object.keys(ROOMS).filter((other) => other !== room && !seen.includes(other));
  return {
    in: new RegExp(`^src/collection/${room}/`),
    never: new RegExp(`^src/collection/(${oneOf(others)}/|${oneOf(ABOVE_ROOMS)}\\.ts$)`),
    says: `src/collection/${room} may import, of src/collection, only: ${[room, ...seen].join(', ')}.`,
  };
});

export const LAWS: readonly Law[] = [
  ...layers,
  ...rooms,
  {
    in: new RegExp(`^src/${oneOf(Object.keys(LAYERS).filter((layer) => layer !== 'collection'))}/`),
    never: /^src\/collection\/(?!rpc\/(?!absence|contract|objects|packing\/(?!documents)))/,
    says: 'Outside of src/collection only collection/rpc is seen, of that neither objects nor packing nor contract.',
  },
  {
    in: /^src\/collection\/(reads|searches)\.ts$/,
    never: new RegExp(
      '^src/collection/(write/|storage/documents/document-writer|' +
        `${oneOf(['list-writes', 'write-steps', 'initialization', 'learning', 'on-demand'])}\\.ts$)`,
    ),
    says: 'What only reads sees nothing that writes.',
  },
  {
    in: /^src\/client\//,
    never: /^(?!src\/client\/)/,
    says: 'src/client stands alone: it imports its own files only.',
  },
  {
    in: /^src\/dashboard\//,
    never: /^src\/(?!(dashboard|client|domain|schema)\/)/,
    says: 'src/dashboard runs elsewhere: of src it imports the client, the domain and the schemas alone.',
  },
  {
    in: /^src\/account\//,
    never: /^src\/(?!account\/)/,
    says: 'src/account runs elsewhere: it imports its own files only.',
  },
  {
    in: /^src\/(?!(client|dashboard|account)\/)/,
    never: /^src\/(dashboard|account)\//,
    says: 'src/dashboard and src/account run elsewhere.',
  },
  {
    in: /^src\/(?!(client|dashboard|http\/pages\/account)\/)/,
    never: /^src\/client\//,
    says: 'src/client runs elsewhere: of the Worker the ready pages alone are a client.',
  },
  {
    in: /^test\/(?!support\/fast-check\.ts$)/,
    never: /^fast-check$/,
    says: 'Properties have one seed: test/support/fast-check.ts.',
  },
];
