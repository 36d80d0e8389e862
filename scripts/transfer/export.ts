/**
 * `npm run app -- export`: all that an application has stored, as lines of JSON. Into a file it goes on where it was
 * cut off; a type whose moment is not kept any more is begun again.
 */
import { Absent } from './absent.ts';
import { endOf, HEAD, lineOfApplication } from '../../src/domain/applications/export-frame.ts';
import { CORE } from '../../src/domain/types.ts';
import { isToken } from '../../src/domain/types/facts.ts';
import { contentLines } from './contents.ts';
import type { Progress } from './progress.ts';
import type { Service, TypeHeld } from './service.ts';
import type { ExportRequest, ExportState, ExportTarget } from './targets.ts';

/** Returns how many documents and deletions were written. */
export async function exportApplication(
  service: Service,
  request: ExportRequest,
  target: ExportTarget,
  progress: Progress,
): Promise<number> {
  try {
    const held = await service.types(request.application);
    const begun = target.begun ?? (await begin(service, request, held, target));
    const all = held.reduce((sum, { documents }) => sum + documents, 0);
    const absent = request.type === null ? await absentOf(target) : null;
    const { lines } = await goOn(service, request, begun, target, absent, (type, count) => {
      progress.show(type, count / Math.max(1, all), count);
    });
    for (const line of absent?.lines() ?? []) await target.write(`${line}\n`);
    await target.write(`${endOf(lines)}\n`);
    await target.end();
    return lines;
  } finally {
    progress.end();
    await target.close();
  }
}

/** What is known of links before the types that are left are read. */
async function absentOf({ begun, file }: ExportTarget): Promise<Absent> {
  return begun === null || file === null ? new Absent() : Absent.of(file, begun.bytes, begun.types);
}

/** Writes the types that are left, and returns how far it has come then. */
async function goOn(
  service: Service,
  request: ExportRequest,
  begun: ExportState,
  target: ExportTarget,
  absent: Absent | null,
  show: (type: string, lines: number) => void,
): Promise<ExportState> {
  const { application } = request;
  let state = begun;
  for (let [type] = state.types; type !== undefined; [type] = state.types) {
    show(type, state.lines);
    const page = await service.page(request, type, state.next);
    if (page === null) {
      await target.cut(state.before.bytes);
      state = { ...state, ...state.before, next: null };
      continue;
    }
    absent?.note(page.text, state.types);
    let bytes = state.bytes + (await target.write(page.text));
    if (type === CORE.file) {
      for await (const line of contentLines(service, application, page.text))
        bytes += await target.write(line);
    }
    const lines = state.lines + linesIn(page.text);
    state =
      page.next === null
        ? { types: state.types.slice(1), next: null, bytes, lines, before: { bytes, lines } }
        : { ...state, next: page.next, bytes, lines };
    await target.note(state);
  }
  return state;
}

/** Writes what comes before the first type. */
async function begin(
  service: Service,
  { application, type, tokens = false }: ExportRequest,
  held: readonly TypeHeld[],
  target: ExportTarget,
): Promise<ExportState> {
  const types = held.filter((each) => each.exported || (tokens && isToken(each.name)));
  const head = [HEAD];
  if (type === null) head.push(lineOfApplication(application, await service.application(application)));
  const bytes = await target.write(head.map((line) => `${line}\n`).join(''));
  const state = {
    types: type === null ? types.map(({ name }) => name) : [type],
    next: null,
    bytes,
    lines: 0,
    before: { bytes, lines: 0 },
  };
  await target.note(state);
  return state;
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
