/** `(*ACCEPT)`, `(*SKIP:name)` and the other verbs that steer backtracking. */
import type { Cursor } from '../syntax/cursor.ts';
import { FAIL, type Node, type Verb } from '../tree.ts';

const VERB = /\*([A-Z0-9_]*)(?::([^)]*))?\)/y;

const VERBS: Readonly<Record<string, Verb>> = {
  ACCEPT: 'accept',
  COMMIT: 'commit',
  PRUNE: 'prune',
  SKIP: 'skip',
  THEN: 'then',
  MARK: 'mark',
  '': 'mark',
};

/** Reads a verb, if one is next; the cursor is after the parenthesis. */
export function readVerb(cursor: Cursor): readonly Node[] | undefined {
  const start = cursor.position - 1;
  const found = cursor.scan(VERB);
  if (!found) {
    return cursor.peek(/\*[A-Z]/y) ? cursor.refuse('the verb (*…) is not known', start) : undefined;
  }
  const [, word = '', given] = found;
  const name = given === undefined || given === '' ? null : given;
  if (word === 'F' || word === 'FAIL') return [...mark(name), FAIL];
  const verb = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  if (verb === undefined) return cursor.refuse(`the verb (*${word}) is not known here`, start);
  if (verb === 'mark' && name === null) cursor.refuse('(*MARK) needs a name', start);
  // A skip goes to marks alone, so the names that other verbs have are of no use to a search.
  return [{ kind: 'verb', verb, name: verb === 'mark' || verb === 'skip' ? name : null }];
}

function mark(name: string | null): readonly Node[] {
  return name === null ? [] : [{ kind: 'verb', verb: 'mark', name }];
}
