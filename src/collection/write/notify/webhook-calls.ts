/**
 * Calls the receivers of webhooks, signed as in Standard Webhooks (standardwebhooks.com). Of an answer, only the status
 * counts; its body is not read, and no redirect is followed.
 */
import { LIMITS } from '../../../domain/limits.ts';
import { faultOfAddress } from '../../../domain/addresses/outward.ts';
import { settingsOf } from '../../../domain/environment/settings.ts';
import { keyOfSecret } from '../../../domain/webhooks.ts';
import type { Environment } from '../../rpc/environment.ts';
import type { Webhook, Webhooks } from '../../storage/secondary/webhooks.ts';
import type { Waiting } from '../../storage/outbox/message.ts';
import type { Carried, Carrier } from './deliveries.ts';

/** The longest pause, in milliseconds, that a receiver may ask for. */
const LONGEST_PAUSE = 86_400_000;

/** Carries messages to the webhooks that hear of the writes of a collection. */
export function webhookCarrier(environment: Environment, webhooks: Webhooks): Carrier {
  return async (message) => {
    const webhook = webhooks.find(message.addressee);
    if (webhook === undefined) return { state: 'gone' };
    if (!webhook.active) return { state: 'resting' };
    // The settings may have changed since it was written.
    const fault = faultOfAddress(webhook.url, settingsOf(environment).webhooksToPrivate);
    return fault === undefined ? call(environment, webhook, message) : { state: 'failed', failure: fault };
  };
}

async function call({ OUTWARD }: Environment, webhook: Webhook, message: Waiting): Promise<Carried> {
  const send: typeof fetch = OUTWARD === undefined ? fetch : OUTWARD.fetch.bind(OUTWARD);
  try {
    const answer = await send(webhook.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Foredge-Webhooks',
        ...(await signed(webhook.secret, message)),
      },
      body: message.payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMITS.webhookPatience),
    });
    await answer.body?.cancel();
    if (answer.ok) return { state: 'delivered' };
    const after = pauseAsked(answer.headers.get('Retry-After'), Date.now());
    return { state: 'failed', failure: `It answered ${answer.status}.`, ...(after !== null && { after }) };
  } catch (error) {
    return { state: 'failed', failure: failureOf(error) };
  }
}

/** The headers of Standard Webhooks. Each try has its own time: receivers may refuse what is sent again much later. */
async function signed(secret: string, { id, payload }: Waiting): Promise<Record<string, string>> {
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) };
  const bytes = keyOfSecret(secret);
  if (bytes === undefined) throw new Error('The secret of the webhook is none.');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${payload}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
  return { ...headers, 'webhook-signature': `v1,${signature.toBase64()}` };
}

/** The milliseconds of a `Retry-After`: seconds, or a date. */
function pauseAsked(header: string | null, now: number): number | null {
  if (header === null) return null;
  const pause = /^[0-9]{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return pause > 0 ? Math.min(pause, LONGEST_PAUSE) : null;
}

/** What the owner of the webhook is told: nothing of this machine. */
function failureOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `It did not answer within ${LIMITS.webhookPatience / 1000} seconds.`;
  }
  return 'It could not be reached.';
}
