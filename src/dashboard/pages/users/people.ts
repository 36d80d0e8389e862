/** Users, external users and their groups: their types, and who belongs where. */
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { ask } from '../../session/service.ts';

export const USER = 'core.user';
export const EXTERNAL_USER = 'core.external-user';
export const GROUP = 'core.user-group';

export type PersonType = typeof USER | typeof EXTERNAL_USER;

/** The words for the name of a type of people, and what it is. */
export const PEOPLE = {
  [USER]: { name: 'User name', about: 'A user has a name and a password, and logs in with them.' },
  [EXTERNAL_USER]: { name: 'Name', about: 'An external user logs in through another service.' },
} as const;

/** The types to choose a person from. */
export const PERSONS = [
  [USER, 'User'],
  [EXTERNAL_USER, 'External user'],
] as const;

/** The types of those whom lists of rights name. */
export const IDENTITIES = [...PERSONS, [GROUP, 'Group']] as const;

/** What stands beside the name of whoever is no user. */
export const TAGS: Readonly<Record<string, string>> = { [GROUP]: 'group', [EXTERNAL_USER]: 'external' };

/** Puts somebody into a group, or takes them out. */
export async function changeMembers(method: 'POST' | 'DELETE', group: string, member: Link): Promise<void> {
  await ask(method, pathOf(GROUP, group, 'relationships', 'users'), { body: { data: [member] } });
}
