/** What wrangler.toml says of each deployment, as wrangler reads it: what the platform would refuse, cost or open. */
import { describe, expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { ROOT } from '../support/started.ts';

const ENVIRONMENTS = ['', 'staging'] as const;
/** What is looked at. */
type Deployment = Readonly<
  Record<
    'account_id' | 'compatibility_flags' | 'kv_namespaces' | 'limits' | 'name' | 'ratelimits' | 'vars',
    unknown
  >
> & {
  readonly durable_objects: Readonly<Record<'bindings', unknown>>;
  readonly observability?: Readonly<Record<'logs', unknown>>;
};
const read = (env: string) =>
  unstable_readConfig({ config: `${ROOT}/wrangler.toml`, env }) as unknown as Deployment;

describe.each(ENVIRONMENTS)('environment %j', (env) => {
  const config = read(env);

  test('calls no host of its own zone behind the firewall', () => {
    expect(config.compatibility_flags).toContain('global_fetch_strictly_public');
  });

  test('has the processor time and the calls that builds and streams take', () => {
    expect(config.limits).toEqual({ cpu_ms: 300_000, subrequests: 1_000_000 });
  });

  test('logs no invocations, and the share of requests that the operator sets', () => {
    expect(config.observability?.logs).toMatchObject({ enabled: true, invocation_logs: false });
    expect(config.vars).toHaveProperty('LOG_PERCENT');
  });

  test('has all bindings, and no id of an account', () => {
    const [collections, sessions] = [{ name: 'COLLECTIONS' }, { name: 'SESSIONS' }];
    expect(config.durable_objects.bindings).toMatchObject([collections, sessions]);
    expect(config.kv_namespaces).toEqual([{ binding: 'LOOKUPS' }, { binding: 'TOKENS' }]);
    expect(config.ratelimits).toMatchObject([{ name: 'LOGINS_BY_USER' }, { name: 'LOGINS_BY_ADDRESS' }]);
    expect(config.account_id).toBeUndefined();
  });
});

test('environments share no name and no counters', () => {
  const all = ENVIRONMENTS.map(read);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  const texts = all.map(({ ratelimits }) => JSON.stringify(ratelimits));
  const counters = texts.flatMap((text) => text.match(/"namespace_id":"\d+"/g) ?? []);
  expect(counters).toHaveLength(2 * all.length);
  expect(new Set(counters).size).toBe(counters.length);
});
