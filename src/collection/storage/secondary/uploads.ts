/**
 * Uploads of contents that may be continued (docs/files.md), beside the rows of their contents: what has come, as parts
 * in the bucket and as bytes that fill no part yet. Whoever goes on claims an upload: what an overtaken request still
 * does is not noted. To be used inside a transaction.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { joined } from '../../../domain/values/bytes.ts';
import type { Stepped, UploadBegun, UploadState, UploadStep } from '../../rpc/maintenance/uploads.ts';
import { bytesOfId } from '../ids.ts';
import { Table } from '../sql.ts';

/** Bytes of a row. */
const ROW = 1024 * 1024;

const NOTHING = new Uint8Array();

export class Uploads extends Table {
  begin(id: DocumentId, begun: UploadBegun): void {
    this.#put(id, { ...begun, offset: 0, parted: 0, upload: null, parts: [], claim: 0, numbers: 0 });
  }

  end(id: DocumentId): void {
    if (this.finds('DELETE FROM uploads WHERE id = ? RETURNING 1', bytesOfId(id))) this.#clear(id);
  }

  /** Null where there is no such upload, it is elsewhere, or somebody else has claimed it. */
  step(id: DocumentId, step: UploadStep, due: number): Stepped | null {
    const [text] = this.column<string>('SELECT state FROM uploads WHERE id = ?', bytesOfId(id));
    if (text === undefined) return null;
    const state = JSON.parse(text) as UploadState;
    switch (step.kind) {
      case 'look':
        return { state, due, tail: NOTHING };
      case 'claim': {
        if (state.offset !== step.offset) return null;
        return { state: this.#put(id, { ...state, claim: state.claim + 1 }), due, tail: this.#tail(id) };
      }
      case 'number': {
        if (state.claim !== step.claim) return null;
        const numbers = state.numbers + 1;
        return { state: this.#put(id, { ...state, numbers, upload: step.upload }), due, tail: NOTHING };
      }
      case 'note': {
        if (state.claim !== step.claim) return null;
        const { parted, tail } = step;
        if (parted > state.parted) this.#clear(id);
        const from = parted > state.parted ? parted : state.offset;
        const put = 'INSERT INTO upload_tails VALUES (?, ?, ?)';
        for (let at = 0; at < tail.length; at += ROW)
          this.sql.exec(put, bytesOfId(id), from + at, tail.slice(at, at + ROW).buffer);
        const parts = [...state.parts, ...step.parts];
        const noted = { ...state, parts, parted, offset: from + tail.length };
        return { state: this.#put(id, noted), due, tail: NOTHING };
      }
    }
  }

  #put(id: DocumentId, state: UploadState): UploadState {
    this.sql.exec('INSERT OR REPLACE INTO uploads VALUES (?, ?)', bytesOfId(id), JSON.stringify(state));
    return state;
  }

  #tail(id: DocumentId): Uint8Array {
    const tails = 'SELECT bytes FROM upload_tails WHERE id = ? ORDER BY at';
    return joined(...this.column<ArrayBuffer>(tails, bytesOfId(id)).map((bytes) => new Uint8Array(bytes)));
  }

  #clear(id: DocumentId): void {
    this.sql.exec('DELETE FROM upload_tails WHERE id = ?', bytesOfId(id));
  }
}
