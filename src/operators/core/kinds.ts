/** MongoDB's kinds by number and alias, each with the kind here; null for those that no document here holds. */
import type { ValueKind } from '../../domain/values/values.ts';

export const KINDS: readonly (readonly [number: number, alias: string, kind: ValueKind | null])[] = [
  [1, 'double', 'double'],
  [2, 'string', 'string'],
  [3, 'object', 'object'],
  [4, 'array', 'array'],
  [5, 'binData', null],
  [6, 'undefined', null],
  [7, 'objectId', 'objectId'],
  [8, 'bool', 'bool'],
  [9, 'date', 'date'],
  [10, 'null', 'null'],
  [11, 'regex', null],
  [12, 'dbPointer', null],
  [13, 'javascript', null],
  [14, 'symbol', null],
  [15, 'javascriptWithScope', null],
  [16, 'int', 'int'],
  [17, 'timestamp', null],
  [18, 'long', 'long'],
  [19, 'decimal', 'decimal'],
  [-1, 'minKey', null],
  [127, 'maxKey', null],
];
