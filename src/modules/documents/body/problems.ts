/** The problems of a body while it is read. */
import { keepWarm } from '../../../domain/caching/keep-warm.ts';
import { TOLD } from '../../../domain/limits.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { isParsedObject, type Parsed, type ParsedObject } from '../../../domain/values/json.ts';
import { sentenceOf, type Detail } from '../../../domain/names.ts';
import { pointerOf, type Place } from '../../../domain/pointer.ts';
import { problem, type Problem } from '../../../domain/problems.ts';

/** Names that a client gives to documents which the request adds (JSON:API, `lid`). */
export interface LocalIds {
  /** The placeholder for the id of a document, or undefined for an unknown name. */
  readonly find: (type: string, lid: string) => DocumentId | undefined;
  /** What is wrong with an unknown name. */
  readonly unknown: (type: string, lid: string) => string;
  /** The local id of the addressed document, if it has no other. */
  readonly addressed?: string;
}

export class Problems {
  readonly all: Problem[] = [];
  readonly locals: LocalIds | undefined;

  constructor(locals?: LocalIds) {
    this.locals = locals;
  }

  add(code: Problem['code'], place: Place, detail: Detail): void {
    if (this.all.length >= TOLD.inBody) return;
    this.all.push(problem(code, sentenceOf(detail), { pointer: pointerOf(place) }));
  }

  /** The value as an object, or null and a problem. */
  object(value: Parsed | undefined, place: Place, detail: string): ParsedObject | null {
    if (isParsedObject(value)) return value;
    this.add('invalid-body', place, detail);
    return null;
  }
}
keepWarm(new Problems());
