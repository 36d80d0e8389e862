/** The endpoints of accounts (docs/accounts.md). Settings and mails are for keys without ACL, actions for everybody. */
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { CORE } from '../../../domain/types.ts';
import { allEndpointsOf, endpointsOf, trustedOnly } from '../../documents/endpoints.ts';
import type { Endpoint } from '../../endpoint.ts';
import { readMails, sendMailsAgain } from '../../webhooks/deliveries.ts';
import { beginAction } from './actions.ts';
import { redeemAction } from './redeem.ts';
import { previewTemplate } from './templates.ts';
import { deleteWayIn } from './ways-in.ts';

const ACTIONS = pathOfType(CORE.accountAction);

const SETTINGS = allEndpointsOf({
  path: pathOfType(CORE.accountSettings),
  one: 'the account settings',
  many: 'account settings',
});

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
  ...endpointsOf({ path: pathOfType(CORE.mail), one: 'a mail', many: 'mails' }).filter(
    ({ method }) => method === 'GET' || method === 'DELETE',
  ),
];

const PASSKEYS = waysIn({ path: pathOfType(CORE.passkey), one: 'a passkey', many: 'passkeys' }).filter(
  ({ method }) => method !== 'POST',
);

const TEMPLATES = pathOfType(CORE.mailTemplate);

const OF_TEMPLATES: readonly Endpoint[] = [
  ...endpointsOf({ path: TEMPLATES, one: 'a template of mails', many: 'templates of mails' }),
  {
    method: 'GET',
    path: `${TEMPLATES}/{id}/preview`,
    summary: 'Shows a mail of a template, with examples',
    answers: { 200: 'mail' },
    problems: ['document-not-found'],
    handle: previewTemplate,
  },
];

const PROVIDERS = endpointsOf({
  path: pathOfType(CORE.identityProvider),
  one: 'an identity provider',
  many: 'identity providers',
});

const FACTORS = endpointsOf({
  path: pathOfType(CORE.secondFactor),
  one: 'a second factor',
  many: 'second factors',
}).filter(({ method }) => method === 'GET' || method === 'DELETE');

const IDENTITIES = waysIn({ path: pathOfType(CORE.identity), one: 'an identity', many: 'identities' }).filter(
  ({ method }) => method === 'GET' || method === 'DELETE',
);

/** A user keeps one of them. */
function waysIn(of: Parameters<typeof endpointsOf>[0]): readonly Endpoint[] {
  return endpointsOf(of).map((endpoint) =>
    endpoint.method === 'DELETE'
      ? { ...endpoint, problems: [...(endpoint.problems ?? []), 'last-way-in'], handle: deleteWayIn }
      : endpoint,
  );
}

export const ACCOUNTS: readonly Endpoint[] = [
  ...trustedOnly('Account settings', SETTINGS),
  ...trustedOnly('Mails', MAILS),
  ...PASSKEYS,
  ...trustedOnly('Templates of mails', OF_TEMPLATES),
  ...trustedOnly('Identity providers', PROVIDERS),
  ...IDENTITIES,
  ...trustedOnly('Second factors', FACTORS),
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
