/** Conditions on geometry as SQL over indexes of cells: which geometries may match, never fewer. */
import { isUnbounded, lookupOf, type GeoCondition } from '../../operators/filter/geometries.ts';
import { nameOfCells } from './cells.ts';
import { among, type FindIndex, type PathIndex, type Translation } from './sql.ts';

/** Where all that has a geometry at the path of an index of cells is found: what has entries there. */
export function anyGeometry({ id }: PathIndex, exact: boolean): Translation {
  return among('SELECT DISTINCT seq FROM cells WHERE path = ?', [id], exact);
}

export function translateGeo(condition: GeoCondition, find: FindIndex): Translation | null {
  const index = find(nameOfCells(condition.path));
  if (index === undefined) return null;
  if (condition.op === 'near' && isUnbounded(condition)) {
    // Each geometry is at some distance.
    return anyGeometry(index, true);
  }
  const { ranges, ancestors } = lookupOf(condition);
  const asked = [...ranges, ...ancestors.map((cell) => [cell, cell])];
  return among(
    `SELECT DISTINCT cells.seq FROM json_each(?) AS asked CROSS JOIN cells
     ON cells.path = ? AND cells.cell BETWEEN asked.value ->> 0 AND asked.value ->> 1`,
    [JSON.stringify(asked), index.id],
    false,
  );
}
