/** The page of the extended-json profile, at the address that names it (JSON:API, Profiles). It needs no key. */
import { replyOf } from '../answer.ts';
import type { Reply } from '../headers.ts';

/** The path of the profile's address. */
export const EXTENDED_JSON = '/profiles/extended-json';

const RULES = [
  'In the attributes of resource objects, at any depth, a date is {"$date": "<ISO 8601, milliseconds, Z>"}, ' +
    'a 64-bit integer {"$numberLong": "<digits>"}, a 128-bit decimal {"$numberDecimal": "<digits>"} ' +
    'and an object id {"$oid": "<24 hexadecimal digits>"}.',
  'A 64-bit integer is one that is stored as such: beyond 32 bits, or sent in its wrapper.',
  'All else is plain JSON: strings, booleans, null, 32-bit integers without a fraction or an exponent, ' +
    'doubles with one (5.0). There is no wrapper for doubles.',
  'The values of an answer may be sent back as they came, in a request of any kind, and mean what they meant.',
  'A reader that makes 5 of 5.0 may send 5 in a PATCH: a number that is equal to a stored double leaves it as it is.',
  'The pipelines and parameters of aggregate definitions and the content of schemas are JSON of their own kind ' +
    'and are shown as they were sent.',
  'Types, ids, links and rights are as without the profile. ' +
    'The entity tags of the two representations differ under If-None-Match; If-Match takes either.',
];

export function profilePage(): Reply {
  return replyOf({
    status: 200,
    document: {
      meta: {
        profile: 'extended-json',
        description: 'Attributes in answers tell their kinds, by the wrappers that requests may have anyway.',
        use: 'Accept: application/vnd.api+json;profile="<the address of this page>"',
        rules: RULES,
      },
    },
  });
}
