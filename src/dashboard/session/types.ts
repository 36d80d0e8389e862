/** The types of documents that an application has. */
import { application, isOperator } from './credentials.ts';
import { ask, askAsOperator, pathOfApplications } from './service.ts';

export interface StoredType {
  readonly name: string;
  /** Undefined where rights decide what is seen: then only a list can count. */
  readonly documents: number | undefined;
  /** Bytes on disk, for the operator. */
  readonly bytes: number | undefined;
}

/** The types, by name. The operator is told sizes as well. */
export async function readTypes(signal?: AbortSignal): Promise<readonly StoredType[]> {
  const open = application.value;
  if (open === undefined) return [];
  const { body } = isOperator.value
    ? await askAsOperator('GET', pathOfApplications(open.id, 'types'), { signal })
    : await ask('GET', '/resources', { signal });
  const types = (body.meta as { readonly types?: readonly Partial<StoredType>[] } | undefined)?.types ?? [];
  return types
    .map(({ name = '', documents, bytes }) => ({ name, documents, bytes }))
    .filter(({ name }) => !/^(core|agt)\./.test(name))
    .sort((one, other) => one.name.localeCompare(other.name));
}
