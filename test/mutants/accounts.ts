/** Breakages of accounts: sign-up, actions, passkeys, providers, second factors. */
import type { Mutant } from './mutant.ts';

const ACCOUNTS = 'src/modules/users/accounts';
const PROVIDER = 'src/modules/users/providers/redeem.ts';
const PROVIDED = 'src/modules/users/providers/provider.ts';
const FACTOR = 'src/modules/users/factors/redeem.ts';

export const OF_ACCOUNTS: readonly Mutant[] = [
  {
    breaks: 'A required second factor is not asked for',
    file: 'src/modules/users/factors/gate.ts',
    find: "secondFactor !== 'required' || factorGroups.length === 0",
    put: "secondFactor !== 'allowed' || factorGroups.length === 0",
    tests: ['http/second-factor'],
  },
  {
    breaks: 'What a mail says of its reader is HTML',
    file: 'src/domain/accounts/templates.ts',
    find: 'fill(html, (name) => escapeHtml(valueOf(name)))',
    put: 'fill(html, valueOf)',
    tests: ['http/mail-templates'],
  },
  {
    breaks: 'A sign-up gives whatever attributes it likes',
    file: `${ACCOUNTS}/sign-up.ts`,
    find: '!OWN.includes(name) && !settings.fields.includes(name)',
    put: 'name === PENDING',
    tests: ['http/accounts'],
  },
  {
    breaks: 'Links of mails lead where the sender likes',
    file: `${ACCOUNTS}/actions.ts`,
    find: 'value === undefined || returnTo.some((each) => each === value)',
    put: 'value === undefined || returnTo.length > 0',
    tests: ['http/accounts'],
  },
  {
    breaks: 'A code is redeemed again and again',
    file: `${ACCOUNTS}/redeem.ts`,
    find: 'const used = await actions.remove(id, isAsRead);',
    put: 'const used = ok(isAsRead);',
    tests: ['http/accounts'],
  },
  {
    breaks: 'A code of a mail logs in without the second factor',
    file: 'src/collection/rpc/maintenance/accounts.ts',
    find: 'memberOf(attributes, FACTOR) === true',
    put: "memberOf(attributes, 'none') === true",
    tests: ['http/second-factor'],
  },
  {
    breaks: 'A stolen token adds ways in, and changes the password',
    file: `${ACCOUNTS}/fresh.ts`,
    find: '<= LIMITS.freshLogin',
    put: '!== LIMITS.freshLogin',
    tests: ['http/ways-in', 'http/second-factor'],
  },
  {
    breaks: 'A stolen password adds an app, where the user has a passkey',
    file: 'src/modules/users/factors/gate.ts',
    find: 'const isAsked = hasFactor ||',
    put: 'const isAsked = hasFactor &&',
    tests: ['http/second-factor'],
  },
  {
    breaks: 'The passkey of one user is the second factor of another',
    file: 'src/modules/users/passkeys/redeem.ts',
    find: ': action.user === user;',
    put: ': action.user !== null;',
    tests: ['http/second-factor'],
  },
  {
    breaks: 'Users take their last way in away',
    file: `${ACCOUNTS}/ways-in.ts`,
    find: 'each.id === id ? null :',
    put: 'each.id === user ? null :',
    tests: ['http/ways-in'],
  },
  {
    breaks: 'The last two ways in go at once',
    file: `${ACCOUNTS}/ways-in.ts`,
    find: "{ type: other.type, kind: 'test', actor: 1, id: other.id, ifMatch: null },",
    put: '',
    tests: ['http/ways-in'],
  },
  {
    breaks: 'A second factor is not asked for after a provider',
    file: PROVIDER,
    find: 'needsFactor: memberOf(attributes, FACTOR) === true',
    put: 'needsFactor: memberOf(attributes, PENDING) === true',
    tests: ['http/ways-in'],
  },
  {
    breaks: 'An address that a tenant of Microsoft says takes an account over',
    file: PROVIDED,
    find: 'return own === issuer ? subject : { ...subject, email: null };',
    put: 'return subject;',
    tests: ['http/providers-prepared'],
  },
  {
    breaks: 'The secret of a provider lies open at rest',
    file: 'src/modules/users/providers/kinds.ts',
    find: 'const sealed = secret !== undefined &&',
    put: 'const sealed = secret === null &&',
    tests: ['http/providers-prepared'],
  },
  {
    breaks: 'A login at a provider never ends',
    file: PROVIDER,
    find: 'expires.getTime() < Date.now() ||',
    put: 'Number.isNaN(expires.getTime()) ||',
    tests: ['http/providers'],
  },
  {
    breaks: 'A code of an app is good twice',
    file: FACTOR,
    find: "typeof last === 'number' && step <= last ? null : { step }",
    put: "typeof last === 'string' ? null : { step }",
    tests: ['http/second-factor'],
  },
  {
    breaks: 'Of two at once, a recovery code lets both in',
    file: FACTOR,
    find: '{ ...TRUSTED, ifMatch: [stored.version] })).ok',
    put: '{ ...TRUSTED, ifMatch: null })).ok',
    tests: ['http/second-factor'],
  },
  {
    breaks: 'Whoever has a code needs no token to take the second factor away',
    file: FACTOR,
    find: 'login === null && user !== userOf(context)',
    put: "login === null && user === 'x' && user !== userOf(context)",
    tests: ['http/second-factor'],
  },
  {
    breaks: 'What a provider brings back logs in any browser',
    file: PROVIDER,
    find: 'isSame(each.code, code)',
    put: 'isSame(each.code, code) || true',
    tests: ['http/providers'],
  },
  {
    breaks: 'The answer of another provider is taken',
    file: PROVIDED,
    find: 'if (iss === null ? names : iss !== issuer) return null;',
    put: 'if (iss === null && names && issuer === null) return null;',
    tests: ['http/providers'],
  },
  {
    breaks: 'The id token of another login is taken',
    file: PROVIDED,
    find: ' || subject.nonce !== returned.nonce',
    put: '',
    tests: ['http/providers'],
  },
  {
    breaks: 'An address that a provider has not confirmed takes an account over',
    file: 'src/auth/id-tokens.ts',
    find: "email: isVerified ? textOf('email') : null",
    put: "email: textOf('email')",
    tests: ['http/providers'],
  },
];
