/** JSON files of a project, which may have comments: what they say, where, and what is wrong with their text. */
import { readFileSync } from 'node:fs';
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  printParseErrorCode,
  stripComments,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { stepsOf } from '../../src/domain/pointer.ts';
import { Failure } from '../failure.ts';
import { isObject, type Json } from '../json-objects.ts';

export type Path = readonly (string | number)[];

/** Where a JSON pointer leads. */
export function pathIn(pointer: string): Path {
  return stepsOf(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** What is wrong in a file, and where; lines and columns begin at 1. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

export function faultText({ file, line, column, detail }: Fault): string {
  return `${file}:${line}:${column}  ${detail}`;
}

export function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Failure(faults.map(faultText).join('\n'));
}

export class JsonFile {
  readonly path: string;
  readonly text: string;
  readonly faults: readonly Fault[];
  /** Empty where it has faults. */
  readonly content: Json;
  readonly #tree: Node | undefined;
  readonly #first: number;

  /** `first`: the line at which the text begins in the file. */
  constructor(path: string, text = readFileSync(path, 'utf8').replace(/^\ufeff/, ''), first = 1) {
    this.path = path;
    this.text = text;
    this.#first = first;
    const errors: ParseError[] = [];
    let what = 'This must be a JSON object.';
    try {
      this.#tree = parseTree(this.text, errors);
    } catch {
      // The parser calls itself for each level.
      what = 'The JSON nests too many levels.';
    }
    const faults = errors.map(({ error, offset }) => this.#faultAt(offset, wordsOf(error)));
    const root = this.#tree?.type === 'object' ? [] : [this.#faultAt(0, what)];
    this.faults = faults.length > 0 ? faults : [...root, ...(this.#tree ? this.#faultsIn(this.#tree) : [])];
    const parsed: unknown = this.faults.length > 0 ? {} : JSON.parse(stripComments(this.text));
    this.content = isObject(parsed) ? parsed : {};
  }

  /** A fault at a place, or at the nearest one around it that is there. */
  fault(path: Path, detail: string): Fault {
    const found = this.#tree && findNodeAtLocation(this.#tree, [...path]);
    if (found === undefined && path.length > 0) return this.fault(path.slice(0, -1), detail);
    return this.#faultAt(found?.offset ?? 0, detail);
  }

  /** The text with other members, undefined for those to be taken away; all else stays, comments too. */
  with(members: Json): string {
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    return Object.entries(members).reduce(
      (text, [name, value]) => applyEdits(text, modify(text, [name], value, { formattingOptions })),
      this.text,
    );
  }

  /** What JSON allows and nobody means: a name said twice, and numbers whose digits would be lost. */
  #faultsIn(node: Node): readonly Fault[] {
    const { type, children = [] } = node;
    const value: unknown = node.value;
    const inside = children.flatMap((child) => this.#faultsIn(child));
    if (type === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return [this.#faultAt(node.offset, 'The number has more digits than can be kept here.')];
    }
    if (type !== 'object') return inside;
    const names = children.flatMap(({ children: [name] = [] }) => name ?? []);
    const twice = names.filter((name, at) => names.findIndex((each) => each.value === name.value) < at);
    return [
      ...twice.map(({ offset, value: name }) => this.#faultAt(offset, `The member ${name} is said twice.`)),
      ...inside,
    ];
  }

  #faultAt(offset: number, detail: string): Fault {
    const before = this.text.slice(0, offset).split('\n');
    const line = this.#first + before.length - 1;
    return { file: this.path, line, column: (before.at(-1)?.length ?? 0) + 1, detail };
  }
}

/** `CloseBraceExpected` in words. */
function wordsOf(error: ParseError['error']): string {
  const [first = '', ...words] = printParseErrorCode(error).split(/(?=[A-Z])/);
  return `${[first, ...words.map((word) => word.toLowerCase())].join(' ')}.`;
}
