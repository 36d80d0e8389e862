/** The attributes of the types that accounts are made of (docs/accounts.md). */
import * as accounts from '../../domain/accounts/settings.ts';
import { CEREMONIES } from '../../domain/accounts/ceremonies.ts';
import { MAIL_KINDS } from '../../domain/accounts/templates.ts';
import { oneOf } from '../../domain/names.ts';
import { LIMITS } from '../../domain/limits.ts';
import { CORE } from '../../domain/types.ts';
import { DATE } from './envelope.ts';
import { made, settings, type OwnType } from './own-members.ts';
import * as own from './own-members.ts';
import * as s from './schema.ts';

export const ACCOUNT_TYPES: Readonly<Record<string, OwnType>> = {
  [CORE.accountSettings]: {
    says: 'How people sign up and log in: one document, or none.',
    attributes: {
      ...settings({
        'name?': s.text('of the product, as mails call it'),
        'colour?': {
          type: 'string',
          pattern: '^#[0-9a-f]{6}$',
          description: 'of the [ready pages](#ready-pages): `#2456b3`',
        },
        'sender?': s.text('the address that mails come from'),
        'sign-up?': s.described(
          s.enumOf(accounts.SIGN_UPS),
          '`open` to all, or to the `invited`; `closed` (default): keys without ACL make accounts',
        ),
        'confirm?': s.described(
          s.enumOf(accounts.CONFIRMS),
          'when a new user confirms the address: `before-login` (default)',
        ),
        'second-factor?': s.described(
          s.enumOf(accounts.SECOND_FACTORS),
          'whether users may, or must, have a [second factor](#second-factors): `off` (default)',
        ),
        'log-in-by-password?': s.flag('false lets no password log in, or be reset'),
        'log-in-by-mail?': s.flag('true lets a code from a mail log in'),
        'erase-by-mail?': s.flag('true lets a code from a mail erase its user, with all that is theirs'),
        'own-data?': s.flag('true lets users list [their data](#own-data)'),
        'fields?': s.described(
          s.listOf(s.text('The name of one.', own.FIELD)),
          'attributes that a sign-up may give, beside `username`, `password` and `email`',
        ),
        'required?': s.described(
          s.listOf(s.text('The name of one.', own.FIELD)),
          'those that a new account must give',
        ),
        'password-length?': s.described(
          s.integer(LIMITS.accountPassword, 100),
          `characters of a password at least: ${LIMITS.accountPassword}`,
        ),
        'minutes?': s.described(s.integer(1, 1_440), `for which a code is valid: ${LIMITS.accountMinutes}`),
        'session-hours?': s.described(s.integer(1, 720), 'after which a new login ends: 720'),
        'token-minutes?': s.described(
          s.integer(1, 1_440),
          'after which a token ends, and a [refresh token](#refresh-tokens) gets the next; without it, with its login',
        ),
        'cookies?': s.flag('true lets browsers keep a refresh token in a [cookie](#cookies)'),
        'origins?': s.described(
          s.listOf(s.ADDRESS),
          'of pages that [passkeys](#passkeys) and cookies are for; they belong to the host of the first',
        ),
        'return-to?': s.described(
          s.listOf(s.ADDRESS),
          'addresses that the links of mails may lead to; the first is the default',
        ),
      }),
      ...made({ scope: s.text('`application`') }),
    },
    closed: true,
    example: { name: 'Bookshop', 'sign-up': 'open', 'return-to': ['https://shop.example/account'] },
  },
  [CORE.accountAction]: {
    says: 'What somebody has begun, and proves by a code from a mail.',
    attributes: {
      kind: {
        enum: [
          ...accounts.ACTIONS,
          ...CEREMONIES,
          accounts.LOG_IN_PROVIDER,
          ...accounts.FACTOR_ACTIONS.slice(0, 2),
        ],
        description: 'what it does; the first five send a mail',
      },
      'email?': s.text(
        'the confirmed address, for `reset-password`, `log-in` and `erase`; for `invite` a new one',
      ),
      'username?': s.text('the user, for `confirm-address`'),
      'return-to?': s.text('where the link of the mail, or the provider, leads: one of the settings'),
      'language?': s.text('of the mail: `de`; else that of the user', {
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
      }),
      'provider?': s.text('the name of the provider, for `log-in-provider`'),
      ...made({
        expires: s.described(DATE, 'when its code ends'),
        'options?': s.described(s.OBJECT, 'what the browser takes, for a passkey'),
        'location?': s.described(
          s.ADDRESS,
          'of the provider, or of an app for codes (`otpauth:`), to which the browser goes',
        ),
        'code?': s.text('what the redemption of `log-in-provider` brings back'),
      }),
    },
    closed: true,
    example: { kind: 'reset-password', email: 'ada@example.org' },
    madeExample: { expires: '2026-11-27T10:00:00.000Z' },
  },
  [CORE.passkey]: {
    says: 'What a device of a user logs in with.',
    attributes: {
      'name?': s.text(`the user may change it: ${LIMITS.accountName} characters at most`),
      ...made({
        credential: s.text('the id of the credential; unique in the application'),
        user: s.text('the id of the user'),
        created: s.described(DATE, 'when it was registered'),
      }),
    },
    closed: true,
    example: { name: 'Phone' },
    madeExample: { credential: 'AbCdEf0123', user: '6560a1b2c3d4e5f601234567' },
  },
  [CORE.secondFactor]: {
    says: 'That a user has a second factor.',
    attributes: made({
      user: s.text('the id of the user'),
      created: s.described(DATE, 'when it was added'),
    }),
    closed: true,
    madeExample: { user: '6560a1b2c3d4e5f601234567' },
  },
  [CORE.mailTemplate]: {
    says: 'The text of mails of a kind, in the place of the built-in one.',
    attributes: {
      name: s.text(`${oneOf(MAIL_KINDS, 'or')}; for one language \`log-in.de\`; unique in the application`),
      subject: s.text(`${LIMITS.mailSubject} characters at most`),
      text: s.text('paragraphs, with empty lines between them'),
      ...settings({ 'html?': s.text('the same as HTML; else it is made of the text') }),
    },
    closed: true,
    example: {
      name: 'log-in.de',
      subject: 'Anmelden bei {{name}}',
      text: 'Hier geht es weiter: {{link}}\n\nOder mit dem Code {{code}}, {{validity}} lang.',
    },
  },
  [CORE.identityProvider]: {
    says: 'Another service that users log in with: an issuer of OpenID Connect, or a provider of OAuth 2.0.',
    attributes: {
      name: s.text('for requests: 1 to 32 small letters, digits and `-`; unique in the application', {
        pattern: '^[a-z0-9-]{1,32}$',
      }),
      'issuer?': s.described(
        s.ADDRESS,
        'the address of the issuer, as its tokens have it; ' +
          'known of `apple`, `gitlab`, `google` and `microsoft`, as the endpoints of `github` are',
      ),
      'authorization-endpoint?': s.described(s.ADDRESS, 'without an issuer: where browsers go'),
      'token-endpoint?': s.described(s.ADDRESS, 'without an issuer: where a code becomes a token'),
      'user-endpoint?': s.described(s.ADDRESS, 'without an issuer: says who has a token'),
      'emails-endpoint?': s.described(s.ADDRESS, 'lists the addresses of who has a token, as that of GitHub'),
      'client-id': s.text('of this application, at the issuer'),
      ...settings({
        'client-secret?': s.text(
          'the secret of that, or with Apple its private key; sealed, and never shown',
        ),
        'key-id?': s.text('with Apple, the id of the private key'),
        'team-id?': s.text('with Apple, the id of the team'),
        'scopes?': s.described(s.listOf(s.STRING), 'with an issuer `openid`, `email` and `profile`'),
        'claims?': s.described(
          { type: 'object', additionalProperties: s.STRING },
          'which claim each attribute of a new account is: `{"full-name": "name"}`',
        ),
      }),
    },
    closed: true,
    example: { name: 'google', issuer: 'https://accounts.google.com', 'client-id': 'shop.apps.example' },
  },
  [CORE.identity]: {
    says: 'Who a user is at an identity provider.',
    attributes: made({
      provider: s.text('the name of the provider'),
      user: s.text('the id of the user'),
      created: s.described(DATE, 'when the user first came from there'),
    }),
    closed: true,
    madeExample: { provider: 'google', user: '6560a1b2c3d4e5f601234567' },
  },
  [CORE.mail]: {
    says: 'A mail that [the mailbox](operating.md#mail) has kept in the place of sending it.',
    attributes: made({
      from: s.text('the sender'),
      to: s.text('the addressee'),
      subject: s.text('the subject'),
      text: s.text('the text'),
      html: s.text('the same as HTML'),
      created: s.described(DATE, 'when it was written'),
    }),
    closed: true,
    madeExample: { to: 'ada@example.org', subject: 'Log in to Bookshop' },
  },
};
