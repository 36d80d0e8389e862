/** The problems of a body while it is read. */
import { isParsedObject, type Parsed, type ParsedObject } from '../../domain/json.ts';
import { pointerOf, type Place } from '../../domain/pointer.ts';
import { problem, type Problem } from '../../domain/problems.ts';

/** Problems reported at most, so that one broken body makes no endless answer. */
const MOST_PROBLEMS = 50;

/** Names that a client gives documents which an operation before this one adds (JSON:API, `lid`). */
export interface LocalIds {
  /** What stands for the id of a document, or undefined for an unknown name. */
  readonly find: (type: string, lid: string) => string | undefined;
  /** The local id of the document that is addressed, where it has no other. */
  readonly addressed?: string;
}

export class Problems {
  readonly all: Problem[] = [];
  readonly locals: LocalIds | undefined;

  constructor(locals?: LocalIds) {
    this.locals = locals;
  }

  add(code: Problem['code'], place: Place, detail: string): void {
    if (this.all.length < MOST_PROBLEMS) this.all.push(problem(code, detail, { pointer: pointerOf(place) }));
  }

  /** The value as an object, or null and a problem. */
  object(value: Parsed | undefined, place: Place, detail: string): ParsedObject | null {
    if (isParsedObject(value)) return value;
    this.add('invalid-body', place, detail);
    return null;
  }
}
