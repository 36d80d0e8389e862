/** Rules that the linter lacks: imports, names of the service's own types, the length of lines. It loads this. */
import { dirname, relative, resolve, sep } from 'node:path';
import { LAWS } from './import-laws.ts';

/** What the linter gives a rule, as far as these ask. */
interface Context {
  readonly cwd: string;
  readonly filename: string;
  readonly sourceCode: { readonly lines: readonly string[] };
  report(found: { readonly node: unknown; readonly loc?: object; readonly message: string }): void;
}
interface Importing {
  readonly source: { readonly value?: unknown } | null;
}
interface Text {
  readonly value: unknown;
}
interface Template {
  readonly value: { readonly raw: string };
}

const imports = {
  create(context: Context) {
    const fromRoot = (path: string): string => relative(context.cwd, path).split(sep).join('/');
    const file = fromRoot(context.filename);
    const laws = LAWS.filter((law) => law.in.test(file));
    const check = (node: Importing): void => {
      const name = node.source?.value;
      if (typeof name !== 'string') return;
      const path = name.startsWith('.') ? fromRoot(resolve(dirname(context.filename), name)) : name;
      for (const { never, says } of laws) if (never.test(path)) context.report({ node, message: says });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

const TYPE_NAME = /(^|[^A-Za-z0-9_-])(core\.[a-z]|agt\.($|[a-z]))/;
const message = 'src/domain/types.ts names the types: import them.';

/** The names of the service's own types, and the prefix of those that pipelines make, stand in one table. */
const typeNames = {
  create: (context: Context) => ({
    Literal(node: Text) {
      if (typeof node.value === 'string' && TYPE_NAME.test(node.value)) context.report({ node, message });
    },
    TemplateElement(node: Template) {
      if (TYPE_NAME.test(node.value.raw)) context.report({ node, message });
    },
  }),
};

const COLUMNS = 120;

/** The formatter breaks code, but neither comments nor texts. */
const maxLine = {
  create: (context: Context) => ({
    Program(node: unknown) {
      for (const [index, { length }] of context.sourceCode.lines.entries()) {
        if (length <= COLUMNS) continue;
        const loc = { start: { line: index + 1, column: COLUMNS }, end: { line: index + 1, column: length } };
        context.report({ node, loc, message: `A line has at most ${COLUMNS} columns.` });
      }
    },
  }),
};

export default {
  meta: { name: 'foredge' },
  rules: { imports, 'max-line': maxLine, 'type-names': typeNames },
};
