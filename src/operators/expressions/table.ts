/** All expression operators by name. */
import type { Operators } from '../core/operator.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { ARRAYS } from './arrays.ts';
import { DATE_ARITHMETIC } from './dates/date-arithmetic.ts';
import { DATE_FORMS } from './dates/date-forms.ts';
import { DATE_PARTS } from './dates/date-parts.ts';
import { ITERATION } from './iteration.ts';
import { LOGIC } from './logic.ts';
import { OBJECTS } from './objects.ts';
import { OVER_ARRAYS } from './over-arrays.ts';
import { POWERS } from './powers.ts';
import { QUANTILES } from './quantiles.ts';
import { REGEX } from './regex.ts';
import { ROUNDING } from './rounding.ts';
import { SETS } from './sets.ts';
import { SPECIAL } from './special.ts';
import { STRINGS } from './strings.ts';
import { SUBSTRINGS } from './substrings.ts';
import { TRIGONOMETRY } from './trigonometry.ts';
import { TYPES } from './types.ts';

export const OPERATORS: Operators = {
  ...ARITHMETIC,
  ...ARRAYS,
  ...DATE_ARITHMETIC,
  ...DATE_FORMS,
  ...DATE_PARTS,
  ...ITERATION,
  ...LOGIC,
  ...OBJECTS,
  ...OVER_ARRAYS,
  ...POWERS,
  ...QUANTILES,
  ...REGEX,
  ...ROUNDING,
  ...SETS,
  ...SPECIAL,
  ...STRINGS,
  ...SUBSTRINGS,
  ...TRIGONOMETRY,
  ...TYPES,
};
