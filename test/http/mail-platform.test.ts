/** Mail by the platform's binding, as Miniflare has it: what it takes becomes files, which it names in its log. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { afterAll, expect, test } from 'vitest';
import { buildWorker } from '../../scripts/build-worker.ts';
import { workerOptions } from '../../scripts/worker-options.ts';
import { MAIL, sendMail } from '../support/mails.ts';

class Lines extends Log {
  readonly lines: string[] = [];

  override log(message: string): void {
    this.lines.push(message);
  }
}

const log = new Lines(LogLevel.INFO);
// The runtime's wrapper holds no folder for it.
process.env['FOREDGE_FOLDER'] = '';
const script = await buildWorker(join(import.meta.dirname, '../support/mail-worker.ts'));
const email = { send_email: [{ name: 'MAIL' }] };
const options = { ...workerOptions(), email, script, modules: true as const, cf: false as const, log };
const miniflare = new Miniflare(convertV4MiniflareOptions({ ...options, telemetry: { enabled: false } }));
const url = (await miniflare.ready).origin;
afterAll(() => miniflare.dispose());

const send = (mail: Partial<typeof MAIL> = {}) => sendMail({ url, application: '0'.repeat(24) }, mail);
/** What was said of mails: it comes after the answer. */
const told = () => log.lines.filter((line) => line.includes('send_email')).join('\n');

test('it takes sender, addressee, subject and both texts', async () => {
  // What is no address does not come to it.
  expect(await send({ to: 'ada@example.org\nBcc: eve@example.net' })).toMatchObject({ state: 'failed' });
  expect(await send()).toEqual({ state: 'delivered' });
  await expect.poll(told).toContain(MAIL.subject);
  expect(told()).toContain(MAIL.from);
  expect(told()).toContain(MAIL.to);
  expect(told()).not.toContain('eve@example.net');
  const files = Array.from(told().matchAll(/\/\S+\.(?:txt|html)/g), ([file]) =>
    readFileSync(file, 'utf8').trim(),
  );
  expect(files).toEqual([MAIL.text, MAIL.html]);
});
