/** What the forms of the ready pages do: each asks the API, and shows a view, or leads on. */
import { readLink } from '../../../client/account.ts';
import { ForedgeError } from '../../../client/errors.ts';
import { pathOfAccounts } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { CORE } from '../../../domain/types.ts';
import { SAID } from '../../openapi/pages.ts';
import { GIVEN, type Values, type View } from './view.ts';
import * as views from './views.ts';
import { fits, keep, wayOf, type Visit } from './visit.ts';
import type { Word } from './words.ts';

/** A view, where the browser goes (null: who only looks is not told), or what it stores as a file. */
export type Next = View | { readonly location: string | null } | { readonly file: string };

type Step<To> = (visit: Visit, sent: Values) => To | Promise<To>;

interface Place {
  /** Shown again where the work fails: without it, what one may do here. */
  readonly view?: Step<View>;
  /** True for a view that has an address. */
  readonly isOpen?: true;
  readonly work: Step<Next>;
}

const PLACES: Readonly<Record<string, Place>> = {
  'log-in': {
    work: async (visit, { username = '', password = '' }) => {
      await visit.stranger.login({ username, password });
      return entered(visit);
    },
  },
  'sign-up': {
    ...{ view: views.signUp, isOpen: true },
    work: async (visit, { username = '', email = '', password = nobodys(), ...sent }) => {
      const { account, isIn, language } = visit;
      if (isIn) return { ...views.signUp(visit), status: 403 };
      await account.signUp({ username, email, password, ...givenIn(sent), language });
      return views.logIn(visit, 'signedUp');
    },
  },
  begin: {
    ...{ view: views.askAddress, isOpen: true },
    work: async (visit, { kind = '', email = '' }) => {
      const { id } = await begin(visit.db, { kind, email, language: visit.language });
      return views.askCode(visit, { kind, action: id });
    },
  },
  // A link of a mail, or its code. Another press uses it, unless there is nothing to ask.
  follow: {
    view: views.askCode,
    work: (visit, { link = '', ...sent }) => {
      const asked: Values = link === '' ? sent : { ...readLink(link.replace(/^[^#]*/, '')) };
      if (link === '' && asked['kind'] === 'log-in') return redeem(visit, asked);
      return asked['code']
        ? views.askRedemption(visit, asked)
        : { ...views.logIn(visit, 'wrongCode'), status: 403 };
    },
  },
  redeem: { view: views.askRedemption, work: redeem },
  // What a passkey, or an app, proves.
  ask: {
    work: async (visit, { kind = '' }) => {
      const { id: action, attributes } = await begin(visit.db, { kind });
      return views.askRedemption(visit, { kind, ...proofOf({ ...attributes, action }) });
    },
  },
  prove: {
    work: (visit, { kind = '', action = '', response = '' }) =>
      redeemed(visit, { kind, action }, { response: JSON.parse(response) as unknown }),
  },
  'own-data': {
    work: async ({ account }) => ({ file: JSON.stringify({ data: await account.ownData() }, null, 2) }),
  },
  'ways-in': { view: views.waysIn, isOpen: true, work: views.waysIn },
  rename: {
    ...{ view: views.rename, isOpen: true },
    work: (visit, { id = '', name = '' }) =>
      visit.account.renamePasskey(id, name).then(() => views.waysIn(visit)),
  },
  'remove-passkey': {
    view: views.waysIn,
    work: (visit, { id = '' }) => visit.account.removePasskey(id).then(() => views.waysIn(visit)),
  },
  'remove-identity': {
    view: views.waysIn,
    work: (visit, { id = '' }) => visit.account.removeIdentity(id).then(() => views.waysIn(visit)),
  },
  'log-out': { work: (visit) => visit.member.logout().then(() => ({ location: views.at(visit) })) },
};

const placeOf = (name: string) => (Object.hasOwn(PLACES, name) ? PLACES[name] : undefined);
const start = (visit: Visit) => (visit.isIn ? views.inside(visit) : views.logIn(visit));

/** What a GET of an address shows, or does. `looks`: HEAD, which spends no code, begins no login, and keeps nothing. */
export function shown(visit: Visit, looks: boolean): Promise<Next> {
  const { isIn, kept, query } = visit;
  // What another tab has left in the cookie leads nobody away who has come to see the pages.
  const way = query.has('to') ? wayOf(visit) : null;
  const isKept = way === null || fits(way);
  if (way !== null && isKept && !looks) keep(kept, way);
  const place = placeOf(query.get('view') ?? '');
  const view = place?.isOpen === true ? place.view : undefined;
  const does = (work: Place['work']) => (looks ? { location: null } : work(visit, {}));
  const work = () => {
    if (!isKept) return { ...start(visit), says: 'The state is too long for a cookie.', status: 400 };
    const provider = query.get('provider');
    // One that is none is refused.
    if (provider !== null) return visit.providers.includes(provider) ? does(goTo) : goTo(visit);
    if (query.has('code') || query.has('error'))
      return begunBy(visit) === null ? { ...views.logIn(visit, 'wrongCode'), status: 403 } : does(comeBack);
    if (isIn && way !== null && view === undefined) return does(entered);
    return (view ?? start)(visit, Object.fromEntries(query));
  };
  return attempt(visit, {}, { work });
}

/** What a form asks for. */
export function performed(visit: Visit, { work = '', ...sent }: Values): Promise<Next> {
  return attempt(visit, sent, placeOf(work) ?? { work: () => ({ ...start(visit), status: 400 }) });
}

const FAILURES: Readonly<Record<string, Word>> = {
  'invalid-login': 'wrong',
  'invalid-code': 'wrongCode',
  'value-taken': 'taken',
  'last-way-in': 'lastWayIn',
  'too-many-requests': 'tooMany',
};

/** A page asks for no header, and is there: what is not is part of the form. */
function statusOf({ status }: ForedgeError): number {
  if (status === 401) return 403;
  return SAID.find((each) => each === status) ?? (status >= 400 && status < 500 ? 400 : 503);
}

/** A refusal of the API is said in the view that led to it, or is what a login goes on with. */
async function attempt(visit: Visit, sent: Values, { work, view = start }: Place): Promise<Next> {
  try {
    return await work(visit, sent);
  } catch (error) {
    // A device says JSON.
    if (error instanceof SyntaxError) return { ...start(visit), status: 400 };
    if (!(error instanceof ForedgeError)) throw error;
    const { code, errors, message } = error;
    const status = statusOf(error);
    const { meta = {} } = errors[0] ?? {};
    if (code === 'token-required') return { ...views.logIn(visit, 'logInAgain'), status };
    if (code === 'second-factor-required') {
      // Whoever must have one and has none adds one.
      const kind = 'location' in meta ? 'add-second-factor' : 'second-factor';
      return { ...views.askRedemption(visit, { kind, ...proofOf(meta) }), status };
    }
    const says = FAILURES[code] === undefined ? message : visit.say(FAILURES[code]);
    // The view asks the API, too, which may refuse that.
    if (!('action' in meta)) return { ...(await attempt(visit, sent, { work: view })), says, status };
    const lacking = errors.flatMap(({ source }) => source?.pointer?.split('/').slice(3, 4) ?? []).join(' ');
    const along = { kind: 'sign-up-provider', ...proofOf(meta), code: String(meta['code']), lacking };
    return { ...views.askRedemption(visit, along), says, status };
  }
}

/** Leads to where the visitor came from, or to what one may do here. */
function entered(visit: Visit): Next {
  const { kept } = visit;
  const way = wayOf(visit);
  keep(kept, { to: null, state: null });
  if (way === null) return { location: '?' };
  const [token, refresh] = [kept.get('token') ?? '', kept.get('refresh-token')];
  // It is good once: for there, and no more for these pages, whose use of an older one would end the login.
  keep(kept, { 'refresh-token': null });
  const more = refresh !== null && { 'refresh-token': refresh };
  return { location: `${way.to}#${String(new URLSearchParams({ token, state: way.state, ...more }))}` };
}

/** Goes to a provider: nobody joins it to an account so, as links of others lead here, too. */
async function goTo({ address, kept, query, stranger }: Visit): Promise<Next> {
  const attributes = { kind: 'log-in-provider', provider: query.get('provider'), 'return-to': address };
  const begun = await begin(stranger, attributes);
  const { code, location } = begun.attributes as Readonly<Record<'code' | 'location', string>>;
  keep(kept, { begun: `${begun.id} ${code}` });
  return { location };
}

/** The login that this browser has begun at a provider, if the address is about that one: another browser's is none. */
function begunBy({ kept, query }: Visit) {
  const [action, code = ''] = kept.get('begun')?.split(' ') ?? [];
  return action === undefined || query.get('state') !== action ? null : { action, code };
}

/** What a provider has sent counts once. */
function comeBack(visit: Visit): Promise<Next> {
  const { action = '', code } = begunBy(visit) ?? {};
  keep(visit.kept, { begun: null });
  const [stranger, callback] = [{ ...visit, db: visit.stranger }, `?${String(visit.query)}`];
  return redeemed(stranger, { kind: 'log-in-provider', action }, { code, callback });
}

async function begin({ request }: Visit['db'], attributes: object): Promise<Resource> {
  const body = { data: { type: CORE.accountAction, attributes } };
  return (await request('POST', pathOfAccounts(CORE.accountAction), { body })).body.data as Resource;
}

function redeem(visit: Visit, { kind = '', action = '', code, username, ...sent }: Values): Promise<Next> {
  const password = sent['password'] ?? (kind === 'invite' ? nobodys() : undefined);
  return redeemed(visit, { kind, action }, { code, username, password, attributes: givenIn(sent) });
}

const DONE: Readonly<Record<string, Word>> = {
  'reset-password': 'passwordSet',
  'undo-address': 'undone',
  erase: 'erased',
};

async function redeemed(visit: Visit, { kind = '', action = '' }: Values, meta: object): Promise<Next> {
  const path = pathOfAccounts(CORE.accountAction, action, 'redemption');
  const { body, status } = await visit.db.request('POST', path, { body: { meta } });
  if (kind === 'register-passkey') return views.inside(visit, 'added');
  if (kind === 'erase') keep(visit.kept, { token: null, 'refresh-token': null });
  if (status !== 201) return views.logIn(visit, DONE[kind] ?? 'confirmed');
  visit.db.enter(body.data as Resource);
  const codes = body.meta?.['recovery-codes'];
  return codes === undefined ? entered(visit) : views.showCodes(visit, codes);
}

/** Where no password logs in, one that nobody knows. */
const nobodys = () => crypto.randomUUID();

/** What the API asks a proof for, as a form has it. */
const proofOf = ({ action, location, options }: Readonly<Record<string, unknown>>): Values => ({
  action: String(action),
  ...(typeof location === 'string' && { app: location }),
  ...(options !== undefined && { options: JSON.stringify(options) }),
});

/** The attributes of an account in a form. */
function givenIn(sent: Values): Values {
  const given = Object.entries(sent).filter(([name]) => name.startsWith(GIVEN));
  return Object.fromEntries(given.map(([name, value]) => [name.slice(GIVEN.length), value]));
}
