/**
 * Begins a login at another service (OpenID Connect, the code flow with PKCE): the answer says where the browser goes.
 * What must not be guessed is derived from the secrets, as codes are, and stored nowhere.
 */
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import { everyOf } from '../../../collection/rpc/maintenance/applications.ts';
import { LOG_IN_PROVIDER, type AccountSettings } from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, failed, ok, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { memberOf, textAt } from '../../../domain/values/tree.ts';
import { faultAt, missing } from '../../documents/attributes.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { begin, readBegun, refusalOf, freshUserOf, userOf } from '../accounts/begun.ts';
import { closed, codesFor } from '../accounts/settings.ts';
import { authorizationOf, providerOf } from './provider.ts';

/** Providers that pages have buttons for. */
const SHOWN = 20;

/** The names of the first providers of an application. */
export async function namesOfProviders(caller: CallContext): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { attributes } of everyOf(caller, CORE.identityProvider)) {
    if (names.length === SHOWN) break;
    names.push(textAt(attributes, 'name') ?? '');
  }
  return names;
}

export async function beginAtProvider(
  context: RequestContext,
  settings: AccountSettings,
): Promise<Outcome<Answer>> {
  const { environment } = context;
  const { returnTo } = settings;
  const read = readBegun(context, LOG_IN_PROVIDER, ['provider', 'return-to']);
  if (!read.ok) return read;
  const joining = userOf(context) === null ? ok(null) : freshUserOf(context);
  if (!joining.ok) return joining;
  const user = joining.value;
  const name = memberOf(read.value, 'provider');
  const wanted = memberOf(read.value, 'return-to') ?? returnTo[0];
  if (name === undefined) return failed(missing('provider'));
  const back = returnTo.find((each) => each === wanted);
  if (returnTo.length === 0) return closed();
  if (back === undefined)
    return failed(faultAt('/return-to', 'This is none of the addresses in the account settings.'));
  const providers = collectionOf(context, CORE.identityProvider);
  const found = typeof name === 'string' && name !== '' ? await providers.findUnique('name', name) : null;
  const provider = found === null ? null : providerOf(found);
  if (provider === null) return failed(faultAt('/provider', 'There is no identity provider of this name.'));
  const refused = await refusalOf(context, LOG_IN_PROVIDER, user);
  if (refused !== null) return refused;
  const endpoint = await authorizationOf(provider, environment.OUTWARD).catch(() => null);
  if (endpoint === null) return fail('unavailable', 'The identity provider does not answer as it should.');
  const attributes = {
    ...{ kind: LOG_IN_PROVIDER, provider: provider.id, 'return-to': back },
    ...(user !== null && { user }),
  };
  return begin(context, settings, attributes, async (id) => {
    const [secrets] = await secretsOf(context, id);
    if (secrets === undefined) throw new Error('There are no secrets.');
    const location = new URL(endpoint);
    const parameters = {
      ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: back, state: id },
      ...(provider.scopes !== '' && { scope: provider.scopes }),
      ...(provider.endpoints === null && { nonce: secrets.nonce }),
      // Apple tells addresses in no other way.
      ...(provider.signing !== null && { response_mode: 'form_post' }),
      code_challenge_method: 'S256',
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
    };
    for (const [key, value] of Object.entries(parameters)) location.searchParams.set(key, value);
    return { location: location.href, code: secrets.code };
  });
}

/**
 * Those under each secret of the service. Only who began has the code: what comes back to another browser
 * logs nobody in.
 */
export async function secretsOf(context: RequestContext, action: DocumentId) {
  const [codes = [], nonces = [], verifiers = []] = await Promise.all(
    ['code', 'nonce', 'verifier'].map((use) => codesFor(context, action, `${LOG_IN_PROVIDER} ${use}`)),
  );
  return codes.map((code, at) => ({ code, nonce: nonces[at] ?? '', verifier: verifiers[at] ?? '' }));
}
