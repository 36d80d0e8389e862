/**
 * The ready pages of accounts (docs/accounts.md#ready-pages), at `/account/<application>/<key>`. Whoever comes with
 * `?to=<address>` goes back there, logged in. A view is data: what it asks for, does with that, and offers besides.
 */
import { accountOf, readLink, type Ceremony, type MailLink, type WayIn } from '../client/account.ts';
import { connect, ForedgeError } from '../client/index.ts';
import { element, show, type Field, type Next, type View } from './view.ts';
import { Way } from './way.ts';
import { language, say, type Word } from './words.ts';

/** What the service tells everybody of an application (src/http/pages/account.ts). */
interface Settings {
  readonly name: string;
  readonly colour: string | null;
  readonly signUp: boolean;
  readonly logInByPassword: boolean;
  readonly logInByMail: boolean;
  readonly eraseByMail: boolean;
  readonly ownData: boolean;
  readonly origins: readonly string[];
  /** Attributes that a new account must give. */
  readonly required: readonly string[];
  readonly returnTo: readonly string[];
  /** The names of identity providers. */
  readonly providers: readonly string[];
  readonly secondFactor: boolean;
}

const EMAIL: Field = ['email', 'email', 'email', 'email'];
const CODE: Field = ['code', 'text', 'code', 'one-time-code'];
const USERNAME: Field = ['username', 'text', 'username', 'username'];
const NEW_PASSWORD: Field = ['password', 'password', 'newPassword', 'new-password'];

const [, url = '', application = '', key = ''] =
  /^(.*)\/account\/([^/]*)\/([^/]*)$/.exec(location.origin + location.pathname) ?? [];
/** The token of the login, and what refreshes it, in the storage of this tab. */
const LOGIN = `login ${application}`;
let [token, refreshToken] = JSON.parse(sessionStorage.getItem(LOGIN) ?? '[null,null]') as (string | null)[];

const db = connect({
  url,
  application,
  key,
  token,
  refreshToken,
  onToken: (...both) => {
    [token, refreshToken] = both;
    sessionStorage.setItem(LOGIN, JSON.stringify(both));
  },
});
const account = accountOf(db);
const settings = (await db.request('GET', '/account/settings')).body.meta as unknown as Settings;
/** The dashboard of the service is a page of ours. */
const way = new Way(application, (to) => to === `${url}/dashboard` || settings.returnTo.includes(to));
const hasPasskeys = settings.origins.includes(location.origin);

/** Where no password logs in, one that nobody knows. */
const password = String(crypto.getRandomValues(new Uint32Array(8)));

/** What a new account gives beside its name and address. */
const GIVEN: readonly Field[] = [
  ...(settings.logInByPassword ? ([['password', 'password', 'password', 'new-password']] as const) : []),
  ...settings.required.map((name) => [name, 'text', null, 'on'] as const),
];

async function after(done: Promise<unknown>, next: () => Next): Promise<View> {
  await done;
  return next();
}

const BY_PASSWORD: View = {
  fields: [
    ['username', 'text', 'name', 'username webauthn'],
    ['password', 'password', 'password', 'current-password'],
  ],
  button: ['logIn', ({ username = '', password = '' }) => after(db.login({ username, password }), entered)],
};

const logIn = (says = ''): View => ({
  says,
  ...(settings.logInByPassword && BY_PASSWORD),
  others: [
    ...settings.providers.map((name) => ['continueWith', () => goTo(name), name] as const),
    ...(hasPasskeys ? ([['usePasskey', () => byPasskey()]] as const) : []),
    ...(settings.logInByMail ? ([['byMail', () => ask('log-in')]] as const) : []),
    ...(settings.logInByPassword ? ([['forgotten', () => ask('reset-password')]] as const) : []),
    ...(settings.signUp ? ([['signUp', signUp]] as const) : []),
  ],
});

const signUp = (): View => ({
  fields: [USERNAME, EMAIL, ...GIVEN],
  button: [
    'signUp',
    ({ username = '', email = '', ...given }) =>
      after(account.signUp({ username, email, password, ...given, language }), () => logIn(say('signedUp'))),
  ],
  others: [['back', logIn]],
});

