/** The views of the ready pages: what each asks for, and the work that its buttons ask for. */
import type { WayIn } from '../../../client/account.ts';
import { ForedgeError } from '../../../client/errors.ts';
import { GIVEN, type Field, type Values, type View, type Way } from './view.ts';
import { wayOf, type Visit } from './visit.ts';
import type { Word } from './words.ts';

const CODE: Field = ['code', 'text', 'code', 'one-time-code'];
const EMAIL: Field = ['email', 'email', 'email', 'email'];
const USERNAME: Field = ['username', 'text', 'username', 'username'];

const givenAs = (name: string): Field => [GIVEN + name, 'text', null, 'on'];

/** What a new account gives beside its name and address. */
const given = ({ settings }: Visit): readonly Field[] => [
  ...(settings.logInByPassword ? ([['password', 'password', 'password', 'new-password']] as const) : []),
  ...settings.required.map(givenAs),
];

/** The address of a view, from which the visitor goes back to the same place. */
export const at = (visit: Visit, query: Values = {}): string =>
  `?${String(new URLSearchParams({ ...query, ...wayOf(visit) }))}`;

const back = (visit: Visit, to: Values = {}): Way => ({ word: 'back', to: at(visit, to) });
const next = (visit: Visit): Way => ({ word: 'next', to: at(visit) });
const press = (word: Word, work: string, along: Values = {}, name = ''): Way => ({ word, name, work, along });

/** Without a script it is not there. */
const passkey = ({ origin, settings }: Visit, word: Word, kind: string): readonly Way[] =>
  settings.origins.includes(origin) ? [{ word, work: 'ask', along: { kind }, isScript: true }] : [];

export function logIn(visit: Visit, says?: Word): View {
  const { logInByMail, logInByPassword, signUp: who } = visit.settings;
  const offers: readonly (readonly [boolean, Word, Values])[] = [
    [logInByMail, 'byMail', { view: 'begin', kind: 'log-in' }],
    [logInByPassword, 'forgotten', { view: 'begin', kind: 'reset-password' }],
    [who === 'open', 'signUp', { view: 'sign-up' }],
  ];
  return {
    ...{ says: says && visit.say(says), isFirst: true },
    ...(logInByPassword && {
      fields: [
        ['username', 'text', 'name', 'username webauthn'],
        ['password', 'password', 'password', 'current-password'],
      ],
      button: ['logIn', 'log-in'],
    }),
    others: [
      ...visit.providers.map((name): Way => ({
        word: 'continueWith',
        name,
        to: at(visit, { provider: name }),
      })),
      ...passkey(visit, 'usePasskey', 'log-in-passkey'),
      ...offers.filter(([isOpen]) => isOpen).map(([, word, to]) => ({ word, to: at(visit, to) })),
    ],
  };
}

export function signUp(visit: Visit): View {
  // Who is logged in has an account, and goes on with it, or logs out.
  if (visit.isIn) return { says: visit.say('loggedIn'), others: [next(visit), press('logOut', 'log-out')] };
  return {
    ...{ fields: [USERNAME, EMAIL, ...given(visit)], button: ['signUp', 'sign-up'] },
    others: [back(visit)],
  };
}

/** Asks for the address that a mail goes to. */
export const askAddress = (visit: Visit, { kind = '' }: Values): View => ({
  ...{ fields: [EMAIL], button: ['send', 'begin'], along: { kind } },
  others: [back(visit)],
});

/** Asks for the code of a mail on its way. */
export const askCode = (visit: Visit, { kind = '', action = '' }: Values): View => ({
  ...{ says: visit.say('sent'), fields: [CODE], button: ['next', 'follow'], along: { kind, action } },
  others: [back(visit)],
});

const PRESSED = new Map<string, Word>([
  ['log-in', 'logIn'],
  ['undo-address', 'undo'],
  ['erase', 'eraseNow'],
]);

