/**
 * Where the objects of an application are: in a jurisdiction, which they never leave, or near a region, as far as the
 * platform can do that. It is a part of the application's id: whoever has the id finds the objects without asking, and
 * nothing can change it. A leaf without I/O.
 */
import { idOfSecond, type DocumentId } from '../ids.ts';
import { unknownName } from '../names.ts';
import type { Value } from '../values/values.ts';

/** The attribute of an application that names its placement. */
export const PLACEMENT = 'placement';

/** The code of each name stands in ids for ever. */
const CODES = {
  eu: '0',
  fedramp: '1',
  'fedramp-high': '2',
  us: '3',
  wnam: '4',
  enam: '5',
  sam: '6',
  weur: '7',
  eeur: '8',
  apac: '9',
  'apac-ne': 'a',
  'apac-se': 'b',
  oc: 'c',
  afr: 'd',
  me: 'e',
} as const;

const JURISDICTIONS = ['eu', 'fedramp', 'fedramp-high', 'us'] as const;

type PlacementName = keyof typeof CODES;
type Jurisdiction = (typeof JURISDICTIONS)[number];
type Region = Exclude<PlacementName, Jurisdiction>;

export type Placement = { readonly jurisdiction: Jurisdiction } | { readonly region: Region };

export const PLACEMENT_NAMES: readonly string[] = Object.keys(CODES);

const BY_CODE: ReadonlyMap<string, Placement> = new Map(
  PLACEMENT_NAMES.filter(isPlacement).map((name) => [
    CODES[name],
    isJurisdiction(name) ? { jurisdiction: name } : { region: name },
  ]),
);

/**
 * The digit after the seconds of an id that has a placement, whose code follows. The ids that collections make have a
 * smaller one there (`nextId`), so that no other application has a placement.
 */
const PLACED = '8';
const PLACED_AT = 8;

/** The placement that the id of an application says; undefined for none. */
export function placementOf(application: string): Placement | undefined {
  // Every request comes here: most end at this digit.
  return application[PLACED_AT] === PLACED && application.length === 24
    ? BY_CODE.get(application[PLACED_AT + 1] ?? '')
    : undefined;
}

/** A new id of an application with a placement. */
export function placedId(placement: Placement, now: number): DocumentId {
  const code = CODES['region' in placement ? placement.region : placement.jurisdiction];
  const rest = `${PLACED}${code}${crypto.getRandomValues(new Uint8Array(7)).toHex()}`;
  return idOfSecond(Math.floor(now / 1000), rest);
}

/** The placement of a name, or what is wrong with it. */
export function readPlacement(value: Value): { readonly placement: Placement } | { readonly fault: string } {
  if (typeof value === 'string' && isPlacement(value)) {
    return { placement: isJurisdiction(value) ? { jurisdiction: value } : { region: value } };
  }
  return {
    fault:
      typeof value === 'string'
        ? unknownName(value, { what: 'placement', names: PLACEMENT_NAMES })
        : `A placement is one of ${PLACEMENT_NAMES.join(', ')}.`,
  };
}

function isPlacement(name: string): name is PlacementName {
  return Object.hasOwn(CODES, name);
}

function isJurisdiction(name: PlacementName): name is Jurisdiction {
  return (JURISDICTIONS as readonly string[]).includes(name);
}
