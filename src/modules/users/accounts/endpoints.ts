/** The endpoints of accounts (docs/accounts.md). Settings and mails are for keys without ACL, actions for everybody. */
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { CORE } from '../../../domain/types.ts';
import { allEndpointsOf, endpointsOf, feedOf, READ_OR_REMOVE } from '../../documents/endpoints.ts';
import type { Endpoint } from '../../endpoint.ts';
import { readMails, sendMailsAgain } from '../../webhooks/deliveries.ts';
import { beginAction } from './actions.ts';
import { redeemAction } from './redeem.ts';
import { previewTemplate } from './templates.ts';
import { deleteWayIn } from './ways-in.ts';

const ACTIONS = pathOfType(CORE.accountAction);

const DELIVERIES = `${pathOfType(CORE.mail)}/deliveries`;

const MAILS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: DELIVERIES,
    summary: 'Shows the mails that wait, and those that were given up',
    answers: { 200: 'deliveries' },
    handle: readMails,
  },
  {
    method: 'POST',
    path: DELIVERIES,
    summary: 'Sends mails again that were given up',
    body: 'send again',
    answers: { 200: 'count of sent' },
    handle: sendMailsAgain,
  },
  ...endpointsOf(pathOfType(CORE.mail), 'a mail', 'mails', { only: READ_OR_REMOVE }),
];

/** A user keeps one of them. */
const WAY_IN = { remove: { problems: ['last-way-in'], handle: deleteWayIn } } as const;

const TEMPLATES = pathOfType(CORE.mailTemplate);

const OF_TEMPLATES: readonly Endpoint[] = [
  ...endpointsOf(TEMPLATES, 'a template of mails', 'templates of mails'),
  {
    method: 'GET',
    path: `${TEMPLATES}/{id}/preview`,
    summary: 'Shows a mail of a template, with examples',
    answers: { 200: 'mail' },
    problems: ['document-not-found'],
    handle: previewTemplate,
  },
];

const PROVIDERS = endpointsOf(
  pathOfType(CORE.identityProvider),
  'an identity provider',
  'identity providers',
);

const FACTORS = endpointsOf(pathOfType(CORE.secondFactor), 'a second factor', 'second factors', {
  only: READ_OR_REMOVE,
});

const SETTINGS = pathOfType(CORE.accountSettings);

export const ACCOUNTS: readonly Endpoint[] = [
  ...allEndpointsOf(SETTINGS, 'the account settings', 'account settings', { followed: true }),
  feedOf(SETTINGS, 'account settings'),
  ...MAILS,
  ...endpointsOf(pathOfType(CORE.passkey), 'a passkey', 'passkeys', {
    only: ['list', 'read', 'change', 'remove'],
    but: WAY_IN,
  }),
  ...OF_TEMPLATES,
  ...PROVIDERS,
  ...endpointsOf(pathOfType(CORE.identity), 'an identity', 'identities', {
    only: READ_OR_REMOVE,
    but: WAY_IN,
  }),
  ...FACTORS,
  {
    method: 'POST',
    path: ACTIONS,
    summary: 'Begins an account action: a mail brings its code, or a passkey or a provider proves it',
    body: 'create',
    answers: { 201: 'action' },
    problems: ['client-id', 'too-many-requests'],
    handle: beginAction,
  },
  {
    method: 'POST',
    path: `${ACTIONS}/{id}/redemption`,
    summary: 'Redeems an account action with its code, what a passkey has signed, or what a provider says',
    documents: CORE.userToken,
    body: 'redemption',
    preferences: ['cookie'],
    answers: { 201: 'token or passkey', 204: 'redeemed' },
    problems: ['invalid-code', 'second-factor-required', 'too-many-requests'],
    handle: redeemAction,
  },
];
