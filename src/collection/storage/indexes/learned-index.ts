/**
 * One index that a collection has learned: its entries for a document, how far it is built, how much work it has saved.
 */
import type { Fields } from '../../../domain/values/values.ts';
import { compileCells, pathOfCells, type CellEntries } from '../../../query/index/cells.ts';
import { compileColumns, fieldsOfColumns } from '../../../query/index/columns.ts';
import { compileEntries, isOwn, type PathEntries } from '../../../query/index/paths.ts';
import { worth, type Score } from './candidates.ts';

/** The use of an index is stored when it has grown by this factor, or after this number of milliseconds. */
const USE_GROWN = 1.25;
const USE_NOTED = 3_600_000;

export type IndexRow = {
  id: number;
  path: string;
  built: number;
  complete: number;
  exact: number;
  single: number;
  used: number;
  score: number;
  scored: number;
};

export interface LearnedIndex {
  readonly id: number;
  readonly path: string;
  /** What it holds of a document: values, cells or columns. */
  readonly entriesOf: ((document: Fields) => PathEntries) | null;
  readonly cellsOf: ((document: Fields) => CellEntries) | null;
  readonly columnsOf: ((document: Fields) => string | null) | null;
  built: number;
  complete: boolean;
  exact: boolean;
  single: boolean;
  used: number;
  /** The work that it saved, and the stored part of it. */
  score: Score;
  noted: Score;
}

/**
 * True for the name of an index on a path that no body holds: a search that used the empty index would find nothing.
 */
export function isOfOwn(name: string): boolean {
  return isOwn(pathOfCells(name) ?? name.split('.'));
}

/** Whether the use of an index should be stored. A clock that was set back is no reason to wait. */
export function isNews({ score, noted }: LearnedIndex, now: number): boolean {
  if (score === noted) return false;
  return worth(score, now) > USE_GROWN * worth(noted, now) || Math.abs(now - noted.at) >= USE_NOTED;
}

/** The entries of a document in an index of this name. */
export function extraction(name: string): Pick<LearnedIndex, 'entriesOf' | 'cellsOf' | 'columnsOf'> {
  const columns = fieldsOfColumns(name);
  if (columns !== undefined) return { entriesOf: null, cellsOf: null, columnsOf: compileColumns(columns) };
  const cells = pathOfCells(name);
  return cells === undefined
    ? { entriesOf: compileEntries(name.split('.')), cellsOf: null, columnsOf: null }
    : { entriesOf: null, cellsOf: compileCells(cells), columnsOf: null };
}

export function opened({ score, scored, ...row }: IndexRow): LearnedIndex {
  const noted = { value: score, at: scored };
  return {
    ...row,
    ...extraction(row.path),
    complete: row.complete === 1,
    exact: row.exact === 1,
    single: row.single === 1,
    score: noted,
    noted,
  };
}
