/** Regular expressions that people wrote: the literals of JavaScript files, with text that stands near them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Written {
  readonly pattern: string;
  /** Those of its flags that are options here. */
  readonly options: string;
  readonly file: string;
  /** Strings and lines of the same file, the nearest first. */
  readonly near: readonly string[];
}

/** Larger files are bundles, whose parts are there in files of their own; and they take long to read. */
const LARGEST_FILE = 400_000;
const MOST_NEAR = 24;
const LONGEST_NEAR = 200;

/** The literals of all files in a folder, each pattern with the same options once. */
export function literalsIn(folder: string): readonly Written[] {
  const found = new Map<string, Written>();
  for (const file of filesIn(folder)) {
    for (const written of literalsOf(file)) {
      const key = `${written.options}/${written.pattern}`;
      if (!found.has(key)) found.set(key, written);
    }
  }
  return [...found.values()];
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size <= LARGEST_FILE)
    .sort();
}

function literalsOf(file: string): Written[] {
  const text = readFileSync(file, 'utf8');
  // Most files hold none, and reading one takes time.
  if (!/\/[^/*\s]/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const literals: { readonly at: number; readonly pattern: string; readonly options: string }[] = [];
  const strings: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const options = Array.from(node.text.slice(end + 1)).filter((flag) => 'ims'.includes(flag));
      literals.push({ at: node.end, pattern: node.text.slice(1, end), options: options.sort().join('') });
    } else if (ts.isStringLiteralLike(node)) {
      strings.push({ at: node.end, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (literals.length === 0) return [];
  const lines = linesOf(text);
  return literals.map(({ at, pattern, options }) => ({
    pattern,
    options,
    file,
    near: [...nearest(strings, at), ...nearest(lines, at)].filter((each) => each.isWellFormed()),
  }));
}

function linesOf(text: string): { readonly at: number; readonly text: string }[] {
  let at = 0;
  return text.split('\n').map((line) => {
    at += line.length + 1;
    return { at, text: line };
  });
}

function nearest(pieces: readonly { readonly at: number; readonly text: string }[], at: number): string[] {
  return pieces
    .toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))
    .slice(0, MOST_NEAR / 2)
    .map(({ text }) => text.slice(0, LONGEST_NEAR));
}
