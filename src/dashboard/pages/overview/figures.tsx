/** An application in figures: what it holds, what came lately, what is asked of it, and what waits. Each leads on. */
import { pathOf } from '../../../client/paths.ts';
import { idOfSecond } from '../../../domain/ids.ts';
import { bytesText, countText } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { APPLICATION, application, isOperator, mayList } from '../../session/credentials.ts';
import { list, listNone } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { askMeta } from '../../session/service.ts';
import { largestOf, type StoredType } from '../../session/types.ts';
import { readRecent } from '../requests/recent.tsx';

type Figure = readonly [name: string, value: string | undefined, page?: string];

export function Figures({ types }: { readonly types: readonly StoredType[] }) {
  const { value: lately = [] } = useLoad((signal) => readLately(types, signal), [types]);
  const held: readonly Figure[] = [
    [types.length === 1 ? 'type' : 'types', countText(types.length)],
    ['documents', sumOf(types, 'documents', countText)],
    ['stored', sumOf(types, 'bytes', bytesText)],
  ];
  return (
    <dl class="across figures">
      {[...held, ...lately].map(
        ([name, value, page]) =>
          value !== undefined && (
            <div key={name}>
              <dt class="soft fine">{name}</dt>
              <dd>{page === undefined ? value : <a href={wayTo([page])}>{value}</a>}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The sum over all types, in words; undefined where one does not tell. */
function sumOf(types: readonly StoredType[], of: 'documents' | 'bytes', text: (sum: number) => string) {
  const known = types.map((type) => type[of]).filter((amount) => amount !== undefined);
  return known.length < types.length ? undefined : text(known.reduce((sum, amount) => sum + amount, 0));
}

/** What cannot be read is left out. */
async function readLately(types: readonly StoredType[], signal: AbortSignal): Promise<readonly Figure[]> {
  const read = [readGrowth(types, signal), readTraffic(signal), readWaiting(signal)];
  return (await Promise.all(read.map((each) => each.catch(() => [])))).flat();
}

const DAYS = 7;

/** Ids begin with the time at which they were made. Where rights decide what is seen, counting takes too long. */
async function readGrowth(types: readonly StoredType[], signal: AbortSignal): Promise<readonly Figure[]> {
  if (types.some(({ documents }) => documents === undefined)) return [];
  const $oid = idOfSecond(Math.floor(Date.now() / 1_000) - DAYS * 86_400);
  const query = { 'filter[id]': JSON.stringify({ $gte: { $oid } }) };
  const counts = largestOf(types).map(async ({ name }) => (await listNone(name, query, signal)).count ?? 0);
  return [
    [`new in ${DAYS} days`, countText((await Promise.all(counts)).reduce((sum, each) => sum + each, 0))],
  ];
}

async function readTraffic(signal: AbortSignal): Promise<readonly Figure[]> {
  const { value: { id } = {} } = application;
  if (!isOperator.value || id === undefined) return [];
  const [{ requests }, { errors }] = await Promise.all([
    askMeta<{ requests: number }>('GET', pathOf(APPLICATION, id, 'usage'), { signal }),
    readRecent(id, signal),
  ]);
  const refused = errors.reduce((sum, { count = 0 }) => sum + count, 0);
  return [
    ['requests', countText(requests), 'usage'],
    ['errors today', countText(refused), 'requests'],
  ];
}

/** Webhooks whose calls are asked for, one by one. */
const HOOKS = 20;

/** Mails and calls that are to be sent, or were given up: only where there are some. */
async function readWaiting(signal: AbortSignal): Promise<readonly Figure[]> {
  const [mails, hooks] = [pathOf('core.mail'), pathOf('core.webhook')];
  const { documents } = mayList(hooks)
    ? await list(hooks, { 'page[limit]': String(HOOKS), 'fields[core.webhook]': '' }, signal)
    : { documents: [] };
  const queues = [
    ...(mayList(mails) ? [['mails', mails] as const] : []),
    ...documents.map(({ id }) => ['calls', `${hooks}/${id}`] as const),
  ];
  const told = queues.map(async ([what, path]) => {
    const queue = await askMeta<Record<'waiting' | 'dead', number>>('GET', `${path}/deliveries`, { signal });
    const { waiting, dead } = queue;
    return [[`${what} waiting`, waiting] as const, [`${what} given up`, dead] as const];
  });
  const byName = Map.groupBy((await Promise.all(told)).flat(), ([name]) => name);
  return [...byName].flatMap(([name, all]) => {
    const sum = all.reduce((before, [, count]) => before + count, 0);
    const page = name.startsWith('mails') ? 'mailbox' : 'webhooks';
    return sum === 0 ? [] : [[name, countText(sum), page] as const];
  });
}
