/**
 * The declared inverses that an include follows, where documents have no such relationship: one question per type,
 * name and level.
 */
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { encodeText } from '../../../domain/values/codec.ts';
import type { Document, Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { recall } from '../../../domain/caching/recall.ts';
import type { Inverse } from '../../../domain/types/settings.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import { linksTo } from '../../../operators/filter/through.ts';
import type { RequestContext } from '../../endpoint.ts';
import { type FollowedInverse, inverseOf } from './inverse-links.ts';
import { noteLeftOut } from '../warnings/warnings.ts';
import { idsOf } from './related-filter.ts';
import { principalsOf } from './principals.ts';

/** The relationship names to follow from a document, as a tree of the requested paths. */
export interface Branch {
  readonly [name: string]: Branch;
}

/** Documents of one type with the same name to follow. */
interface Group {
  readonly type: TypeName;
  readonly name: string;
  readonly next: Branch;
  readonly ids: DocumentId[];
}

/** A document, and what to follow from there. */
export interface Follow {
  readonly document: Document;
  readonly branch: Branch;
}

/** A link to follow, and what to follow from there. */
export interface IncludeStep {
  readonly link: Link;
  readonly next: Branch;
}

/** The inverses that the documents of one include follow. */
export class Inverses {
  readonly #context: RequestContext;
  /** By type and name. */
  readonly #known = new Map<string, Promise<Inverse | null>>();
  /** What was followed, for the answer to tell (inverse-links.ts). */
  readonly followed: FollowedInverse[] = [];

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /** Whether documents of a type have an inverse of this name, as far as one was looked for. */
  async has(type: string, name: string): Promise<boolean> {
    return ((await this.#known.get(`${type} ${name}`)) ?? null) !== null;
  }

  /** The documents that link to those of a level, where a name is no relationship but an inverse; null for too many. */
  async follow(level: readonly Follow[]): Promise<readonly IncludeStep[] | null> {
    const groups = new Map<string, Group>();
    const numbers = new Map<Branch, number>();
    for (const { document, branch } of level) {
      const { type, id } = document;
      for (const name in branch) {
        // In this order: to look at the attributes is to decode the document.
        if (Object.hasOwn(document.relationships, name) || Object.hasOwn(document.attributes, name)) continue;
        const next = branch[name] ?? {};
        const number = recall(numbers, next, () => numbers.size);
        recall(groups, `${type} ${number} ${name}`, (): Group => ({ type, name, next, ids: [] })).ids.push(
          id,
        );
      }
    }
    const found = await Promise.all(Array.from(groups.values(), (group) => this.#steps(group)));
    const steps: IncludeStep[] = [];
    for (const each of found) {
      if (each === null) return null;
      steps.push(...each);
    }
    return steps;
  }

  async #steps({ type, name, next, ids }: Group): Promise<readonly IncludeStep[] | null> {
    const inverse = await recall(this.#known, `${type} ${name}`, () => this.#find(type, name, ids));
    if (inverse === null) return [];
    if (principalsOf(this.#context, storedType(inverse.type))?.length === 0) {
      noteLeftOut(this.#context, inverse.type, 'include');
      return [];
    }
    const condition = encodeText(linksTo(inverse.through, type, ids));
    const linkingType = storedType(inverse.type);
    const found = await idsOf(this.#context, linkingType, [condition]);
    if (!found.ok) return null;
    const linking = (found.value.get(condition) ?? []).map((id) => ({ type: linkingType, id }));
    this.followed.push({ type, name, ids, through: inverse.through, linking });
    return linking.map((link) => ({ link, next }));
  }

  /** The inverse as the key shows it where the first of the documents is. */
  #find(type: TypeName, name: string, [id]: readonly DocumentId[]): Promise<Inverse | null> {
    if (id === undefined) return Promise.resolve(null);
    const own = this.#context.access.viewerOf(pathOfDocument(type, id));
    const rule = own === null || own === 'exhausted' ? this.#context.access.rule : own.rule;
    return inverseOf(this.#context, type, name, rule);
  }
}
