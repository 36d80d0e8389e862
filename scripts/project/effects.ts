/** What a change would mean for documents and people that are there: `push` does it only if it is allowed by name. */
import { isDeepStrictEqual } from 'node:util';
import { CONFIRMS, FACTOR, SECOND_FACTORS, SIGN_UPS } from '../../src/domain/accounts/settings.ts';
import { uniqueFieldsOf } from '../../src/collection/storage/secondary/unique-fields.ts';
import { CORE } from '../../src/domain/types.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { schemaView } from '../../src/schema/view.ts';
import { counted } from '../commands/command.ts';
import { isObject, type Json } from '../json-objects.ts';
import type { Change } from './changes.ts';
import { documentsOf, type StoredDocument } from './documents.ts';
import { isNames } from './groups.ts';
import { labelOf } from './parts.ts';
import type { Remote } from './target.ts';

export const DANGERS = ['break', 'open', 'narrow', 'delete'] as const;

export interface Danger {
  readonly code: (typeof DANGERS)[number];
  readonly says: string;
  /** The documents that break a schema: how many of how many, and the first of them. */
  readonly documents?: { readonly count: number; readonly of: number; readonly first: readonly Broken[] };
}

interface Broken {
  readonly id: string;
  readonly pointer: string;
  readonly detail: string;
}

/** How many broken documents are named. */
const NAMED = 5;

export async function dangersOf(remote: Remote, change: Change): Promise<readonly Danger[]> {
  const { action, part, before, after, members } = change;
  if (action === 'delete') return [{ code: 'delete', says: `deletes the ${labelOf(part)}` }];
  if (part.type === CORE.schema) {
    const so = 'changes that leave them so are refused';
    return broken(remote, part.name, schemaFault(after['content']), so);
  }
  if (part.type === CORE.apiKey) {
    return action === 'create' || !members.includes('permissions')
      ? []
      : moved(before['permissions'], after['permissions'], 'the permission');
  }
  if (part.type === CORE.identityProvider) {
    const { issuer = after['user-endpoint'] } = after;
    const isOther = members.some((name) => name !== 'scopes');
    return isOther ? [{ code: 'open', says: `accepts logins from ${String(issuer)}` }] : [];
  }
  if (part.type === CORE.accountSettings) return action === 'create' ? [] : accountsMoved(before, after);
  if (part.type !== CORE.typeSettings || (await remote.count(part.name)) === 0) return [];
  const lost = (name: 'expires' | 'history', says: string): readonly Danger[] =>
    members.includes(name) && (name === 'expires' ? after : before)[name] !== undefined
      ? [{ code: 'delete', says }]
      : [];
  const [known = [], unique = []] = [before, after].map(({ unique: lists }) =>
    Array.isArray(lists) ? lists.filter(isNames) : [],
  );
  const fresh = unique.filter((list) => !known.some((each) => isDeepStrictEqual(each, list)));
  return [
    ...(fresh.length === 0
      ? []
      : await broken(remote, part.name, duplicateFault(fresh), 'the push fails while they do')),
    ...rightsMoved(before['rights'], after['rights']),
    ...moved(before['checks'], after['checks'], 'the check').map((each) => ({
      ...each,
      // A check less lets more through.
      code: each.code === 'narrow' ? ('open' as const) : ('narrow' as const),
    })),
    ...lost('expires', `deletes documents whose date in ${String(after['expires'])} has passed`),
    ...lost('history', 'deletes former versions'),
    ...Object.keys(viewsIn(before))
      .filter((name) => !Object.hasOwn(viewsIn(after), name))
      .map((name) => ({ code: 'delete' as const, says: `deletes the view ${name}` })),
  ];
}

const viewsIn = ({ views }: Json) => (isObject(views) ? views : {});

/** Settings of accounts by which people do more, from the first (the default) on; or less, as those of `LESS`. */
const LETTING: Readonly<Record<string, readonly unknown[]>> = {
  'sign-up': SIGN_UPS,
  confirm: CONFIRMS,
  'log-in-by-password': [true, false],
  'log-in-by-mail': [false, true],
  'erase-by-mail': [false, true],
  'own-data': [false, true],
  [FACTOR]: SECOND_FACTORS,
};

const LESS = [FACTOR, 'log-in-by-password'];

