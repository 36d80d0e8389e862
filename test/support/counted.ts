/**
 * A service of its own whose calls and look-ups are counted: of the common one, others would be counted too. Also for
 * tests of settings, which the common one has by default.
 */
import { join } from 'node:path';
import { Operator } from '../../scripts/operator.ts';
import { Client } from './client.ts';
import { startRuntime } from '../../scripts/runtime.ts';

export const OPERATOR_SECRET = 'o'.repeat(40);

export interface Counted {
  readonly url: string;
  /** A new application, whose key nobody has used. */
  readonly application: () => Promise<Client>;
  readonly stop: () => Promise<void>;
}

/** With settings of the Worker, where a test is about one. `log` takes the lines that it logs. */
export async function startCounted(
  settings: Readonly<Record<string, string>> = {},
  log: (line: string) => void = () => undefined,
): Promise<Counted> {
  const { url, stop } = await startRuntime({
    port: 0,
    data: null,
    // Nothing is handed on in the background, where calls are counted.
    settings: { USAGE_DELAY: '0', ...settings },
    secrets: { CREDENTIAL_SECRETS: `1:${'s'.repeat(40)}`, OPERATOR_SECRET },
    entry: join(import.meta.dirname, 'worker.ts'),
    log,
  });
  const application = async () => {
    const { id, apiKey } = await new Operator(url, OPERATOR_SECRET).create('counted');
    return new Client(url, id, apiKey);
  };
  return { url, application, stop };
}
