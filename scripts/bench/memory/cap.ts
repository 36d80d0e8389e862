/** The cap on the runtime's heap, and the proof that it holds. */
import { Miniflare, convertV4MiniflareOptions } from 'miniflare';

/** Megabytes of V8's old space, as much as the platform gives an isolate. */
export const CAP = 128;

/** The environment of a server under the cap: Miniflare hands the flag on to V8. */
export const CAPPED = { MINIFLARE_WORKERD_V8_FLAGS: `--max-old-space-size=${CAP}` } as const;

/** Keeps so many megabytes: 65,536 numbers that are no integers take 512 KiB. */
const HOARDER = `export default {
  fetch(request) {
    const half = 2 * Number(new URL(request.url).searchParams.get('megabytes'));
    const kept = [];
    for (let part = 0; part < half; part += 1) kept.push(Array.from({ length: 65536 }, (_, index) => index + 0.5));
    return new Response(String(kept.length));
  },
};`;

/** Throws unless a Worker that keeps 300 MB dies under the cap and lives without. */
export async function proveCap(): Promise<void> {
  console.error('A Worker is to die of its memory now:');
  if (!(await survives(300, false))) throw new Error('A Worker died of 300 MB though nothing capped it.');
  if (!(await survives(CAP / 4, true))) throw new Error(`A Worker died of ${CAP / 4} MB under the cap.`);
  if (await survives(300, true)) throw new Error('A Worker kept 300 MB: the cap does not hold.');
}

async function survives(megabytes: number, isCapped: boolean): Promise<boolean> {
  const name = 'MINIFLARE_WORKERD_V8_FLAGS';
  const before = process.env[name];
  process.env[name] = isCapped ? CAPPED[name] : '';
  const options = { name: 'hoarder', modules: true, script: HOARDER, compatibilityDate: '2026-10-20' };
  const quiet = { telemetry: { enabled: false }, cf: false, handleStructuredLogs: () => undefined };
  const runtime = new Miniflare(convertV4MiniflareOptions({ ...options, ...quiet }));
  try {
    await runtime.ready;
    const answer = await runtime.dispatchFetch(`http://localhost/?megabytes=${megabytes}`);
    return answer.ok;
  } catch {
    return false;
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before;
    await runtime.dispose().catch(() => undefined);
  }
}
