/** The placement of an application: what its id says, and where its objects are looked up. */
import { describe, expect, test } from 'vitest';
import { type Environment, hasJurisdictions } from '../../src/collection/rpc/environment.ts';
import { stubOf } from '../../src/collection/rpc/objects.ts';
import { nextId } from '../../src/collection/storage/ids.ts';
import {
  PLACEMENT_NAMES,
  placedId,
  placementOf,
  readPlacement,
  type Placement,
} from '../../src/domain/applications/placements.ts';
import { applicationId, typeOf } from '../support/names.ts';

const NOW = Date.parse('2026-11-22T03:17:00Z');

function placementNamed(name: string): Placement {
  const read = readPlacement(name);
  if ('fault' in read) throw new Error(read.fault);
  return read.placement;
}

describe('an id says the placement', () => {
  test.each(PLACEMENT_NAMES)('%s', (name) => {
    const placement = placementNamed(name);
    const id = placedId(placement, NOW);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(parseInt(id.slice(0, 8), 16) * 1000).toBe(NOW);
    expect(placementOf(id)).toEqual(placement);
    expect(Object.values(placement)).toEqual([name]);
  });

  test('none that a collection makes says one', () => {
    for (const random of [0n, 1n << 63n, (1n << 64n) - 1n, 0x8fff_ffff_ffff_ffffn]) {
      expect(placementOf(nextId(null, NOW / 1000, BigUint64Array.of(random)))).toBeUndefined();
    }
    expect(placementOf('system')).toBeUndefined();
    expect(placementOf(`${'0'.repeat(8)}8f${'0'.repeat(14)}`)).toBeUndefined();
  });

  // What ids have said once, they say for ever.
  test('with the codes that there have always been', () => {
    const codes = PLACEMENT_NAMES.map((name) => placedId(placementNamed(name), NOW).slice(8, 10));
    expect(Object.fromEntries(PLACEMENT_NAMES.map((name, at) => [name, codes[at]]))).toEqual({
      eu: '80',
      fedramp: '81',
      'fedramp-high': '82',
      us: '83',
      wnam: '84',
      enam: '85',
      sam: '86',
      weur: '87',
      eeur: '88',
      apac: '89',
      'apac-ne': '8a',
      'apac-se': '8b',
      oc: '8c',
      afr: '8d',
      me: '8e',
    });
  });
});

test.each([
  ['europe', 'There is no placement europe.'],
  [1, 'A placement is one of eu,'],
  ['toString', 'There is no placement toString.'],
])('%s is no placement', (value, fault) => {
  expect(readPlacement(value)).toEqual({ fault: expect.stringContaining(fault) as unknown });
});

/** A namespace that notes what it is asked for; without jurisdictions it says what the runtime says. */
function namespace(jurisdictions: boolean) {
  const asked: unknown[] = [];
  const inside = (where: string) => ({
    idFromName: (name: string) => `${where}:${name}`,
    get: (id: string, options?: unknown) => asked.push([id, options]),
    jurisdiction: (name: string) => {
      if (!jurisdictions) throw new Error('Jurisdiction restrictions are not implemented in workerd.');
      return inside(name);
    },
  });
  // Of the bindings, only this much is used.
  return { environment: { COLLECTIONS: inside('any') } as unknown as Environment, asked };
}

describe('the objects of an application', () => {
  const type = typeOf('things');
  test.each([
    [true, 'eu', 'eu', undefined],
    [false, 'eu', 'any', undefined],
    [true, 'weur', 'any', { locationHint: 'weur' }],
  ])('with jurisdictions: %s, in %s: %s %j', (jurisdictions, name, where, options) => {
    const { environment, asked } = namespace(jurisdictions);
    expect(hasJurisdictions(environment.COLLECTIONS)).toBe(jurisdictions);
    const application = applicationId(placedId(placementNamed(name), NOW));
    stubOf(environment, { application, type });
    expect(asked).toEqual([[`${where}:${application}/things`, options]]);
  });

  test('are anywhere without a placement', () => {
    const { environment, asked } = namespace(true);
    const application = applicationId(nextId(null, NOW / 1000, BigUint64Array.of(5n)));
    stubOf(environment, { application, type });
    expect(asked).toEqual([[`any:${application}/things`, undefined]]);
  });
});
