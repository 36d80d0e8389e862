/** Pages whose `sh` blocks are to be pasted into a shell: what they hold, and running them as a reader would. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ROOT } from './started.ts';

/** A block to paste, with what the page says it prints: '' where it says nothing. */
interface Step {
  readonly script: string;
  readonly language: 'json' | 'text' | null;
  readonly printed: string;
}

const END = '-- end of step --';

/** Pastes every block of a page into one shell and compares what each prints. Returns what they have printed. */
export async function pasteAll(
  markdown: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const steps = readSteps(markdown);
  // One shell for all blocks, as in a terminal: what one sets, the next uses. Without the settings of whoever runs it.
  // Bash takes a socket on its standard input for a remote login, and must be told not to read its start-up files then.
  const pasted = steps.map(({ script }) => `${script}\necho; echo '${END}'\n`).join('');
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-u', '-c', pasted], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
  });
  expect(stderr).toBe('');
  const outputs = stdout.split(`${END}\n`).slice(0, -1);
  expect(outputs).toHaveLength(steps.length);
  for (const [index, { script, language, printed }] of steps.entries()) {
    const output = (outputs[index] ?? '').trim();
    if (language === 'json') {
      expect(filledIn(JSON.parse(printed), JSON.parse(output)), script).toEqual(JSON.parse(output));
    } else {
      expect(filledIn(printed.trim(), output), script).toBe(output);
    }
  }
  return outputs;
}

/** The `sh` blocks, each with the block of output that follows it before the next one. */
function readSteps(markdown: string): readonly Step[] {
  const blocks = [...markdown.matchAll(/^```(sh|json|text)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, kind, content = ''], index): Step[] => {
    if (kind !== 'sh') return [];
    const [, language, printed = ''] = blocks[index + 1] ?? [];
    return language === 'json' || language === 'text'
      ? [{ script: content, language, printed }]
      : [{ script: content, language: null, printed: '' }];
  });
}

/** What the page prints, with each … replaced by what stands there in the actual output. */
function filledIn(printed: unknown, actual: unknown): unknown {
  if (typeof printed === 'string' && typeof actual === 'string') {
    const pattern = printed.split('…').map(escaped).join('.+');
    return new RegExp(`^${pattern}$`, 's').test(actual) ? actual : printed;
  }
  if (typeof printed !== 'object' || printed === null) return printed;
  const others = (typeof actual === 'object' ? actual : null) ?? {};
  const filled = Object.entries(printed).map(([name, value]) => [
    name,
    filledIn(value, Object.entries(others).find(([other]) => other === name)?.[1]),
  ]);
  return Array.isArray(printed) ? filled.map(([, value]) => value) : Object.fromEntries(filled);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
