/** A question to whoever runs a command that cannot be taken back: they type a word, or the command does nothing. */
import { createInterface } from 'node:readline/promises';
import { Failure } from '../failure.ts';

/** Resolves when the word was typed; fails for anything else, and where nobody can type. */
export async function confirm(word: string, what: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<null>((resolve) =>
    lines.once('close', () => {
      resolve(null);
    }),
  );
  const answer = await Promise.race([lines.question(`${what}\nType ${word} to go on: `), ended]);
  lines.close();
  if (answer?.trim() !== word) throw new Failure('Nothing was done. With --yes the command does not ask.');
}
