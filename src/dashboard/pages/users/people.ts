/** Users, external users and their groups: what they are called, and who belongs where. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { nameOf } from '../../parts/names.tsx';
import { application, isOperator } from '../../session/credentials.ts';
import { change } from '../../session/documents.ts';
import { ask, askAsOperator, pathOfApplications } from '../../session/service.ts';

export const USER = 'core.user';
export const EXTERNAL_USER = 'core.external-user';
export const GROUP = 'core.user-group';

export type PersonType = typeof USER | typeof EXTERNAL_USER;

/** The words for a type of people: for all of them, and for one. */
export const PEOPLE = {
  [USER]: { all: 'Users', one: 'user' },
  [EXTERNAL_USER]: { all: 'External users', one: 'external user' },
} as const;

/** The types to choose a person from. */
export const PERSONS = [
  [USER, 'User'],
  [EXTERNAL_USER, 'External user'],
] as const;

export function calledOf(document: Pick<Resource, 'attributes'>): string {
  return nameOf(document) ?? 'Without a name';
}

/** Any change of a user ends all tokens of theirs; the operator has an endpoint for that. */
export async function endAllTokens(person: Link): Promise<void> {
  const open = application.value;
  if (!isOperator.value || open === undefined) return change(person, {});
  const path = pathOfApplications(open.id, 'users', person.type, person.id, 'tokens');
  await askAsOperator('DELETE', path);
}

/** Puts somebody into a group, or takes them out. */
export async function changeMembers(method: 'POST' | 'DELETE', group: string, member: Link): Promise<void> {
  await ask(method, pathOf(GROUP, group, 'relationships', 'users'), { body: { data: [member] } });
}
