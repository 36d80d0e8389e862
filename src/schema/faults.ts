/** Faults of a schema as they are found, bounded. */
import { pointerOf, type Place } from '../domain/pointer.ts';
import { SCHEMA_LIMITS } from './limits.ts';

/** A fault of a schema. `pointer` is relative to the schema's root. */
export interface SchemaFault {
  readonly pointer: string;
  /** A sentence. */
  readonly detail: string;
}

export class Faults {
  readonly list: SchemaFault[] = [];

  get any(): boolean {
    return this.list.length > 0;
  }

  readonly add = (place: Place, detail: string): void => {
    if (this.list.length < SCHEMA_LIMITS.reported) this.list.push({ pointer: pointerOf(place), detail });
  };
}
