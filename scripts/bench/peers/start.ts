/** The peers that this machine can run, loaded. One that it can not is passed over with a word. */
import type { Contender, ContenderName } from '../contender.ts';
import { isInterrupted } from '../processes.ts';
import { startFortune } from './fortune.ts';
import { startParse } from './parse.ts';

/** The most documents that a peer is loaded with: fortune goes through all of them for every list. */
const MOST = { parse: 100_000, fortune: 10_000 };

export interface Peers {
  readonly contenders: readonly Contender[];
  readonly notes: readonly string[];
  readonly failures: number;
}

export async function startPeers(
  names: readonly ContenderName[],
  size: number,
  withNotes: boolean,
): Promise<Peers> {
  const contenders: Contender[] = [];
  const notes: string[] = [];
  let failures = 0;
  const attempt = async (what: keyof typeof MOST, begin: () => Promise<readonly Contender[]>) => {
    if (size > MOST[what]) {
      notes.push(
        `${what} was left out: it takes part with up to ${MOST[what].toLocaleString('en')} documents.`,
      );
      return;
    }
    try {
      contenders.push(...(await begin()));
    } catch (error) {
      if (isInterrupted()) throw error;
      failures += 1;
      notes.push(`${what} was left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  if (names.includes('parse') || names.includes('indexed')) {
    await attempt('parse', () => startParse(size, withNotes));
  }
  if (names.includes('fortune')) await attempt('fortune', async () => [await startFortune(size)]);
  return { contenders: contenders.filter(({ name }) => names.includes(name)), notes, failures };
}
