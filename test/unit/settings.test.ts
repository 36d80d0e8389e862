/** The settings of the Worker: what they may be, what holds without them. */
import { expect, test } from 'vitest';
import { readSettings, settingsOf, settingTexts } from '../../src/domain/environment/settings.ts';

const WITHOUT = readSettings({});

test('without any, browsers may call from anywhere, and links follow the request', () => {
  expect(WITHOUT).toEqual({
    corsOrigins: null,
    publicUrl: null,
    clientAddressHeader: null,
    loginFailuresByUser: 10,
    loginFailuresByAddress: 100,
    bodyDeadline: 60_000,
    answerPatience: 30_000,
    objectsAtOnce: null,
    sessionLease: 30_000,
    lostCollections: new Set(),
    logFields: new Set(),
    webhooksToPrivate: false,
    smtpUrl: null,
    mailbox: false,
    deliveryPause: 5_000,
    deliveryTries: 10,
    deletionGrace: 604_800,
    backupHours: 24,
    backupDays: 30,
    logPercent: 100,
    logDelay: 0,
    usageDelay: 10_000,
    fileBytes: 100_000_000,
  });
});

test.each([
  [{ CORS_ORIGINS: '*' }, { corsOrigins: null }],
  [{ CORS_ORIGINS: 'https://a.example, *' }, { corsOrigins: null }],
  [
    { CORS_ORIGINS: ' https://a.example ,http://localhost:3000,capacitor://localhost' },
    { corsOrigins: new Set(['https://a.example', 'http://localhost:3000', 'capacitor://localhost']) },
  ],
  [{ PUBLIC_URL: 'https://api.example.com' }, { publicUrl: 'https://api.example.com' }],
  [{ PUBLIC_URL: 'https://API.example.com:443/' }, { publicUrl: 'https://api.example.com' }],
  [{ PUBLIC_URL: 'http://localhost:8080/store/' }, { publicUrl: 'http://localhost:8080/store' }],
  [{ CLIENT_ADDRESS_HEADER: 'X-Real-IP' }, { clientAddressHeader: 'X-Real-IP' }],
  [{ LOGIN_FAILURES_BY_USER: '3' }, { loginFailuresByUser: 3 }],
  [{ LOGIN_FAILURES_BY_ADDRESS: ' 7 ' }, { loginFailuresByAddress: 7 }],
  [{ BODY_DEADLINE: '500' }, { bodyDeadline: 500 }],
  [{ SESSION_LEASE: '500' }, { sessionLease: 500 }],
  [{ LOG_FIELDS: 'bytes, key-name' }, { logFields: new Set(['bytes', 'key-name']) }],
  [{ LOG_DELAY: '10' }, { logDelay: 10 }],
  [{ MAILBOX: 'yes' }, { mailbox: true }],
  [
    { SMTP_URL: 'smtps://me%40example.com:a%3Ab@mail.example.com' },
    {
      smtpUrl: { host: 'mail.example.com', port: 465, secure: true, user: 'me@example.com', password: 'a:b' },
    },
  ],
  [
    { SMTP_URL: 'smtp://[::1]:1025' },
    { smtpUrl: { host: '::1', port: 1025, secure: false, user: null, password: null } },
  ],
  [{ CORS_ORIGINS: '', PUBLIC_URL: ' ', LOG_DELAY: '' }, {}],
  [{ LOOKUPS: {}, OTHER: 'x' }, {}],
])('%j', (variables, expected) => {
  expect(readSettings(variables)).toEqual({ ...WITHOUT, ...expected });
});

test('no message repeats a setting that holds a password', () => {
  const read = () => readSettings({ SMTP_URL: 'smtp://me:hidden@mail.example.com' });
  expect(read).toThrow(/^The setting SMTP_URL must be /);
  expect(read).not.toThrow(/hidden/);
});

test.each([
  ['CORS_ORIGINS', 'app.example.com'],
  ['CORS_ORIGINS', 'https://app.example.com/'],
  ['CORS_ORIGINS', 'https://app.example.com:443'],
  ['CORS_ORIGINS', 'https://App.example.com'],
  ['CORS_ORIGINS', 'https://a.example https://b.example'],
  ['CORS_ORIGINS', 'https://a.example,,https://b.example'],
  ['PUBLIC_URL', 'api.example.com'],
  ['PUBLIC_URL', 'ftp://api.example.com'],
  ['PUBLIC_URL', 'https://user:secret@api.example.com'],
  ['PUBLIC_URL', 'https://api.example.com?x=1'],
  ['PUBLIC_URL', 'https://api.example.com/#'],
  ['CLIENT_ADDRESS_HEADER', 'X Real IP'],
  ['CLIENT_ADDRESS_HEADER', 'X-Real-IP:'],
  ['LOG_FIELDS', 'body'],
  ['LOGIN_FAILURES_BY_USER', '0'],
  ['LOGIN_FAILURES_BY_USER', '-1'],
  ['LOGIN_FAILURES_BY_USER', '1.5'],
  ['LOGIN_FAILURES_BY_ADDRESS', 'many'],
  ['BODY_DEADLINE', '60001'],
  ['LOG_DELAY', '1e3'],
])('%s can not be %s, and the refusal says so', (name, text) => {
  expect(() => readSettings({ [name]: text })).toThrow(`The setting ${name} must be `);
});

test('they are read once for each environment', () => {
  const environment = { LOG_DELAY: '10' };
  expect(settingsOf(environment)).toBe(settingsOf(environment));
});

test('one process hands another those that are set', () => {
  const variables = {
    PATH: '/bin',
    PORT: '1',
    LOG_DELAY: '10',
    CORS_ORIGINS: '',
    PUBLIC_URL: 'https://a.example',
  };
  expect(settingTexts(variables)).toEqual({ LOG_DELAY: '10', PUBLIC_URL: 'https://a.example' });
});
