// The linter's rules. The import rule at the end keeps the way through the code one-directional.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Each folder of src, with the folders it must never import. The order is the way of a request. */
const layers = [
  'http',
  'auth',
  'modules',
  'collection',
  'schema',
  'pipeline',
  'query',
  'operators',
  'domain',
];

/** Those that pure rooms never see. */
const layersAbove = ['http', 'auth', 'modules', 'collection', 'schema', 'pipeline'];

/** What a folder may import besides itself. Everything else is an error. `BASE` narrows some of it. */
const allowed = {
  domain: [],
  operators: ['query', 'domain'],
  query: ['operators', 'domain'],
  schema: ['query', 'domain'],
  pipeline: ['query', 'operators', 'domain'],
  collection: ['schema', 'pipeline', 'query', 'operators', 'domain'],
  auth: ['collection', 'query', 'domain'],
  modules: ['auth', 'collection', 'schema', 'pipeline', 'query', 'operators', 'domain'],
  http: ['modules', 'auth', 'collection', 'query', 'domain'],
};

/** Of a collection the outside knows its client and what that takes and gives, never how it answers, nor how that crosses. */
const onlyRpc = {
  regex: '/collection/(?!rpc/(?!absence|contract|objects|packing/(?!documents)))',
  message:
    'Outside of src/collection only collection/rpc is seen, and of that neither objects nor packing nor contract.',
};

/** The rooms of src/collection, with the rooms each may import besides itself. Reads never see what writes. */
const rooms = {
  rpc: [],
  storage: ['rpc'],
  write: ['storage', 'rpc'],
  search: ['storage', 'rpc'],
  aggregate: ['search', 'storage', 'rpc'],
};

const roomRules = Object.entries(rooms).map(([room, seen]) => ({
  files: [`src/collection/${room}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `/(${Object.keys(rooms)
              .filter((other) => other !== room && !seen.includes(other))
              .join(
                '|',
              )})/[a-z/-]+\\.ts$|/(modules|auth|http)/|^(\\.\\./)+(collection|reads|searches|changes|readiness|exports|learning|link-types-on-demand|words-on-demand)\\.ts$`,
            message: `src/collection/${room} may import, of src/collection, only: ${[room, ...seen].join(', ')}.`,
          },
        ],
      },
    ],
  },
}));

/** Above the rooms: what only reads is given readers, and sees nothing that writes. */
const readRules = {
  files: ['src/collection/{reads,searches}.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex:
              '/(write|modules|auth|http)/|/(storage/document-writer|changes|readiness|learning|words-on-demand)\\.ts$',
            message: 'What only reads sees nothing that writes.',
          },
        ],
      },
    ],
  },
};

const importRules = layers.map((layer) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `/(${[...layers.filter((l) => l !== layer && !allowed[layer].includes(l)), 'index\\.ts$'].join('|')})(/|$)`,
            message: `src/${layer} may import only: ${[layer, ...allowed[layer]].join(', ')}.`,
          },
          ...(layer === 'collection' ? [] : [onlyRpc]),
        ],
      },
    ],
  },
}));

/**
 * Within `query`, the rooms that operators stand on know neither operators nor what is made of them; and operators know
 * those rooms alone.
 */
const base = [
  {
    files: ['src/query/{order,regex,geo,text,index,sql}/**/*.ts', 'src/query/walk.ts'],
    forbidden: '/(operators|filter|plan)/',
    may: 'domain and one another',
  },
  {
    files: ['src/operators/**/*.ts'],
    forbidden: 'query/(filter|plan)/',
    may: 'domain and, of query, order, regex, geo, text, index, sql and walk',
  },
].map(({ files, forbidden, may }) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { regex: `/(${layersAbove.join('|')})/|${forbidden}`, message: `These files may import ${may}.` },
        ],
      },
    ],
  },
}));

/** The client runs elsewhere: it imports itself alone, and only the dashboard, which runs elsewhere too, imports it. */
const clientRules = [
  ['src/client/**/*.ts', '^(?!\\./[a-z-]+\\.ts$)', 'src/client stands alone: it imports its own files only.'],
  ['src/!(client|dashboard)/**/*.ts', '/(client|dashboard)/', 'src/client and src/dashboard run elsewhere.'],
  [
    'src/dashboard/**/*.{ts,tsx}',
    '^(\\.\\./)+(?!client/)(http|auth|modules|collection|schema|pipeline|query|operators|domain)/',
    'src/dashboard runs elsewhere: of src it imports the client alone.',
  ],
].map(([files, regex, message]) => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
}));

const CODE = ['**/*.ts', '**/*.tsx'];

const noEnums = { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' };

/** The names of the service's own types, and the prefix of those that pipelines make, stand in one table. */
const noTypeNames = ['Literal[value=/%/]', 'TemplateElement[value.raw=/%/]'].map((selector) => ({
  selector: selector.replace('%', String.raw`(^|[^A-Za-z0-9_-])(core\.[a-z]|agt\.($|[a-z]))`),
  message: 'src/domain/types.ts names the types: ask it.',
}));

export default tseslint.config(
  { ignores: ['node_modules', '.foredge', '.wrangler', '.assets', 'dist', 'coverage'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: CODE })),
  {
    files: CODE,
    languageOptions: {
      parserOptions: {
        project: ['./test/tsconfig.json', './src/dashboard/tsconfig.json'],
        tsconfigRootDir: new URL('..', import.meta.url).pathname,
      },
    },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      // Recurses for ever on recursive types such as Value.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // It takes a sixth of the time, and there are no enums here: neither `noEnums` nor the compiler lets one in.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-lone-blocks': 'error',
      'no-restricted-syntax': ['error', noEnums],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/domain/types.ts', 'src/client/**', 'src/dashboard/**'],
    rules: { 'no-restricted-syntax': ['error', noEnums, ...noTypeNames] },
  },
  {
    // They use the enums of the compiler.
    files: ['test/pcre2/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-enum-assignment': 'error' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  ...importRules,
  ...roomRules,
  readRules,
  ...base,
  ...clientRules,
);
