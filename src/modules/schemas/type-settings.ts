/** The kind of settings of types (docs/types.md). */
import { unknownName } from '../../domain/names.ts';
import { placeOf, pointerOf, within, type Report } from '../../domain/pointer.ts';
import { TOLD } from '../../domain/limits.ts';
import type { Problem } from '../../domain/problems.ts';
import { secretFields } from '../../domain/secrets.ts';
import { readTypeSettings, SETTING_NAMES } from '../../domain/types/settings.ts';
import { CORE } from '../../domain/types.ts';
import { typeInfo } from '../../domain/types/facts.ts';
import { GIVEN, givenThrough } from '../../domain/types/rights.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { isFields, type Fields } from '../../domain/values/values.ts';
import { readChecks } from '../../operators/settings/checks.ts';
import { countersOf, readCount, type Counter } from '../../operators/settings/count.ts';
import { readSet } from '../../operators/settings/set.ts';
import { checked, faultAt, faultOfTarget } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { askedBy, type StoredRule } from '../documents/rights/stored-rules.ts';

export const TYPE_SETTINGS: DocumentKind = {
  raw: { checks: 'whole', set: 'whole', count: 'whole' },
  // Which settings a type may have depends on its name.
  validatesWhole: true,

  validate: ({ attributes }, whole, current) => {
    // Without the document a PATCH cannot be checked here: the write will report it.
    if (!whole && current === null) return [];
    const after = { ...current, ...attributes };
    return [...checkName(after, current), ...checkKnown(attributes), ...checkSettings(after)];
  },

  rules: ({ attributes }, current) => {
    const { checks, set, count, rights = null, name } = { ...current, ...attributes };
    const concerns = (type: string) => type === name;
    const textOf = (value: unknown) => (typeof value === 'string' && value !== 'null' ? value : undefined);
    const [ofChecks, ofSet, ofCount] = [textOf(checks), textOf(set), textOf(count)];
    const relationships = [
      ...(ofChecks === undefined ? [] : readChecks(ofChecks, () => undefined)).flatMap(
        ({ filter, expression, at }) => [
          { rule: filter, at },
          { rule: expression && askedBy(expression, expression.constant), at: `${at}/$expr` },
        ],
      ),
      ...(ofSet === undefined ? [] : readSet(ofSet, () => undefined)).map(({ expression, at }) => ({
        rule: expression && askedBy(expression, null),
        at,
      })),
    ];
    const own = relationships.flatMap(({ rule, at }) =>
      rule === null
        ? []
        : {
            rule,
            pointer: `/data/attributes${at}`,
            follows: true as const,
            concerns,
          },
    );
    const ofRights = GIVEN.flatMap((given) => {
      const entries = isFields(rights) ? (rights[given] ?? null) : null;
      return (isList(entries) ? entries : []).flatMap((entry, index) => {
        const through = typeof entry === 'string' ? givenThrough(entry, given) : null;
        return through === null
          ? []
          : askedOfLinks(through.name, pointerOf(placeOf('rights', given, index)), concerns);
      });
    });
    return [...own, ...ofRights, ...countersOf({ count: ofCount ?? null }).flatMap(askedByCounter)];
  },
};

/** That documents have a relationship, which is not followed. */
function askedOfLinks(name: string, at: string, concerns: StoredRule['concerns']): StoredRule {
  const names = [{ path: [name], linked: null, isFollowable: true, place: null }];
  return {
    rule: { parts: [], names, diagnostics: [] },
    pointer: `/data/attributes${at}`,
    isOfLinks: true,
    concerns,
  };
}

/** What a counter asks of the documents that it counts: no links are followed. */
function askedByCounter({ type, by, where, at }: Counter): readonly StoredRule[] {
  const concerns = (each: string) => each === type;
  return [
    askedOfLinks(by, `${at}/by`, concerns),
    ...(where === null ? [] : [{ rule: where, pointer: `/data/attributes${at}/where`, concerns }]),
  ];
}

function checkName(after: Fields, current: Fields | null): readonly Problem[] {
  return checked(CORE.typeSettings, after, true, {
    name: (name) => {
      const isOther = current !== null && memberOf(current, 'name') !== name;
      const stays = isOther ? 'The settings of a type stay with it: the name never changes.' : undefined;
      return faultOfTarget('The name must be that of', name) ?? stays;
    },
  });
}

function checkKnown(attributes: Fields): readonly Problem[] {
  return Object.keys(attributes)
    .filter((name) => !SETTING_NAMES.includes(name))
    .slice(0, TOLD.inBody)
    .map((name) => {
      const detail = unknownName(name, { what: 'setting', names: SETTING_NAMES.slice(1) });
      return faultAt(pointerOf(placeOf(name)), detail);
    });
}

/** Settings that a type of the service cannot have: its documents carry rights and credentials of others. */
const OF_RESOURCES = ['expires', 'client-ids', 'set', 'count', 'history'];

/** Settings of what has content. */
const OF_FILES = ['sizes', 'keep-metadata', 'bytes-per-user'];

function checkSettings(after: Fields): readonly Problem[] {
  const problems: Problem[] = [];
  const report: Report = (place, detail) => {
    problems.push(faultAt(pointerOf(place), detail));
  };
  const { inverses, unique, checks, set, count, viewer } = readTypeSettings(after, report);
  const reportIn = (name: string): Report => {
    return (place, detail) => {
      report(within(placeOf(name), place), detail);
    };
  };
  if (checks !== null) readChecks(checks, reportIn('checks'), viewer);
  const computed = set === null ? [] : readSet(set, reportIn('set'), viewer);
  const taken = [...computed.map((field) => field.name), ...Object.keys(inverses)];
  if (count !== null) readCount(count, reportIn('count'), taken);
  const name = memberOf(after, 'name');
  if (typeof name !== 'string') return problems;
  const { below = [], hasContent = false, module } = typeInfo(name);
  for (const each of hasContent ? [] : OF_FILES) {
    if ((memberOf(after, each) ?? null) !== null)
      report(placeOf(each), `Only ${CORE.file} can have the setting ${each}.`);
  }
  if (module === 'resources') return problems;
  for (const [index, list] of unique.entries()) {
    for (const [position, path] of list.entries()) {
      if (!secretFields(name).some((secret) => path === secret || path.startsWith(`${secret}.`))) continue;
      // Who may write a document could find out what others have.
      report(placeOf('unique', index, position), 'A secret is not unique.');
    }
  }
  for (const inverse of Object.keys(inverses).filter((each) => below.includes(each))) {
    report(placeOf('inverses', inverse), 'Something else stands at the address of this name.');
  }
  const strange = OF_RESOURCES.filter((setting) => {
    if (hasContent && setting === 'expires') return false;
    const value = memberOf(after, setting) ?? null;
    return value !== null && value !== false && value !== 'null';
  });
  const own = strange.map((setting) =>
    faultAt(`/${setting}`, `Only types of resources can have the setting ${setting}.`),
  );
  return [...problems, ...own];
}
