/** The types of an application: those that its registry names. */
import { collectionOf } from '../../collection/rpc/client.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ok } from '../../domain/problems.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { CORE, keptType, type TypeName } from '../../domain/types.ts';
import { EVERYTHING } from '../../operators/filter/conditions.ts';
import type { Exchange } from '../endpoint.ts';

/** The exchange is one inside of the application. */
export async function typesOf(exchange: Exchange): Promise<readonly TypeName[]> {
  const registry = collectionOf(exchange, CORE.typeRegistry);
  const condition = encodeText(EVERYTHING);
  const types = new Set<TypeName>();
  for (let offset = 0; ; offset += LIMITS.pageSize) {
    const everything = {
      condition,
      sort: [],
      page: { offset, limit: LIMITS.pageSize, counted: false },
      ...TRUSTED,
      hidden: [],
    };
    const page = await registry.list(everything, (listed) => Promise.resolve(ok(listed)));
    if (!page.ok) throw new Error('The registry of types can not be read.');
    for (const { attributes } of page.value.documents) {
      const type = attributes['name'];
      if (typeof type === 'string') types.add(keptType(type));
    }
    if (!page.value.more) return [...types];
  }
}
