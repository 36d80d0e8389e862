/**
 * What the settings of the type (docs/types.md) ask of its documents: unique values, and rights beside each document's
 * own ACL. Writes obey what is in force and what comes; whatever settings that leave have made is removed in steps.
 */
import { decodeFields } from '../../domain/values/codec.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { placeOf, pointerOf } from '../../domain/pointer.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Acl, Right, Viewer } from '../../domain/rights.ts';
import type { TypeSettings } from '../../domain/types/settings.ts';
import { memberOf } from '../../domain/values/tree.ts';
import {
  checkHolders,
  derived,
  givenBy,
  givenOn,
  givingNames,
  hasOtherRights,
  identitiesIn,
  sameLinks,
  sameRights,
} from './rules/given-rights.ts';
import type { DocumentWriter } from '../storage/documents/document-writer.ts';
import type { Positioned } from '../storage/documents/documents.ts';
import { endOf, type Expiries } from '../storage/secondary/expiries.ts';
import { rowsOfAcl, type RightsRows, type RightsWriter } from '../storage/documents/rights.ts';
import { WRITE_STEP_DOCUMENTS, WRITE_STEP_ROWS, WRITE_STEP_UNITS } from '../storage/steps.ts';
import type { SettingsReader } from '../storage/type-settings.ts';
import { nameOf, uniqueFieldsOf } from '../storage/secondary/unique-fields.ts';
import type { UniqueValuesWriter } from '../storage/secondary/unique-values.ts';
import { unpackContent, type StoredContent } from '../../domain/values/stored.ts';
import type { FieldName } from '../../domain/field-names.ts';
import { typesOfHolders, type InheritedWriter } from '../storage/secondary/inherited.ts';

interface Tables {
  readonly records: DocumentWriter;
  readonly rights: RightsWriter;
  readonly uniques: UniqueValuesWriter;
  readonly settings: SettingsReader;
  readonly expiries: Expiries;
  readonly inherited: InheritedWriter;
}

export class Constraints {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Whether rights come from the settings: then a creator gets no others. */
  get givesRights(): boolean {
    return this.#tables.settings.obeyed.some(({ rights }) => rights !== null);
  }

  /**
   * Whether a viewer may create a document with a content or, with the present one as `before`, keep its links where
   * they lead now. The rights on linked documents are those before the write.
   */
  mayCreate(viewer: Viewer, content: StoredContent, before: StoredContent | null = null): boolean {
    if (viewer === null) return true;
    const { inherited, rights, settings } = this.#tables;
    const withCreate = settings.obeyed.flatMap((each) => (each.rights?.create === undefined ? [] : each));
    if (withCreate.length === 0 || (before !== null && sameLinks(before, content, givingNames(withCreate))))
      return true;
    const identities = new Set(rights.identitiesOf(viewer));
    const { relationships } = unpackContent(content);
    return withCreate.every((each) =>
      each.rights?.create?.some((entry) => {
        const holders = givenBy(entry, 'create', null, relationships);
        inherited.want(holders);
        return holders.length > 0 && holders.every((identity) => identities.has(identity));
      }),
    );
  }

  /** Why a content cannot be that of a document, if it cannot. */
  check(id: DocumentId, content: StoredContent): Outcome<null> {
    const { inherited, settings, uniques } = this.#tables;
    const { obeyed } = settings;
    if (obeyed.length === 0) return ok(null);
    const named = this.#inverseIn(id, content);
    if (named !== null) return named;
    const taken = uniques.taken(id, content, distinctLists(obeyed));
    return taken.ok && this.givesRights
      ? checkHolders(unpackContent(content), obeyed, inherited.types)
      : taken;
  }

  /** The other documents that have a unique value of a content. */
  rivalsOf(id: DocumentId, content: StoredContent): readonly DocumentId[] {
    const { settings, uniques } = this.#tables;
    return uniques.rivalsOf(id, content, distinctLists(settings.obeyed));
  }

