/** The peer, loaded. Where this machine cannot run it, it is passed over with a word. */
import type { Contender, ContenderName } from '../contender.ts';
import { isInterrupted } from '../processes.ts';
import { startParse } from './parse.ts';

/** The most documents that a peer is loaded with. */
const MOST = 100_000;

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
  if (!names.includes('parse') && !names.includes('indexed'))
    return { contenders: [], notes: [], failures: 0 };
  if (size > MOST) {
    const note = `parse-server was left out: it takes part with up to ${MOST.toLocaleString('en')} documents.`;
    return { contenders: [], notes: [note], failures: 0 };
  }
  try {
    const contenders = await startParse(size, withNotes);
    return { contenders: contenders.filter(({ name }) => names.includes(name)), notes: [], failures: 0 };
  } catch (error) {
    if (isInterrupted()) throw error;
    const note = `parse-server was left out: ${error instanceof Error ? error.message : String(error)}`;
    return { contenders: [], notes: [note], failures: 1 };
  }
}
