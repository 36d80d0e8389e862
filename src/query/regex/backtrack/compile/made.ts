/** State that the makers of steps share. */
import type { Lengths } from '../../analysis/lengths.ts';
import type { Node, OneCharacter } from '../../tree.ts';
import type { CodeSet } from '../../unicode/code-set.ts';
import type { Assembly, Label } from '../program.ts';

export interface CompileOptions {
  readonly groups: number;
  /** The match must take the whole subject. */
  readonly whole: boolean;
  readonly dialect: 'pcre' | 'ecma';
  readonly mayBeEmpty: 'always' | 'not-at-start' | 'never';
}

/** The surroundings of a node: its direction, and the targets of verbs. */
export interface Around {
  /** From its end to its start, as ECMAScript reads the body of a lookbehind. */
  readonly back: boolean;
  /** The end of the lookaround that it is in. */
  readonly lookEnd: Label | null;
  /** The groups that are open, up to that lookaround. */
  readonly open: readonly number[];
  /** The register of the alternative that it is in. */
  readonly alternative: number | null;
  /** The unit with which what follows must begin, or -1. */
  readonly follow: number;
  /** The registers of the loops around it whose turns may take nothing, from the inmost. */
  readonly turns: readonly number[];
}

export interface Made {
  readonly out: Assembly;
  readonly options: CompileOptions;
  readonly ecma: boolean;
  /** The program notes where it was, so that it does nothing twice. */
  readonly memo: boolean;
  readonly lengths: Lengths;
  readonly marks: Map<string, number>;
  node(node: Node, around: Around): void;
  setOf(node: OneCharacter): CodeSet;
  /** Makes a step that notes that the search was here: where several steps lead. */
  once(around: Around): void;
}
