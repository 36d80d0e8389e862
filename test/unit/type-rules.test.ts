/** Stored settings of types that cannot be read, as after a return to an earlier release: they let nothing pass. */
import { expect, test } from 'vitest';
import { Policy } from '../../src/collection/rpc/rules.ts';
import { TypeRules } from '../../src/collection/write/rules/type-rules.ts';
import { NO_SETTINGS, type TypeSettings } from '../../src/domain/types/settings.ts';
import { idOf, typeOf } from '../support/names.ts';

const document = { id: idOf('a'.repeat(24)), body: '{"n":1}', auditFields: '1 1 ', relationships: null };
const write = { type: typeOf('things'), before: document, now: 1 };

function rulesOf(settings: Partial<TypeSettings>): TypeRules {
  return new TypeRules({
    settings: { current: { ...NO_SETTINGS, ...settings } },
    records: { find: () => undefined },
    expiries: { has: () => false },
  });
}

test.each([
  ['no JSON', '{'],
  ['no list', '{}'],
  ['no check', '[1]'],
  ['an event that there is not', '[{"name": "a", "on": ["read"], "filter": {}}]'],
  ['an operator that there is not', '[{"name": "a", "filter": {"n": {"$will": 1}}}]'],
  ['an expression that there is not', '[{"name": "a", "filter": {"$expr": {"$will": 1}}}]'],
  ['a member that there is not', '[{"name": "a", "filter": {"n": 1}, "unless": {}}]'],
])('checks: %s', (_, checks) => {
  const rules = rulesOf({ checks });
  rules.begin(null);
  expect(rules.violated(new Policy(), null, { ...write, after: document })).toHaveLength(1);
});

test.each([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['an expression that there is not', '{"total": {"$will": 1}}'],
  ['a default of another form', '{"total": {"value": 1, "unless": "old"}}'],
])('set: %s', (_, set) => {
  const rules = rulesOf({ set });
  rules.begin(null);
  expect(rules.computed(document, { ...write, ...document }, () => true).ok).toBe(false);
});

test('what no request writes is neither judged nor computed', () => {
  const rules = rulesOf({ checks: '{', set: '{' });
  expect(rules.violated(new Policy(), null, { ...write, after: document })).toEqual([]);
  expect(rules.computed(document, { ...write, ...document }, () => true)).toEqual({
    ok: true,
    value: document,
  });
});
