/**
 * All filter cases, by families of operators: what users of MongoDB's query language expect, in our own words. Add
 * a case where behaviour is in doubt; it then runs on the matcher and through HTTP. Of what the oracle decides at
 * random (property/filter), examples are here.
 */
import type { FilterCase } from './filter-case.ts';
import { ARRAY_CASES } from './filter-cases-arrays.ts';
import { EQUALITY_CASES } from './filter-cases-equality.ts';
import { GEO_CASES } from './filter-cases-geo.ts';
import { KIND_CASES } from './filter-cases-kinds.ts';
import { LOGIC_CASES } from './filter-cases-logic.ts';
import { ORDER_CASES } from './filter-cases-order.ts';
import { PATH_CASES } from './filter-cases-paths.ts';
import { TEXT_CASES } from './filter-cases-text.ts';

export const FILTER_CASES: readonly FilterCase[] = [
  ...EQUALITY_CASES,
  ...ORDER_CASES,
  ...PATH_CASES,
  ...ARRAY_CASES,
  ...LOGIC_CASES,
  ...KIND_CASES,
  ...TEXT_CASES,
  ...GEO_CASES,
];