  /** The refusal of a field that a declared inverse has the name of, unless the document has the field already. */
  #inverseIn(id: DocumentId, content: StoredContent): Outcome<null> | null {
    const { settings, records } = this.#tables;
    const inverses = Object.assign(
      {},
      ...settings.obeyed.map((each) => each.inverses),
    ) as TypeSettings['inverses'];
    const names = Object.keys(inverses);
    if (names.length === 0) return null;
    const { attributes, relationships } = unpackContent(content);
    const fields = { ...attributes, ...relationships };
    const name = names.find((each) => Object.hasOwn(fields, each));
    const inverse = name === undefined ? undefined : memberOf(inverses, name);
    if (name === undefined || inverse === undefined) return null;
    const before = records.find(id);
    if (before !== undefined && Object.hasOwn(decodeFields(before.body), name)) return null;
    const { through, type } = inverse;
    const change = `Change the relationship ${through} of documents of type ${type}.`;
    const detail = `${name} is an inverse: it has what links here. ${change}`;
    const member = Object.hasOwn(relationships, name) ? 'relationships' : 'attributes';
    return fail('field-conflict', detail, { pointer: pointerOf(placeOf('data', member, name)) });
  }

  /** After a document was written: what it has, and what it had before, if it is not new. */
  put(document: Positioned, before: Positioned | null): void {
    const { rights, settings, uniques } = this.#tables;
    const { all, obeyed } = settings;
    if (all.length === 0) return;
    uniques.putAll(document.id, document, distinctLists(obeyed));
    this.#noteEnds(document, before);
    if (!all.some((each) => each.rights !== null)) return;
    const own = rowsOfAcl(rights.of(document.seq));
    const after = derived(document, obeyed);
    const gone =
      before === null ? [] : [...derived(before, all)].filter((row) => !own.has(row) && !after.has(row));
    const taken = rights.take(document.seq, gone);
    const given = this.#give(document.seq, after);
    // By that number, types whose rights come through this document are told (storage/secondary/inherited.ts).
    if ((taken || given) && before !== null) rights.stamp(document.seq, document.version);
  }

  #give(seq: number, rows: RightsRows): boolean {
    const { inherited, rights } = this.#tables;
    inherited.need(typesOfHolders(identitiesIn(rows)));
    return rights.give(seq, [...rows]);
  }

  /** Notes when a document ends, now that it is `after`; null for one that is being deleted. */
  #noteEnds(after: Positioned | null, before: Positioned | null): void {
    const { expiries, settings } = this.#tables;
    const names = expiring(settings.all);
    if (names.size === 0) return;
    const obeyed = expiring(settings.obeyed);
    for (const name of names) {
      const old = before && endOf(before, name);
      if (before !== null && old !== null) expiries.take(name, old, before.seq);
      const end = after && endOf(after, name);
      if (after !== null && end !== null && obeyed.has(name)) expiries.put(name, end, after.seq);
    }
  }

  /** What a document's rights are beside its own ACL. */
  rowsOf(document: Positioned): RightsRows {
    const { obeyed } = this.#tables.settings;
    return obeyed.length === 0 ? NO_ROWS : derived(document, obeyed);
  }

  /** The entries of settings that give a right on a document, each with an identity that has it by that. */
  entriesOf(document: Positioned, right: Right) {
    return givenOn(document, this.#tables.settings.obeyed).filter((each) => each.right === right);
  }

  /** Removes what a document that is being deleted has of its settings. Its own ACL is gone already. */
  forget(document: Positioned): void {
    const { rights, settings } = this.#tables;
    if (settings.all.length === 0) return;
    rights.take(document.seq, [...derived(document, settings.all)]);
    this.#noteEnds(null, document);
  }

  /** Whether settings ask something of existing documents that those in force do not. */
  asksOfDocuments(coming: TypeSettings, before: TypeSettings | null): boolean {
    return (
      newLists(coming.unique, before).length > 0 ||
      hasOtherRights(coming, before) ||
      hasOtherEnd(coming, before)
    );
  }

  /** Makes what settings that come ask of a document; fails for one that does not obey them. */
  adopt(document: Positioned, coming: TypeSettings, before: TypeSettings | null): Outcome<null> {
    const { inherited, records, rights, uniques } = this.#tables;
    const lists = newLists(coming.unique, before);
    for (const list of lists) {
      const fault = this.#conflict(document, list, coming.unique.indexOf(list));
      if (!fault.ok) return fault;
    }
    uniques.putAll(document.id, document, lists);
    if (hasOtherEnd(coming, before)) this.#noteEnds(document, null);
    if (!hasOtherRights(coming, before)) return ok(null);
    if (!checkHolders(unpackContent(document), [coming], inherited.types).ok) {
      const pointer = pointerOf(placeOf('data', 'attributes', 'rights'));
      return fail(
        'invalid-attribute',
        `The document ${document.id} has too many links there, or links to too many types.`,
        { pointer },
      );
    }
    const given = this.#give(document.seq, derived(document, [coming]));
    if (given) rights.stamp(document.seq, records.nextVersion());
    return ok(null);
  }

  #conflict(document: Positioned, list: readonly string[], index: number): Outcome<null> {
    const { name, keysOf } = uniqueFieldsOf(list);
    const pointer = pointerOf(placeOf('data', 'attributes', 'unique', index));
    const keys = keysOf(decodeFields(document.body));
    if (typeof keys === 'string') {
      return fail('invalid-attribute', `The document ${document.id} has ${keys} there.`, { pointer });
    }
    const owner = this.#tables.uniques.ownerOf(name, keys, document.id);
    if (owner === undefined) return ok(null);
    const detail = `The documents ${owner} and ${document.id} have the same ${list.join(' and ')}.`;
    return fail('value-taken', detail, { pointer });
  }

  /**
   * Removes some of what settings that leave have made, of documents behind a position; null when nothing is left, else
   * the position that it has come to.
   */
  release(leaving: TypeSettings, built: number): number | null {
    const { records, rights, settings, uniques, expiries } = this.#tables;
    const { obeyed } = settings;
    const { expires } = leaving;
    if (expires !== null && !expiring(obeyed).has(expires) && expiries.clear(expires, WRITE_STEP_ROWS))
      return built;
    const kept = new Set(distinctLists(obeyed).map(nameOf));
    const gone = leaving.unique.filter((list) => !kept.has(nameOf(list)));
    if (gone.some((list) => uniques.clear(list, WRITE_STEP_ROWS))) return built;
    if (leaving.rights === null || obeyed.some((each) => sameRights(each, leaving))) return null;
    const documents = records.next(built, WRITE_STEP_DOCUMENTS, WRITE_STEP_UNITS);
    for (const document of documents) {
      const own = rowsOfAcl(rights.of(document.seq));
      const still = derived(document, obeyed);
      const rows = [...derived(document, [leaving])].filter((row) => !own.has(row) && !still.has(row));
      if (rights.take(document.seq, rows)) rights.stamp(document.seq, records.nextVersion());
    }
    return documents.at(-1)?.seq ?? null;
  }

  /** Those who could learn that a document was deleted: whoever its ACL or its settings let read. */
  readersOf(document: Positioned, acl: Acl): readonly string[] {
    const rows = [...rowsOfAcl(acl), ...this.rowsOf(document)];
    return [
      ...new Set(rows.filter((row) => row.startsWith('read ')).map((row) => row.slice('read '.length))),
    ];
  }
}

const NO_ROWS: RightsRows = new Set();

/** The fields whose dates end documents. */
function expiring(settings: readonly TypeSettings[]): ReadonlySet<FieldName> {
  return new Set(settings.flatMap(({ expires }) => expires ?? []));
}

function hasOtherEnd(coming: TypeSettings, before: TypeSettings | null): boolean {
  return coming.expires !== null && coming.expires !== before?.expires;
}

function distinctLists(settings: readonly TypeSettings[]): readonly (readonly string[])[] {
  return [...new Map(settings.flatMap(({ unique }) => unique.map((list) => [nameOf(list), list]))).values()];
}

function newLists(lists: TypeSettings['unique'], before: TypeSettings | null): TypeSettings['unique'] {
  const known = new Set(before?.unique.map(nameOf));
  return lists.filter((list) => !known.has(nameOf(list)));
}
