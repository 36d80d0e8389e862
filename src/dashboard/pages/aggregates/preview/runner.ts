/**
 * Runs pipelines that nobody has saved. The service runs what is stored, so a definition of its own name is stored for
 * as long as the page is open: rights, limits and caches are those of any aggregate.
 */
import { ForedgeError } from '../../../../client/errors.ts';
import { pathOf } from '../../../../client/paths.ts';
import type { Resource } from '../../../../client/transport.ts';
import type { Json } from '../../../../client/values.ts';
import { documentOf, listOf } from '../../../session/answers.ts';
import { ask } from '../../../session/service.ts';
import { isItems, isMembers, textOf, type Members } from '../../document/values/kinds.ts';
import { AGGREGATES, OUTPUTS } from '../definition.ts';

/** What such definitions are called: whoever finds one that was left may delete it. */
export const PREVIEW = `${OUTPUTS}preview-`;

/** How many documents of a stage are shown, and how many outputs. */
const SHOWN = 8;
const OUTPUTS_SHOWN = 500;

export interface Seen {
  /** How many documents leave the stage. */
  readonly count: number;
  readonly documents: readonly Members[];
}

export class Runner {
  readonly #name = `${PREVIEW}${crypto.randomUUID().replaceAll('-', '')}`;
  #id: string | undefined;
  #isEnded = false;

  /** What leaves the last of these stages: how many documents, and the first of them. */
  async look(definition: Members, stages: readonly Json[], signal: AbortSignal): Promise<Seen> {
    // One document holds them all, so that ids may repeat, as they do behind `unwind`.
    const gather = {
      group: {
        id: null,
        count: { $sum: 1 },
        documents: { $firstN: { n: SHOWN, input: '$$ROOT' } },
      },
    };
    await this.#store({ ...definition, pipeline: [...stages, gather] }, signal);
    const [gathered] = (await this.#read('page[size]=1', signal)).documents;
    const { count = 0, documents = [] } = gathered?.attributes ?? {};
    return { count: Number(textOf(count)), documents: isItems(documents) ? documents.filter(isMembers) : [] };
  }

  /** What the whole pipeline makes. */
  async run(definition: Members, pipeline: readonly Json[], signal: AbortSignal) {
    await this.#store({ ...definition, pipeline }, signal);
    return this.#read(`page[size]=${OUTPUTS_SHOWN}`, signal);
  }

  /** Deletes the definition. It is sent even while the page closes. */
  end(): void {
    this.#isEnded = true;
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) void ask('DELETE', pathOf(AGGREGATES, id)).catch(() => undefined);
  }

  async #store(definition: Members, signal: AbortSignal): Promise<void> {
    const attributes = { parameters: {}, ...definition, 'output-type': this.#name };
    if (this.#id !== undefined) {
      const data = { type: AGGREGATES, id: this.#id, attributes };
      try {
        await ask('PATCH', pathOf(AGGREGATES, this.#id), { body: { data }, signal });
        return;
      } catch (error) {
        // Somebody has cleared it away.
        if (!(error instanceof ForedgeError) || error.status !== 404) throw error;
      }
    }
    const { body } = await ask('POST', pathOf(AGGREGATES), {
      body: { data: { type: AGGREGATES, attributes } },
    });
    this.#id = documentOf(body)?.id;
    if (this.#isEnded) this.end();
    signal.throwIfAborted();
  }

  async #read(
    query: string,
    signal: AbortSignal,
  ): Promise<{ readonly documents: readonly Resource[]; readonly count: number }> {
    const { body } = await ask('GET', pathOf(this.#name), { query: encodeURI(query), signal });
    const documents = listOf(body);
    return { documents, count: body.meta?.count ?? documents.length };
  }
}