/** What an action asks before its code is used: scanners of mails open links and run scripts, but press nothing. */
export function askRedemption(visit: Visit, along: Values): View {
  const { kind = '', action = '', app = '', lacking = '', options } = along;
  const device: View = options === undefined ? {} : { passkey: { options, along: { kind, action } } };
  const asks = (fields: readonly Field[], word: Word = 'next'): View => {
    // What a form asks for again does not go along.
    const rest = Object.entries(along).filter(([name]) => !fields.some(([each]) => each === name));
    return { fields, button: [word, 'redeem'], along: Object.fromEntries(rest) };
  };
  switch (kind) {
    case 'reset-password':
      return asks([['password', 'password', 'newPassword', 'new-password']]);
    case 'invite':
      return asks([USERNAME, ...given(visit)], 'signUp');
    // What a first login by a provider asks for.
    case 'sign-up-provider': {
      const names = new Set([
        ...visit.settings.required,
        ...lacking.split(' ').filter((each) => each !== ''),
      ]);
      return { ...asks(Array.from(names, givenAs), 'signUp'), others: [back(visit)] };
    }
    // What a login with a second factor asks for.
    case 'second-factor':
      return { ...asks([CODE]), ...device, says: visit.say('askCode'), others: [back(visit)] };
    // The first code of an app adds the factor.
    case 'add-second-factor': {
      const url = URL.parse(app);
      const says = `${visit.say('appKey')} ${url?.searchParams.get('secret') ?? ''}`;
      const others: readonly Way[] = url?.protocol === 'otpauth:' ? [{ word: 'openApp', to: app }] : [];
      return { ...asks([CODE]), ...device, says, others };
    }
    case 'log-in-passkey':
    case 'register-passkey':
      return device;
    default:
      return {
        ...asks([], PRESSED.get(kind) ?? 'confirm'),
        ...(kind === 'erase' && { others: [back(visit)] }),
      };
  }
}

/** They are shown once. */
export const showCodes = (visit: Visit, codes: readonly string[]): View => ({
  says: `${visit.say('recovery')} ${codes.join(' ')}`,
  others: [next(visit)],
});

export function inside(visit: Visit, says: Word = 'loggedIn'): View {
  const { eraseByMail, ownData, secondFactor } = visit.settings;
  const added = passkey(visit, 'addPasskey', 'register-passkey');
  const offers: readonly (readonly [boolean, Way])[] = [
    [added.length + visit.providers.length > 0, { word: 'waysIn', to: at(visit, { view: 'ways-in' }) }],
    [secondFactor !== 'off', press('addFactor', 'ask', { kind: 'add-second-factor' })],
    [ownData, press('ownData', 'own-data')],
    [eraseByMail, { word: 'erase', to: at(visit, { view: 'begin', kind: 'erase' }) }],
    [true, press('logOut', 'log-out')],
  ];
  return {
    says: visit.say(says),
    others: [...added, ...offers.filter(([isOpen]) => isOpen).map(([, way]) => way)],
  };
}

/** The passkeys and the identities of the user, each to be renamed or removed. */
export async function waysIn(visit: Visit): Promise<View> {
  const { account } = visit;
  const [passkeys, identities] = await Promise.all([account.passkeys(), account.identities()].map(permitted));
  const remove = (of: string, { id, name }: WayIn) => press('remove', `remove-${of}`, { id }, name);
  return {
    others: [
      ...(passkeys ?? []).flatMap((each): Way[] => [
        { word: 'rename', name: each.name, to: at(visit, { view: 'rename', id: each.id }) },
        remove('passkey', each),
      ]),
      ...(identities ?? []).map((each) => remove('identity', each)),
      back(visit),
    ],
  };
}

/** None where the key does not permit to list them. */
function permitted(list: Promise<readonly WayIn[]>): Promise<readonly WayIn[]> {
  return list.catch((error: unknown) => {
    if (error instanceof ForedgeError && error.status === 403) return [];
    throw error;
  });
}

export const rename = (visit: Visit, { id = '' }: Values): View => ({
  ...{ fields: [['name', 'text', 'newName', 'off']], button: ['next', 'rename'], along: { id } },
  others: [back(visit, { view: 'ways-in' })],
});
