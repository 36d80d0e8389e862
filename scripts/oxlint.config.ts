/**
 * The linter's rules: all that it counts as correctness, and those named here. `lint/plugin.ts` adds what it lacks.
 * Each folder's files are read with the types of the tsconfig.json that is nearest. Enums are the compiler's matter:
 * `erasableSyntaxOnly` lets none in.
 */
import { defineConfig } from 'oxlint';

/** For every file. */
const EVERY =
  'no-array-constructor no-case-declarations no-empty no-fallthrough no-lone-blocks no-prototype-builtins ' +
  'no-regex-spaces no-unexpected-multiline no-useless-assignment no-useless-constructor no-var prefer-const ' +
  'prefer-rest-params prefer-spread preserve-caught-error';

/** For JavaScript: what the compiler says of TypeScript. */
const SCRIPT = 'no-redeclare no-undef';

/** For TypeScript; most of them ask for types. */
const TYPED =
  'consistent-type-imports no-confusing-void-expression no-deprecated no-dynamic-delete no-empty-object-type ' +
  'no-explicit-any no-extraneous-class no-generated-empty-object-type no-invalid-void-type no-misused-promises ' +
  'no-mixed-enums no-namespace no-non-null-asserted-nullish-coalescing no-non-null-assertion no-require-imports ' +
  'no-unnecessary-boolean-literal-compare no-unnecessary-condition no-unnecessary-template-expression ' +
  'no-unnecessary-type-arguments no-unnecessary-type-assertion no-unnecessary-type-constraint ' +
  'no-unnecessary-type-conversion no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment ' +
  'no-unsafe-call no-unsafe-enum-comparison no-unsafe-function-type no-unsafe-member-access no-unsafe-return ' +
  'only-throw-error prefer-literal-enum-member prefer-promise-reject-errors prefer-reduce-type-parameter ' +
  'prefer-return-this-type related-getter-setter-pairs require-await unified-signatures ' +
  'use-unknown-in-catch-callback-variable';

const errors = (rules: string, plugin: string) =>
  Object.fromEntries(rules.split(' ').map((rule) => [`${plugin}/${rule}`, 'error' as const]));

export default defineConfig({
  ignorePatterns: ['node_modules', '.foredge', '.wrangler', '.assets', 'dist', 'coverage', '/types.ts'],
  plugins: ['typescript', 'import'],
  jsPlugins: ['./lint/plugin.ts'],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  // Circles of types are circles too: whoever reads one file must know the other.
  rules: {
    ...errors(EVERY, 'eslint'),
    'import/no-cycle': ['error', { ignoreTypes: false }],
    // The compiler knows what packages export.
    'import/default': 'off',
    // Texts are sorted as JavaScript does.
    'typescript/require-array-sort-compare': 'off',
  },
  overrides: [
    {
      files: ['**/*.{js,mjs}'],
      // A field of a form may be a file, as far as the types tell.
      rules: { ...errors(SCRIPT, 'eslint'), 'typescript/no-base-to-string': 'off' },
    },
    { files: ['**/*.mjs'], env: { node: true } },
    { files: ['**/assets/**/*.js'], env: { browser: true } },
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        ...errors(TYPED, 'typescript'),
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      },
    },
    {
      // A handler is one line: `onClick={() => setOpen(true)}`.
      files: ['**/src/dashboard/**'],
      rules: { 'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }] },
    },
    { files: ['**/{src,test}/**/*.{ts,tsx}'], rules: { 'foredge/imports': 'error' } },
    {
      files: ['**/{src,scripts,test}/**/*.{ts,tsx,mjs}'],
      // SQLite stores what creates a table, with its comments.
      excludeFiles: ['**/src/collection/storage/since-0-2.ts'],
      rules: { 'foredge/max-line': 'error' },
    },
    {
      files: ['**/src/**/*.ts'],
      excludeFiles: [
        '**/src/domain/types.ts',
        '**/src/client/**',
        '**/src/dashboard/**',
        '**/src/account/**',
      ],
      rules: { 'foredge/type-names': 'error' },
    },
  ],
});
