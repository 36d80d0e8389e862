/**
 * The linter's rules. `lint/plugin.ts` adds those that it lacks. Each folder's files are read with the types of the
 * tsconfig.json that is nearest. Enums are the compiler's matter: `erasableSyntaxOnly` lets none in.
 */
import { defineConfig } from 'oxlint';
import { EVERY, SCRIPT, TYPED } from './lint/rules.ts';

const errors = (rules: readonly string[], plugin: string) =>
  Object.fromEntries(rules.map((rule) => [`${plugin}/${rule}`, 'error' as const]));

export default defineConfig({
  ignorePatterns: ['node_modules', '.foredge', '.wrangler', '.assets', 'dist', 'coverage', '/types.ts'],
  plugins: ['typescript', 'import'],
  jsPlugins: ['./lint/plugin.ts'],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  // Circles of types are circles too: whoever reads one file must know the other.
  rules: { ...errors(EVERY, 'eslint'), 'import/no-cycle': ['error', { ignoreTypes: false }] },
  overrides: [
    {
      files: ['**/*.{js,mjs}'],
      rules: errors(SCRIPT, 'eslint'),
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
