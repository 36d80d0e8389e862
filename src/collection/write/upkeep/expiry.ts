/**
 * The end of documents whose type has the setting `expires` (docs/types.md). When the time of some has come, the next
 * request counts that as a change, and from then on nothing shows them (`Expiries.ended`); the alarm deletes them, in
 * steps. So no request waits for their deletion, however many they are, and tags, counts and kept results notice their
 * end as they notice any change.
 */
import { ok } from '../../../domain/problems.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { SingleFlight } from '../../../domain/work/single-flight.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import { ringBy, type AlarmStorage } from '../../storage/alarm.ts';
import { WRITE_STEP_DOCUMENTS, WRITE_STEP_TOUCHED } from '../../storage/steps.ts';
import type { Ended } from '../../storage/secondary/expiries.ts';
import type { Writes } from '../writes.ts';
import type { FieldName } from '../../../domain/field-names.ts';
import { Part, type Ground } from '../ground.ts';

/** Milliseconds after which the alarm looks again at the latest: platforms know no alarms in the far future. */
const FAR = 365 * 86_400_000;

/** The storage key of the name of the type: an alarm is not told which type it is for. */
const TYPE = 'type';

/** The storage key of what was told to have ended (`Ended`), until all of it is deleted: a clock may be set back. */
const ENDED = 'ended';

interface Parts extends Pick<Ground, 'tables' | 'rest'> {
  readonly storage: AlarmStorage & Pick<DurableObjectStorage, 'kv'>;
  readonly writes: Pick<Writes, 'alone' | 'hasTables' | 'sealed' | 'waits'>;
}

export class Expiry extends Part<Parts> {
  readonly #deleting = new SingleFlight<void>();
  /** What is stored as told; undefined before it was read. */
  #announced: Ended | null | undefined;

  /** To be called before the type gets settings. */
  know(type: string): void {
    if (!this.parts.writes.sealed) this.parts.storage.kv.put(TYPE, type);
  }

  /** To be called before a request reads or writes: what has ended by now is gone for it. This deletes nothing. */
  notice(): void {
    const { expiries, records } = this.parts.tables;
    const name = this.#name;
    const now = name === null ? 0 : this.#nowFor(name);
    if (name === null || !expiries.isDue(name, now)) {
      expiries.ended = null;
      this.#forget();
      return;
    }
    const { ended } = expiries;
    if (ended?.name === name && !expiries.isDue(name, now, ended.until)) return;
    const notice = { name, until: now };
    const counted = this.parts.writes.alone(() => {
      this.parts.storage.kv.put(ENDED, notice);
      return ok(records.nextVersion());
    });
    if (counted.ok) expiries.ended = this.#announced = notice;
  }

  /** The time, but none before what was told to have ended. */
  #nowFor(name: FieldName): number {
    if (this.#announced === undefined) this.#announced = this.parts.storage.kv.get<Ended>(ENDED) ?? null;
    return Math.max(Date.now(), this.#announced?.name === name ? this.#announced.until : -Infinity);
  }

  /** Deletes one document, if it has ended: whoever asks for it is told as of any that was deleted. */
  finish(id: DocumentId): void {
    if (this.#ended(id) === null || this.parts.writes.waits(id)) return;
    this.parts.writes.alone(() => {
      this.end(id);
      return ok(null);
    });
  }

  /** The same inside of a transaction that may have waited: what has been told to have ended does not come back. */
  end(id: DocumentId): void {
    const document = this.#ended(id);
    if (document !== null) this.parts.tables.expire(document.type, [document.seq]);
  }

  #ended(id: DocumentId) {
    const { expiries, records } = this.parts.tables;
    const type = expiries.ended === null ? undefined : this.type;
    const document = type === undefined ? undefined : records.find(id);
    if (type === undefined || document === undefined || !expiries.has(document)) return null;
    return { type, seq: document.seq };
  }

  /** Resolves when no document is there that is past its time. Calls that come meanwhile share the work. */
  settled(): Promise<void> {
    return this.#deleting.join(() => this.#deleteDue());
  }

  /** Sets the alarm for the next document. */
  async remind(): Promise<void> {
    const { next } = this;
    if (next === null) return;
    const now = Date.now();
    const due = this.#isDue ? now : next;
    await ringBy(this.parts.storage, Math.min(Math.max(due, now), now + FAR));
  }

  async alarm(): Promise<void> {
    if (this.#isDue) await this.settled();
    await this.remind();
  }

  get #name(): FieldName | null {
    return this.parts.writes.hasTables ? (this.parts.tables.settings.current?.expires ?? null) : null;
  }

  /** The type of the collection, if it has had settings. */
  get type(): TypeName | undefined {
    const known = this.parts.storage.kv.get(TYPE);
    return typeof known === 'string' ? storedType(known) : undefined;
  }

  /** When the next document ends, in milliseconds since 1970; null where none does. */
  get next(): number | null {
    const name = this.#name;
    return name === null ? null : this.parts.tables.expiries.next(name);
  }

  get #isDue(): boolean {
    const name = this.#name;
    return name !== null && this.parts.tables.expiries.isDue(name, this.#nowFor(name));
  }

  async #deleteDue(): Promise<void> {
    const type = this.type;
    if (type === undefined || this.parts.writes.waits()) return;
    const pause = this.parts.rest();
    for (
      let name = this.#name;
      name !== null && this.#isDue && !this.parts.writes.waits();
      name = this.#name
    ) {
      const field = name;
      const done = this.parts.writes.alone(() => {
        const { touched, expiries } = this.parts.tables;
        const { checkpoint } = touched;
        for (
          let left = WRITE_STEP_DOCUMENTS;
          left > 0 && touched.since(checkpoint) < WRITE_STEP_TOUCHED;
          left -= 1
        ) {
          this.parts.tables.expire(type, expiries.takeDue(field, this.#nowFor(field), 1));
        }
        return ok(null);
      });
      // The application was deleted.
      if (!done.ok) return;
      await pause();
    }
    this.#forget();
  }

  /** All that was told to have ended is deleted: what is written later ends by the clock alone. */
  #forget(): void {
    if (this.#announced == null || this.parts.writes.sealed) return;
    this.#announced = null;
    this.parts.storage.kv.delete(ENDED);
  }
}
