/** `GET …/usage` of an application: what it holds and what it has used, by type and by API key. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { OF_TYPE, type Requests, type TypeUsage } from '../../../collection/rpc/maintenance/usage.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isId, type DocumentId } from '../../../domain/ids.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import { isUnderQuotas } from '../../../domain/types/facts.ts';
import { memberOf } from '../../../domain/values/tree.ts';
import type { RequestContext } from '../../endpoint.ts';
import { inTurns } from '../../in-turns.ts';
import { within, typesInOrder } from '../transfer/types.ts';
import { handOn } from './requests.ts';

export const readUsage = within(async (inside) => {
  await handOn(inside.environment, inside.application);
  const registry = collectionOf(inside, CORE.typeRegistry);
  const counted = await registry.calls.requests();
  const requests = Object.entries(counted).filter(([name]) => !name.startsWith(OF_TYPE));
  const names = await namesOf(
    inside,
    requests.flatMap(([key]) => (isId(key) ? key : [])),
  );
  const types = await usageOfTypes(inside);
  const limited = types.filter(({ name }) => isUnderQuotas(name));
  const sum = (of: (usage: TypeUsage) => number) => limited.reduce((all, each) => all + of(each), 0);
  return ok({
    status: 200,
    document: {
      meta: {
        ...totalOf(requests.map(([, counted]) => counted)),
        documents: sum(({ documents }) => documents),
        bytes: sum(({ bytes }) => bytes),
        'api-keys': requests.map(([id, counted]) => ({
          id,
          name: names.get(id) ?? null,
          ...counted,
        })),
        types: types.map(({ rowsRead, rowsWritten, indexed, ...usage }) => ({
          ...usage,
          indexed: indexed.map(({ path, built }) => ({ path, built })),
          ...(counted[`${OF_TYPE}${usage.name}`] ?? { requests: 0, errors: 0 }),
          'rows-read': rowsRead,
          'rows-written': rowsWritten,
        })),
      },
    },
  });
});

function totalOf(all: readonly Requests[]): Requests {
  return {
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    errors: all.reduce((sum, { errors }) => sum + errors, 0),
  };
}

async function usageOfTypes(inside: RequestContext) {
  return inTurns(await typesInOrder(inside), async (name) => ({
    name,
    ...(await collectionOf(inside, name).calls.usage()),
  }));
}

/** The names of API keys that are there still. */
async function namesOf(
  inside: RequestContext,
  ids: readonly DocumentId[],
): Promise<ReadonlyMap<string, string>> {
  const request = { ids, limit: ids.length, units: LIMITS.answer, ...TRUSTED };
  const { documents } = await collectionOf(inside, CORE.apiKey).readMany(request);
  return new Map(
    documents.flatMap(({ id, attributes }) => {
      const name = memberOf(attributes, 'name');
      return typeof name === 'string' ? [[id, name]] : [];
    }),
  );
}
