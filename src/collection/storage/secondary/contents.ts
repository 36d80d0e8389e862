/**
 * The contents of files in the bucket, as far as a collection answers for them. A content has a row before its first
 * byte is stored, until it is deleted: a crash leaves a row, and never a content that nobody knows of.
 */
import { keyOf, type Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import type { KnownContent } from '../../rpc/maintenance/uploads.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import { Table, LIMIT } from '../sql.ts';
import { Uploads } from './uploads.ts';

/** A content that is to be deleted, and the upload of its parts if it is not known to be whole. */
export interface DueContent {
  readonly id: DocumentId;
  /** Whether it has had a document, and was not deleted before. */
  readonly isStored: boolean;
  readonly upload: string | null;
}

/** To be used inside a transaction, and only when there are tables. */
export class Contents extends Table {
  readonly uploads = new Uploads(this.sql);
  #bytes: number | null = null;
  #fresh = false;
  /** The time by which the alarm is known to ring for a content. */
  #rings = Infinity;

  /** To be called after writes were undone. */
  load(): void {
    this.#bytes = null;
  }

  /** Of all contents: also of those that are being stored, or are to be deleted. */
  get bytes(): number {
    return (this.#bytes ??= this.numberOf('SELECT contents FROM meta') ?? 0);
  }

  #add(bytes: number): void {
    if (bytes === 0) return;
    const all = this.bytes + bytes;
    this.sql.exec('UPDATE meta SET contents = ?', all);
    this.#bytes = all;
  }

  /** Whether rows have got a time since the last call: the alarm must ring for them. */
  takeFresh(): boolean {
    const fresh = this.#fresh;
    this.#fresh = false;
    return fresh;
  }

  /** Makes room for a content. Without a document by that time (milliseconds since 1970) it is deleted. */
  reserve(id: DocumentId, bytes: number, due: number | null, owner: Link | null): void {
    const reserved = 'INSERT INTO contents (id, bytes, due, kept, owner) VALUES (?, ?, ?, ?, ?)';
    this.sql.exec(reserved, bytesOfId(id), bytes, due, Number(due === null), owner && keyOf(owner));
    this.#add(bytes);
    this.#fresh ||= due !== null && (due < this.#rings || this.#rings <= Date.now());
  }

  /** Of all contents of a user. */
  bytesOfOwner(owner: Link): number {
    return this.numberOf('SELECT sum(bytes) FROM contents WHERE owner = ?', keyOf(owner)) ?? 0;
  }

  waits(id: DocumentId, now: number): boolean {
    return this.finds('SELECT 1 FROM contents WHERE id = ? AND due > ?', bytesOfId(id), now);
  }

  /** Notes that a content comes in parts, which go with it until it is whole. */
  noteUpload(id: DocumentId, upload: string): void {
    this.sql.exec('UPDATE contents SET upload = ? WHERE id = ?', upload, bytesOfId(id));
  }

  /** Gives a content that waits for its document more time; returns the time, or null where it does not wait. */
  extend(id: DocumentId, now: number, due: number): number | null {
    const extended = 'UPDATE contents SET due = ? WHERE id = ? AND due > ? RETURNING due';
    return this.numberOf(extended, due, bytesOfId(id), now);
  }

  /** Gives a content to its document, which is there now and says its size. */
  keep(id: DocumentId, bytes: number): void {
    const reserved = this.#bytesOf(id);
    const stored = 'UPDATE contents SET due = NULL, upload = NULL, kept = 1, bytes = ? WHERE id = ?';
    this.sql.exec(stored, bytes, bytesOfId(id));
    this.#add(bytes - reserved);
    this.uploads.end(id);
  }

  /** Lets a content be deleted, whose document is gone or will not come: also one that came after its row had gone. */
  release(id: DocumentId, now: number): void {
    const released = `INSERT INTO contents (id, bytes, due) VALUES (?, 0, ?)
      ON CONFLICT (id) DO UPDATE SET due = excluded.due`;
    this.sql.exec(released, bytesOfId(id), now);
    this.#fresh = true;
  }

  /** Some of those that are to be deleted by now. */
  due(now: number, limit: number): readonly DueContent[] {
    const due = `SELECT id, upload, kept FROM contents WHERE due <= ? ORDER BY due ${LIMIT}`;
    const rows = this.sql.exec<{ id: ArrayBuffer; upload: string | null; kept: number }>(due, now, limit);
    return Array.from(rows, ({ id, upload, kept }) => ({ id: idOfBytes(id), upload, isStored: kept === 1 }));
  }

  /** Some of those after an id, up to another one, in their order. */
  between(after: DocumentId, last: DocumentId, limit: number): readonly KnownContent[] {
    const known = `SELECT id, due IS NULL AS kept FROM contents WHERE id > ? AND id <= ? ORDER BY id ${LIMIT}`;
    const span = [bytesOfId(after), bytesOfId(last)];
    const rows = this.sql.exec<{ id: ArrayBuffer; kept: number }>(known, ...span, limit);
    return Array.from(rows, ({ id, kept }) => ({ id: idOfBytes(id), isStored: kept === 1 }));
  }

  /** When the next is to be deleted, by which the caller lets the alarm ring; null for none. */
  next(): number | null {
    const due = this.numberOf('SELECT min(due) FROM contents');
    this.#rings = due ?? Infinity;
    return due;
  }

  /** Of a content that has been deleted, but pictures of it may still be made by requests that have begun before. */
  linger(id: DocumentId, due: number): void {
    this.#add(-this.#bytesOf(id));
    this.sql.exec('UPDATE contents SET kept = 2, bytes = 0, due = ? WHERE id = ?', due, bytesOfId(id));
  }

  /** Forgets a content that has been deleted. */
  drop(id: DocumentId): void {
    this.uploads.end(id);
    this.#add(-this.#bytesOf(id));
    this.sql.exec('DELETE FROM contents WHERE id = ?', bytesOfId(id));
  }

  #bytesOf(id: DocumentId): number {
    return this.numberOf('SELECT bytes FROM contents WHERE id = ?', bytesOfId(id)) ?? 0;
  }
}