const BEGIN = {
  'log-in': (email: string) => account.requestLogIn(email, { language }),
  'reset-password': (email: string) => account.requestPasswordReset(email, { language }),
  erase: (email: string) => account.requestErasure(email, { language }),
};

const ask = (kind: keyof typeof BEGIN): View => ({
  fields: [EMAIL],
  button: [
    'send',
    async ({ email = '' }) => {
      const action = await BEGIN[kind](email);
      return {
        says: say('sent'),
        fields: [CODE],
        button: [
          'next',
          ({ code = '' }) => (kind === 'log-in' ? byCode(action, code) : asked({ kind, action, code })),
        ],
        others: [['back', logIn]],
      };
    },
  ],
  others: [['back', logIn]],
});

const byPasskey = (begun?: Ceremony) => after(account.logInWithPasskey(begun), entered);
const byCode = (action: string, code: string) => after(account.logIn(action, code), entered);

async function goTo(provider: string): Promise<View> {
  await account.logInWith(provider, { returnTo: location.origin + location.pathname });
  return {};
}

/** What a link asks before its code is used: scanners of mails open links and run scripts, but press nothing. */
function asked({ kind, action, code }: MailLink): View {
  switch (kind) {
    case 'log-in':
      return { button: ['logIn', () => byCode(action, code)] };
    case 'reset-password':
      return {
        fields: [NEW_PASSWORD],
        button: [
          'next',
          ({ password = '' }) =>
            after(account.resetPassword(action, code, password), () => logIn(say('passwordSet'))),
        ],
      };
    case 'invite':
      return {
        fields: [USERNAME, ...GIVEN],
        button: [
          'signUp',
          ({ username = '', ...given }) =>
            after(account.acceptInvitation(action, code, { username, password, ...given }), entered),
        ],
      };
    case 'erase':
      return {
        button: ['eraseNow', () => after(account.erase(action, code), () => logIn(say('erased')))],
        others: [['back', logIn]],
      };
    case 'undo-address':
      return { button: ['undo', () => after(account.confirm(action, code), () => logIn(say('undone')))] };
    default:
      return {
        button: ['confirm', () => after(account.confirm(action, code), () => logIn(say('confirmed')))],
      };
  }
}

/** Goes where the visitor came from, or shows what one may do here. */
function entered(): View {
  const { to, state } = way.take();
  if (to === undefined) return inside();
  const more = refreshToken && { 'refresh-token': refreshToken };
  // It is good once: for there, and no more for these pages, whose use of an older one would end the login.
  sessionStorage.setItem(LOGIN, JSON.stringify([token, null]));
  location.replace(`${to}#${String(new URLSearchParams({ token: token ?? '', state, ...more }))}`);
  return {};
}

const inside = (says = say('loggedIn')): View => ({
  says,
  others: [
    ...(hasPasskeys ? ([['addPasskey', addPasskey]] as const) : []),
    ...(hasPasskeys || settings.providers.length > 0 ? ([['waysIn', waysIn]] as const) : []),
    ...(settings.secondFactor ? ([['addFactor', addFactor]] as const) : []),
    ...(settings.ownData ? ([['ownData', ownData]] as const) : []),
    ...(settings.eraseByMail ? ([['erase', () => ask('erase')]] as const) : []),
    ['logOut', () => after(db.logout(), logIn)],
  ],
});

async function ownData(): Promise<View> {
  const text = JSON.stringify({ data: await account.ownData() }, null, 2);
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href, download: 'own-data.json' }).click();
  return inside();
}

