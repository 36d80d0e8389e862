/** Conditions on geometry as SQL over indexes of cells: which geometries may match, never fewer. */
import { isUnbounded, lookupOf, type GeoCondition } from '../filter/geometries.ts';
import { nameOfCells } from './cells.ts';
import type { FindIndex, PathIndex, SqlCondition, Translation } from './sql.ts';

/** True of the documents with a geometry at the path of an index of cells: what has entries there. */
export function anyGeometry({ id }: PathIndex): SqlCondition {
  return { text: 'documents.seq IN (SELECT seq FROM cells WHERE path = ?)', parameters: [id] };
}

export function translateGeo(condition: GeoCondition, find: FindIndex): Translation | null {
  const index = find(nameOfCells(condition.path));
  if (index === undefined) return null;
  if (condition.op === 'near' && isUnbounded(condition)) {
    // Each geometry is at some distance.
    return { ...anyGeometry(index), exact: true };
  }
  const { ranges, ancestors } = lookupOf(condition);
  const asked = [...ranges, ...ancestors.map((cell) => [cell, cell])];
  return {
    text: `documents.seq IN (SELECT cells.seq FROM json_each(?) AS asked CROSS JOIN cells
      ON cells.path = ? AND cells.cell BETWEEN asked.value ->> 0 AND asked.value ->> 1)`,
    parameters: [JSON.stringify(asked), index.id],
    exact: false,
  };
}
