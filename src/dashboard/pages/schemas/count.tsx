/** How many existing documents a schema would refuse: all of them are read, page by page, and looked at in this tab. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { SCHEMA_LIMITS } from '../../../schema/limits.ts';
import { Problems, reasonOf, useWork, WorkButton } from '../../parts/button.tsx';
import type { Fault } from '../../parts/fields/json.ts';
import { nameOf } from '../../parts/fields/names.tsx';
import { Card, Table, type Column } from '../../parts/page.tsx';
import { countText } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { pagesOf } from '../../session/service.ts';
import { draftOf } from '../document/draft.ts';
import { checkerOf } from './check.ts';

/** How many documents a request brings. */
const SIZE = 500;
/** Steps of work for each, a tenth of the service's: they hold up the page. */
const STEPS = SCHEMA_LIMITS.work / 10;
/** How many failing documents are shown, and how many faults of each. */
const SHOWN = 100;
const FAULTS = 5;

interface Failing {
  readonly document: Resource;
  readonly faults: readonly Fault[];
}

interface Progress {
  /** How many documents there are, as far as known. */
  readonly total: number | undefined;
  readonly seen: number;
  readonly failing: number;
  /** How many take more steps. */
  readonly unchecked: number;
  /** The first of these. */
  readonly shown: readonly Failing[];
  readonly isDone: boolean;
}

/** Milliseconds after which whoever types, or stops it, has a turn. */
const AT_ONCE = 50;

/** Looks at all documents of a type, and tells how far it is after each page. */
async function countFailing(
  type: string,
  schema: unknown,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const check = await checkerOf([schema]);
  let rested = performance.now();
  const rest = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    rested = performance.now();
  };
  let progress: Progress = { total: undefined, seen: 0, failing: 0, unchecked: 0, shown: [], isDone: false };
  for await (const page of pagesOf(pathOf(type), { 'page[size]': String(SIZE) }, signal, true)) {
    const failing: Failing[] = [];
    let { unchecked } = progress;
    for (const document of page.documents) {
      const faults = check(draftOf(document), STEPS);
      if (faults.some(({ isUnfinished }) => isUnfinished)) unchecked += 1;
      else if (faults.length > 0) failing.push({ document, faults });
      if (performance.now() - rested > AT_ONCE) await rest();
    }
    progress = {
      total: page.count ?? progress.total,
      seen: progress.seen + page.documents.length,
      failing: progress.failing + failing.length,
      unchecked,
      shown: [...progress.shown, ...failing].slice(0, SHOWN),
      isDone: page.next === null,
    };
    onProgress(progress);
  }
}

interface CountProps {
  readonly type: string;
  /** The text of the schema as it stands in the editor. */
  readonly text: string;
}

export function Count({ type, text }: CountProps) {
  const [counted, setCounted] = useState('');
  const work = useWork<Progress>(async (report, signal) => {
    setCounted(text);
    await countFailing(type, JSON.parse(text), signal, report).catch((cause: unknown) => {
      // What was counted so far says that it was stopped.
      if (!signal.aborted) throw cause;
    });
  });
  const { progress, error, isBusy } = work;
  return (
    <Card title="Existing documents" actions={<WorkButton of={work}>Check documents</WorkButton>}>
      <p class="hint">
        Stored documents must satisfy the schema when they are next written. The check runs in this tab.
      </p>
      <Problems error={error} />
      <div role="status">
        {progress !== undefined && (
          <p>
            <strong class={progress.failing === 0 ? 'big good' : 'big bad'}>
              {progress.failing === 0 ? 'None would fail' : `${countText(progress.failing)} would fail`}
            </strong>{' '}
            <span class="soft">
              of {countText(progress.seen)}
              {!progress.isDone && progress.total !== undefined && ` of ${countText(progress.total)}`}{' '}
              documents
              {progress.isDone ? '' : isBusy ? ' so far' : ', where it was stopped'}.
              {progress.unchecked > 0 &&
                ` ${countText(progress.unchecked)} would take too long to check here.`}
              {counted !== text && ' The schema has changed since.'}
            </span>
          </p>
        )}
      </div>
      {isBusy && (
        <progress
          aria-label="Documents checked"
          max={progress?.total ?? 1}
          {...(progress !== undefined && { value: progress.seen })}
        />
      )}
      {progress !== undefined && progress.shown.length > 0 && (
        <Table
          label="Documents that would fail"
          columns={COLUMNS}
          rows={progress.shown}
          keyOf={({ document }) => document.id}
        />
      )}
      {progress !== undefined && progress.failing > SHOWN && <p class="hint">The first {SHOWN} are shown.</p>}
    </Card>
  );
}

const COLUMNS: readonly Column<Failing>[] = [
  {
    head: 'Document',
    class: 'name-cell',
    cell: ({ document }) => (
      <a href={wayTo(['documents', document.type, document.id])}>{nameOf(document) ?? document.id}</a>
    ),
  },
  {
    head: 'What is wrong',
    cell: ({ faults }) => (
      <ul class="stack wrap">
        {faults.slice(0, FAULTS).map(({ pointer, message }, index) => (
          <li key={index}>{reasonOf({ title: message, source: { pointer } })}</li>
        ))}
        {faults.length > FAULTS && <li class="soft">and {faults.length - FAULTS} more</li>}
      </ul>
    ),
  },
];
