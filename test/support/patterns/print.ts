/** The text of a pattern's tree, in the syntax of PCRE. */
import type { Condition, Tree } from './tree.ts';

type Repeat = Extract<Tree, { readonly kind: 'repeat' }>;

/** Characters that a tree holds and a pattern cannot hold as they are. */
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };

export function printed(tree: Tree): string {
  return new Printer(namesIn(tree)).print(tree);
}

/** The numbers of the groups that have names. */
function namesIn(tree: Tree, found = new Set<number>()): ReadonlySet<number> {
  JSON.stringify(tree, (_key, value: unknown) => {
    if (isNamed(value)) found.add(value.number);
    return value;
  });
  return found;
}

function isNamed(value: unknown): value is { readonly number: number } {
  return typeof value === 'object' && value !== null && 'named' in value && value.named === true;
}

class Printer {
  readonly #names: ReadonlySet<number>;
  /** The number of the group opened last: relative references count from it. */
  #opened = 0;

  constructor(names: ReadonlySet<number>) {
    this.#names = names;
  }

  print(tree: Tree): string {
    switch (tree.kind) {
      case 'char':
        return ESCAPES[tree.char] ?? tree.char;
      case 'set':
        return `[${tree.negated ? '^' : ''}${tree.chars.map((char) => ESCAPES[char] ?? char).join('')}]`;
      case 'dot':
        return '.';
      case 'linebreak':
        return '\\R';
      case 'anchor':
        return tree.anchor;
      case 'sequence':
        return tree.items.map((item) => this.print(item)).join('');
      case 'choice':
        return `(?:${tree.branches.map((branch) => this.print(branch)).join('|')})`;
      case 'reset':
        return this.#reset(tree.branches);
      case 'capture':
        this.#opened = tree.number;
        return `(${tree.named ? `?<n${tree.number}>` : ''}${this.print(tree.body)})`;
      case 'fold':
        return `(?i:${this.print(tree.body)})`;
      case 'repeat':
        return this.#item(tree) + quantifier(tree);
      case 'look':
        return `(?${tree.behind ? '<' : ''}${tree.negative ? '!' : '='}${this.#branches(tree.body)})`;
      case 'atomic':
        return `(?>${this.print(tree.body)})`;
      case 'backreference':
        return this.#backreference(tree.group, tree.writing);
      case 'call':
        return this.#call(tree.group, tree.writing);
      case 'condition': {
        const test = this.#condition(tree.test);
        const yes = this.print(tree.yes);
        return `(?${test}${yes}${tree.no ? `|${this.print(tree.no)}` : ''})`;
      }
      case 'define':
        return `(?(DEFINE)${this.print(tree.body)})`;
    }
  }

  #reset(branches: readonly Tree[]): string {
    const first = this.#opened;
    const texts: string[] = [];
    let most = first;
    for (const branch of branches) {
      this.#opened = first;
      texts.push(this.print(branch));
      most = Math.max(most, this.#opened);
    }
    this.#opened = most;
    return `(?|${texts.join('|')})`;
  }

  /** The body of a lookbehind: a choice there is bare, since only branches at the top may differ in length. */
  #branches(tree: Tree): string {
    if (tree.kind !== 'choice') return this.print(tree);
    return tree.branches.map((branch) => this.print(branch)).join('|');
  }

  /**
   * What a quantifier may follow. Calls with a possessive one stand in parentheses: of `(?1){2,}+` PCRE2 10.42 enters
   * the first turns again.
   */
  #item({ body, mode }: Repeat): string {
    const bare = !['sequence', 'anchor', 'repeat', 'define', 'look', 'fold', 'backreference'].includes(
      body.kind,
    );
    const takes = bare && !(body.kind === 'call' && mode === 'possessive');
    return takes ? this.print(body) : `(?:${this.print(body)})`;
  }

  #backreference(group: number, writing: number): string {
    const named = this.#names.has(group);
    if (named && writing % 2 === 1) return `\\k<n${group}>`;
    if (writing === 2 && group <= this.#opened) return `\\g{-${this.#opened - group + 1}}`;
    // Two digits are an octal number where so many groups have not begun yet.
    if (writing === 4 || group > 9) return `\\g{${group}}`;
    // In parentheses, so that no digit follows.
    return `(?:\\${group})`;
  }

  #call(group: number, writing: number): string {
    if (group === 0) return writing % 2 === 0 ? '(?R)' : '(?0)';
    if (this.#names.has(group) && writing % 2 === 1)
      return writing === 1 ? `(?&n${group})` : `(?P>n${group})`;
    if (writing === 2 && group <= this.#opened) return `(?-${this.#opened - group + 1})`;
    if (writing === 2) return `(?+${group - this.#opened})`;
    return writing === 4 ? `\\g<${group}>` : `(?${group})`;
  }

  #condition(test: Condition): string {
    if (test.kind === 'look') return this.print(test);
    if (test.kind === 'called') return test.group === undefined ? '(R)' : `(R${test.group})`;
    return this.#names.has(test.group) ? `(<n${test.group}>)` : `(${test.group})`;
  }
}

function quantifier({ min, max, mode }: Repeat): string {
  const counts: Readonly<Record<string, string>> = { '0,': '*', '1,': '+', '0,1': '?' };
  const key = `${min},${max ?? ''}`;
  const count = counts[key] ?? (min === max ? `{${min}}` : `{${key}}`);
  return count + { greedy: '', lazy: '?', possessive: '+' }[mode];
}
