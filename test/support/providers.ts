/** Logins at identity providers: a service whose clock can be set, a real provider, people who go there and return. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { Operator } from '../../scripts/operator.ts';
import { ACCOUNTS_KEY, redeem, setAccounts } from './accounts.ts';
import { Client, type Reply, type Resource } from './client.ts';
import { CALLBACK, CLIENT, Issuer } from './issuer.ts';
import { OwnService, SECRETS, workerNamed } from './own-service.ts';
import { ACL, may, tokenOf } from './people.ts';

const KEY = [...ACCOUNTS_KEY, may('get delete', '/users/core\\.identity(/[0-9a-f]{24})?', ACL)];

/** A login that has begun: the redemption needs its code, the browser goes to its location. */
export interface Begun {
  readonly id: string;
  readonly code: string;
  readonly location: string;
}

/** An application with one provider, `site`. */
export class Site {
  readonly issuer: Issuer;
  readonly client: Client;
  readonly web: Client;
  readonly group: string;

  private constructor(issuer: Issuer, client: Client, web: Client, group: string) {
    this.issuer = issuer;
    this.client = client;
    this.web = web;
    this.group = group;
  }

  static async open({ url }: OwnService, issuer: Issuer): Promise<Site> {
    const { id, apiKey } = await new Operator(url, SECRETS.OPERATOR_SECRET).create('providers');
    const client = new Client(url, id, apiKey);
    const made = await client.create('/users/core.user-group');
    const group = made.body.data.id;
    const settings = { 'sign-up': 'open', 'second-factor': 'allowed', 'return-to': [CALLBACK] };
    await setAccounts(client, settings, [group]);
    const site = new Site(issuer, client, await client.withPermissions(KEY), group);
    expect((await site.addProvider()).status).toBe(201);
    return site;
  }

  /** Changes the settings of accounts. */
  async set(attributes: object, relationships: object = {}): Promise<void> {
    const [settings] = (await this.client.get('/users/core.account-settings')).body.data;
    const data = { type: 'core.account-settings', id: settings?.id, attributes, relationships };
    const { status } = await this.client.patch(`/users/core.account-settings/${settings?.id ?? ''}`, {
      data,
    });
    expect(status).toBe(200);
  }

  addProvider(attributes: object = {}): Promise<Reply> {
    const all = { name: 'site', issuer: this.issuer.url, 'client-id': CLIENT, ...attributes };
    return this.client.create('/users/core.identity-provider', { attributes: all });
  }

  async start(headers: Record<string, string> = {}, provider = 'site'): Promise<Begun> {
    const data = { type: 'core.account-action', attributes: { kind: 'log-in-provider', provider } };
    const { status, body } = await this.web.post('/users/core.account-action', { data }, headers);
    expect(status).toBe(201);
    const { code, location } = body.data.attributes as Readonly<Record<'code' | 'location', string>>;
    return { id: body.data.id, code, location };
  }

  async back({ location }: Begun, subject: string, issuer = this.issuer): Promise<string> {
    return (await issuer.browse(`${location}&login_hint=${subject}`)).search;
  }

  /** Somebody goes to the provider and comes back. */
  async enter(subject: string, headers: Record<string, string> = {}): Promise<Reply> {
    const begun = await this.start(headers);
    const callback = await this.back(begun, subject);
    return redeem(this.web, begun.id, { code: begun.code, callback }, headers);
  }

  async me(reply: Reply): Promise<Resource> {
    return (await this.web.get('/users/core.user/me', tokenOf(reply))).body.data;
  }
}

/** To be called at the top of a test file: each of its tests has a site of its own. */
export function useSites(): {
  readonly site: () => Site;
  /** Lets the application of a site take id tokens of its issuer. */
  readonly trust: (site: Site) => Promise<unknown>;
  readonly setClock: (ahead: number) => Promise<Response>;
} {
  let service: OwnService;
  let issuer: Issuer;
  let stop: () => Promise<void>;
  let site: Site;
  beforeAll(async () => {
    service = await OwnService.start({
      entry: workerNamed('clock'),
      settings: {
        ...{ MAILBOX: 'yes', WEBHOOKS_TO_PRIVATE: 'yes' },
        ...{ LOGIN_FAILURES_BY_USER: '100', LOGIN_FAILURES_BY_ADDRESS: '1000' },
      },
    });
    ({ issuer, stop } = await Issuer.start());
  });
  beforeEach(async () => {
    site = await Site.open(service, issuer);
  });
  afterAll(async () => {
    await service.stop();
    await stop();
  });
  return {
    site: () => site,
    trust: ({ client, issuer: { url } }) =>
      new Operator(service.url, SECRETS.OPERATOR_SECRET).change(client.application, {
        oidc: { issuer: url, audience: CLIENT },
      }),
    setClock: (ahead) => fetch(`${service.url}/test/clock?ahead=${ahead}`, { method: 'POST' }),
  };
}
