/** The OpenID Connect issuer that an application trusts: `oidc` of its document, which only the operator can write. */
import { collectionOf } from '../collection/rpc/client.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import { Lru } from '../domain/caching/lru.ts';
import { CORE } from '../domain/types.ts';
import { isFields, type Value } from '../domain/values/values.ts';
import { memberOf } from '../domain/values/tree.ts';
import { TRUSTED } from '../domain/rules.ts';
import { storedId, type ApplicationId, SYSTEM_APPLICATION } from '../domain/ids.ts';

export interface Issuer {
  /** Its identifier, exactly as its tokens have it. */
  readonly issuer: string;
  /** The audience of tokens: the client id that the application has with the issuer. */
  readonly audience: string;
}

/** A fault of an `oidc` attribute: the faulty member, or null for the whole. */
interface IssuerFault {
  readonly member: keyof Issuer | null;
  readonly detail: string;
}

/** Milliseconds for which an isolate caches an application's issuer; a change takes as long to reach other isolates. */
const BELIEVED = 30_000;

const LONGEST = 1024;

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

/** The issuers of applications, null for those without, so that a flood of logins does not cause a flood of reads. */
const known = new Lru<string, Issuer | null>(10_000, BELIEVED);

/** The issuer that the operator set for an application. */
export async function issuerOf(environment: Environment, application: ApplicationId): Promise<Issuer | null> {
  const found = known.get(application);
  if (found !== undefined) return found;
  const applications = collectionOf({ environment, application: SYSTEM_APPLICATION }, CORE.application);
  const read = await applications.read(storedId(application), TRUSTED);
  const oidc = read.state === 'found' ? memberOf(read.document.attributes, 'oidc') : undefined;
  const issuer = readIssuer(oidc ?? null).issuer;
  known.set(application, issuer);
  return issuer;
}

/** To be called after a change of an application's document: the next login here uses the change. */
export function forgetIssuer(application: ApplicationId): void {
  known.delete(application);
}

/** An `oidc` attribute; null means that there is no issuer. */
export function readIssuer(value: Value) {
  if (value === null) return { issuer: null, faults: [] };
  const fault = (member: keyof Issuer | null, detail: string) => ({ member, detail });
  if (!isFields(value) || Object.keys(value).some((name) => name !== 'issuer' && name !== 'audience')) {
    const detail = 'The oidc attribute must be null, or an object with issuer and audience alone.';
    return { issuer: null, faults: [fault(null, detail)] };
  }
  const issuer = memberOf(value, 'issuer');
  const audience = memberOf(value, 'audience');
  const faults: IssuerFault[] = [];
  // It has neither query nor fragment (OpenID Connect Discovery 1.0, section 4).
  if (typeof issuer !== 'string' || !isSafeAddress(issuer) || /[?#\s]/.test(issuer)) {
    faults.push(fault('issuer', 'The issuer must be an https address without query, fragment and password.'));
  }
  if (typeof audience !== 'string' || audience === '' || audience.length > LONGEST) {
    faults.push(fault('audience', `The audience must be a string of 1 to ${LONGEST} characters.`));
  }
  return faults.length > 0 || typeof issuer !== 'string' || typeof audience !== 'string'
    ? { issuer: null, faults }
    : { issuer: { issuer, audience }, faults };
}

/** True for `https`, and for `http` to this machine: tokens are only as safe as the transport of their keys. */
export function isSafeAddress(text: string): boolean {
  if (text.length > LONGEST || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** What the configuration of an issuer of many tenants, which is Microsoft's, has in the place of one. */
export const ANY_TENANT = '{tenantid}';

const TENANT = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\{tenantid\})$/;

/** The issuer that the tokens of a tenant name; the same for all others. */
export function ofTenant(issuer: string, tenant: unknown): string {
  return typeof tenant === 'string' && TENANT.test(tenant)
    ? issuer.replace(/\/(common|organizations|consumers)(?=\/v2\.0$)/, `/${tenant}`)
    : issuer;
}