/** The passkeys and the identities of the user, each to be renamed or removed. */
async function waysIn(): Promise<View> {
  const [passkeys, identities] = await Promise.all([
    permitted(account.passkeys()),
    permitted(account.identities()),
  ]);
  return {
    others: [
      ...passkeys.flatMap(({ id, name }) => [
        ['rename', () => rename(id), name] as const,
        ['remove', () => after(account.removePasskey(id), waysIn), name] as const,
      ]),
      ...identities.map(
        ({ id, name }) => ['remove', () => after(account.removeIdentity(id), waysIn), name] as const,
      ),
      ['back', () => inside()],
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

const rename = (id: string): View => ({
  fields: [['name', 'text', 'newName', 'off']],
  button: ['next', ({ name = '' }) => after(account.renamePasskey(id, name), waysIn)],
  others: [['back', waysIn]],
});

async function addFactor(): Promise<View> {
  const { action, location: app, options } = await account.requestSecondFactor();
  const byApp = askApp(action, app, inside);
  if (options === undefined) return byApp;
  const byPasskey = async () =>
    showCodes(await account.confirmSecondFactorWithPasskey({ action, options }), inside);
  return { ...byApp, others: [['usePasskey', byPasskey]] };
}

const showCodes = (codes: readonly string[], after: (says: string) => View): View =>
  after(`${say('recovery')} ${codes.join(' ')}`);

/** The first code of an app adds the factor; the recovery codes are shown once. */
function askApp(action: string, app: string, after: (says: string) => View): View {
  const secret = new URL(app).searchParams.get('secret') ?? '';
  return {
    says: `${say('appKey')} ${secret}`,
    fields: [CODE],
    button: [
      'next',
      async ({ code = '' }) => showCodes(await account.confirmSecondFactor(action, code), after),
    ],
    links: [['openApp', app]],
  };
}

/** What a login with a second factor asks for. */
const askCode = (action: string, options?: unknown): View => ({
  says: say('askCode'),
  fields: [CODE],
  button: ['next', ({ code = '' }) => byCode(action, code)],
  others: [
    ...(options === undefined ? [] : ([['usePasskey', () => byPasskey({ action, options })]] as const)),
    ['back', logIn],
  ],
});

const addPasskey = () => after(account.addPasskey(), () => inside(say('added')));

/** What a first login by a provider asks for. */
const complete = (
  says: string,
  asked: Pick<MailLink, 'action' | 'code'>,
  faulty: readonly string[],
): View => ({
  says,
  fields: Array.from(
    new Set([...settings.required, ...faulty]),
    (name) => [name, 'text', null, 'on'] as const,
  ),
  button: ['signUp', (given) => after(account.completeSignUp(asked, given), entered)],
  others: [['back', logIn]],
});

const FAILURES: Readonly<Record<string, Word>> = {
  'invalid-login': 'wrong',
  'invalid-code': 'wrongCode',
  'value-taken': 'taken',
  'last-way-in': 'lastWayIn',
  'too-many-requests': 'tooMany',
};

function showError(error: unknown): void {
  const errors = error instanceof ForedgeError ? error.errors : [];
  const { action, code, location: app, options } = errors[0]?.meta ?? {};
  if (typeof action === 'string' && code === undefined) {
    // Where a second factor is required, whoever has none adds one.
    const goOn = (says: string): View => ({ says, button: ['next', () => Promise.resolve(entered())] });
    show(typeof app === 'string' ? askApp(action, app, goOn) : askCode(action, options), go);
    return;
  }
  if (error instanceof ForedgeError && error.code === 'token-required') {
    show(logIn(say('logInAgain')), go);
    return;
  }
  const word = error instanceof ForedgeError ? FAILURES[error.code] : undefined;
  const says = word !== undefined ? say(word) : error instanceof Error ? error.message : String(error);
  if (typeof action !== 'string' || typeof code !== 'string') element('[role=status]').textContent = says;
  else {
    const faulty = errors.flatMap(({ source }) => source?.pointer?.split('/').slice(3, 4) ?? []);
    show(complete(says, { action, code }, faulty), go);
  }
}

function go(next: () => Next): void {
  Promise.resolve()
    .then(next)
    .then((view) => {
      show(view, go);
    }, showError);
}

async function begin(): Promise<View> {
  const link = readLink(location.hash);
  way.keep();
  const hasCome = await account.finishLogIn();
  // A code works once, and need not stay in the address.
  history.replaceState(null, '', location.pathname);
  if (hasCome !== null) return entered();
  if (link !== null) return asked(link);
  return (await db.me().catch(() => null)) === null ? logIn() : entered();
}

document.documentElement.lang = language;
document.title = settings.name;
element('h1').textContent = settings.name;
if (settings.colour !== null) document.documentElement.style.setProperty('--accent', settings.colour);
addEventListener('hashchange', () => {
  location.reload();
});
go(begin);
