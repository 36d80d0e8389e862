/** The kind of API keys (spec, API key). */
import { signerOf } from '../../auth/credentials.ts';
import { refreshKey } from '../../auth/keys.ts';
import { effortOfRequest, readPermissions } from '../../auth/permissions.ts';
import { RULE_FILTERS } from '../../auth/rules.ts';
import { inside, placeOf, pointerOf } from '../../domain/pointer.ts';
import { CORE } from '../../domain/types.ts';
import { KEY_QUOTAS } from '../../domain/applications/quotas.ts';
import { checked, faultsOfName, faultsOfQuotas } from '../documents/attributes.ts';
import type { DocumentKind } from '../documents/kind.ts';
import { askedBy, type StoredRule } from '../documents/rights/stored-rules.ts';
import { memberOf } from '../../domain/values/tree.ts';

const SECURE_ID = 'secure-id';
const PERMISSIONS = placeOf('data', 'attributes', 'permissions');

export const API_KEYS: DocumentKind = {
  raw: { permissions: RULE_FILTERS },

  validate: ({ attributes }, whole) => {
    const permissions = memberOf(attributes, 'permissions');
    return [
      ...checked(CORE.apiKey, attributes, whole, { [SECURE_ID]: () => 'The service makes the secure-id.' }),
      ...faultsOfName(attributes, whole),
      ...(permissions === undefined && !whole
        ? []
        : readPermissions(permissions ?? null, PERMISSIONS).problems),
      ...faultsOfQuotas(attributes, KEY_QUOTAS),
    ];
  },

  rules: ({ attributes }) => {
    const effort = effortOfRequest();
    const { permissions } = readPermissions(memberOf(attributes, 'permissions') ?? [], PERMISSIONS);
    return permissions.flatMap(({ rule, matches }) => {
      if (rule === null) return [];
      const { place, where, check, expressed } = rule;
      const [inWhere, inCheck] = [inside(place, 'where'), inside(place, 'check')];
      const concerns: StoredRule['concerns'] = (_, paths) => paths.some((path) => matches(path, effort));
      const expression = expressed && askedBy(expressed.expression, expressed.expression.constant);
      return [
        { condition: where, at: inWhere },
        { condition: check, at: inCheck },
        { condition: expression, at: inside(inCheck, '$expr') },
      ].flatMap(({ condition, at }) =>
        condition === null
          ? []
          : { rule: condition, pointer: pointerOf(at), concerns, follows: true as const },
      );
    });
  },

  made: [SECURE_ID],

  /** The secure-id is not stored: signing the key's id again gives the same text. */
  attributes: async (document, { application, environment }) => {
    const signer = await signerOf(environment);
    const secureId = await signer.sign({ kind: 'api-key', application, id: document.id });
    return { ...document.attributes, [SECURE_ID]: secureId };
  },

  changed: (id, { environment, application }) => refreshKey(environment, application, id),
};