function accountsMoved(before: Json, after: Json): readonly Danger[] {
  const [old, now] = [before, after].map((settings) => settings['factor-groups']);
  const isRequired = [before, after].every((settings) => settings[FACTOR] === 'required');
  const who = now === undefined ? 'everybody' : `those in ${JSON.stringify(now)} alone`;
  return [
    ...(isRequired && !isDeepStrictEqual(old, now)
      ? [
          {
            code: now === undefined ? ('narrow' as const) : ('open' as const),
            says: `asks ${who} for a second factor`,
          },
        ]
      : []),
    ...Object.entries(LETTING).flatMap(([name, values]): readonly Danger[] => {
      const rank = (settings: Json) => Math.max(values.indexOf(settings[name]), 0);
      const [old, now] = [rank(before), rank(after)];
      if (old === now) return [];
      const isMore = now > old === !LESS.includes(name);
      return [{ code: isMore ? 'open' : 'narrow', says: `${name} is now ${String(values[now])}` }];
    }),
    ...['fields', 'required', 'groups', 'origins', 'return-to'].flatMap((name) =>
      moved(before[name], after[name], `for ${name}, the entry`),
    ),
  ];
}

function rightsMoved(before: unknown, after: unknown): readonly Danger[] {
  const [one, other] = [before, after].map((rights) => (isObject(rights) ? rights : {}));
  return [...new Set([one, other].flatMap((rights) => Object.keys(rights ?? {})))].flatMap((right) =>
    moved(one?.[right], other?.[right], `for ${right}, the entry`),
  );
}

/** What lists have lost and gained; where neither, their order, which decides. */
function moved(before: unknown, after: unknown, what: string): readonly Danger[] {
  const [old, now] = [before, after].map((list) =>
    Array.isArray(list) ? list.map((one) => JSON.stringify(one)) : [],
  );
  const lost = old?.filter((each) => now?.includes(each) !== true) ?? [];
  const gained = now?.filter((each) => old?.includes(each) !== true) ?? [];
  const dangers: readonly Danger[] = [
    ...lost.map((each) => ({ code: 'narrow' as const, says: `takes away ${what} ${each}` })),
    ...gained.map((each) => ({ code: 'open' as const, says: `adds ${what} ${each}` })),
  ];
  const isMoved = dangers.length === 0 && JSON.stringify(old) !== JSON.stringify(now);
  return isMoved
    ? [{ code: 'open', says: `changes the order, in which the first of ${what}s decides` }]
    : dangers;
}

type Fault = Omit<Broken, 'id'>;

function schemaFault(content: unknown): (document: StoredDocument) => Fault | undefined {
  const schema = compileSchema(content);
  return (document) => schema.validate(schemaView(document.content))[0];
}

/** Of documents with the same values all but the first have it. */
function duplicateFault(
  lists: readonly (readonly string[])[],
): (document: StoredDocument) => Fault | undefined {
  const owners = new Map<string, string>();
  return ({ id, flat }) => {
    let fault: Fault | undefined;
    for (const list of lists) {
      const pointer = `/data/attributes/${list[0]?.replaceAll('.', '/')}`;
      const { name, keysOf } = uniqueFieldsOf(list);
      const keys = keysOf(flat);
      if (typeof keys === 'string') return { pointer, detail: `It has ${keys}.` };
      for (const key of keys.map((each) => `${name} ${each}`)) {
        const owner = owners.get(key);
        if (owner === undefined) owners.set(key, id);
        else fault ??= { pointer, detail: `The document ${owner} has the same ${list.join(' and ')}.` };
      }
    }
    return fault;
  };
}

/** Every document of the type is read, and looked at as the service would. */
async function broken(
  remote: Remote,
  type: string,
  faultOf: (document: StoredDocument) => Fault | undefined,
  so: string,
): Promise<readonly Danger[]> {
  const first: Broken[] = [];
  let [count, of] = [0, 0];
  for await (const document of documentsOf(remote, type)) {
    of += 1;
    const fault = faultOf(document);
    if (fault === undefined) continue;
    count += 1;
    const { pointer, detail } = fault;
    if (first.length < NAMED) first.push({ id: document.id, pointer, detail });
  }
  if (count === 0) return [];
  const says = `${counted(count)} of ${counted(of)} stored documents break it: ${so}`;
  return [{ code: 'break', says, documents: { count, of, first } }];
}
