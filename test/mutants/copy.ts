/** A copy of the project in which things may be broken: the working tree never is. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const NOT_COPIED = new Set(['node_modules', '.git', '.foredge', '.wrangler']);

/** Milliseconds after which tests that have not ended are ended: a breakage may make something run for ever. */
const LONGEST = 240_000;

export interface Verdict {
  readonly passed: boolean;
  /** Names of tests and files that failed; empty where nothing ran. */
  readonly failed: readonly string[];
  readonly output: string;
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

export class Copy {
  readonly #root: string;

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), 'foredge-mutants-'));
    cpSync(ROOT, this.#root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#root, 'node_modules'));
  }

  read(file: string): string {
    return readFileSync(join(this.#root, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#root, file), text);
  }

  has(file: string): boolean {
    return existsSync(join(this.#root, file));
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** What the model of transactions finds with a seed, in half a minute; null where all is in order. */
  runModel(seed: number): Promise<string | null> {
    const args = ['test/faults/main.ts', '--seed', `${seed}`, '--minutes', '0.5', 'transactions'];
    const options = { cwd: this.#root, timeout: LONGEST, killSignal: 'SIGKILL', maxBuffer: 1 << 26 } as const;
    return new Promise((resolve) => {
      execFile(process.execPath, args, options, (error, _, stderr) => {
        resolve(error === null ? null : error.killed === true ? 'The model did not end.' : stderr);
      });
    });
  }

  /** Runs test files, in their long form, until the first failure. */
  async run(files: readonly string[], bail = true): Promise<Verdict> {
    const report = join(this.#root, 'report.json');
    rmSync(report, { force: true });
    const args = [
      join(this.#root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--config', 'test/long.config.ts', '--reporter=json', `--outputFile=${report}`],
      ...(bail ? ['--bail=1'] : []),
      ...files,
    ];
    const output = await new Promise<string>((resolve) => {
      const options = {
        cwd: this.#root,
        timeout: LONGEST,
        killSignal: 'SIGKILL',
        maxBuffer: 1 << 26,
      } as const;
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        resolve(`${error?.killed === true ? 'The tests did not end.\n' : ''}${stdout}${stderr}`);
      });
    });
    if (output.startsWith('The tests did not end.'))
      return { passed: false, failed: [output.slice(0, 22)], output };
    if (!existsSync(report)) return { passed: false, failed: [], output };
    const { success, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly success: boolean;
      readonly testResults: readonly FileResult[];
    };
    const failed = testResults.flatMap(({ name, status, assertionResults }) => {
      const tests = assertionResults
        .filter((each) => each.status === 'failed')
        .map(({ fullName }) => fullName);
      return tests.length > 0 || status !== 'failed' ? tests : [basename(name)];
    });
    return { passed: success, failed, output };
  }
}
