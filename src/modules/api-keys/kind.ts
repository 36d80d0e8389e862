/** The kind of API keys (spec, API key). */
import { signerOf } from '../../auth/credentials.ts';
import { refreshKey } from '../../auth/keys.ts';
import { effortOfRequest, readPermissions } from '../../auth/permissions.ts';
import { RULE_FILTERS } from '../../auth/rules.ts';
import { showRawMembers } from '../documents/body/raw.ts';
import { inside, placeOf, pointerOf } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import { KEY_QUOTAS, readQuotas } from '../../domain/applications/quotas.ts';
import type { DocumentKind } from '../documents/kind.ts';
import type { StoredRule } from '../documents/stored-rules.ts';
import { memberOf } from '../../domain/values/tree.ts';

const PERMISSIONS = placeOf('data', 'attributes', 'permissions');

export const API_KEYS: DocumentKind = {
  rawMembers: { permissions: RULE_FILTERS },

  validate: ({ attributes }, whole) => {
    const problems: Problem[] = [];
    const at = (name: string) => placeOf('data', 'attributes', name);
    const name = memberOf(attributes, 'name');
    const permissions = memberOf(attributes, 'permissions');
    if (memberOf(attributes, 'secure-id') !== undefined) {
      problems.push(
        problem('read-only-member', 'The service makes the secure-id.', {
          pointer: pointerOf(at('secure-id')),
        }),
      );
    }
    if (name === undefined ? whole : typeof name !== 'string' || name === '') {
      problems.push(
        problem('invalid-attribute', 'The name must be a string that is not empty.', {
          pointer: pointerOf(at('name')),
        }),
      );
    }
    if (permissions !== undefined || whole) {
      problems.push(...readPermissions(permissions ?? null, at('permissions')).problems);
    }
    for (const { member, detail } of readQuotas(memberOf(attributes, 'quotas'), KEY_QUOTAS).faults) {
      const place = placeOf('data', 'attributes', 'quotas', ...(member === null ? [] : [member]));
      problems.push(problem('invalid-attribute', detail, { pointer: pointerOf(place) }));
    }
    return problems;
  },

  rules: ({ attributes }) => {
    const effort = effortOfRequest();
    const { permissions } = readPermissions(memberOf(attributes, 'permissions') ?? [], PERMISSIONS);
    return permissions.flatMap(({ rule, matches }) =>
      (['where', 'check'] as const).flatMap((name) => {
        const condition = rule?.[name] ?? null;
        if (rule === null || condition === null) return [];
        const concerns: StoredRule['concerns'] = (_, paths) => paths.some((path) => matches(path, effort));
        return [{ rule: condition, pointer: pointerOf(inside(rule.place, name)), concerns }];
      }),
    );
  },

  made: ['secure-id'],

  /** The secure-id is not stored: signing the key's id again gives the same text. */
  attributes: async (document, { application, environment }) => {
    const signer = await signerOf(environment);
    const secureId = await signer.sign({ kind: 'api-key', application, id: document.id });
    const shown = showRawMembers(document.attributes, 'permissions', RULE_FILTERS);
    return { ...shown, 'secure-id': secureId };
  },

  changed: (id, { environment, application }) => refreshKey(environment, application, id),
};
