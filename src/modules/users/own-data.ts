/** What is stored of a user, for that user (docs/accounts.md#own-data): only what a GET at its address would show. */
import { collectionOf } from '../../collection/rpc/client.ts';
import { typesOf } from '../../collection/rpc/maintenance/applications.ts';
import { LazyDocument } from '../../collection/rpc/packing/documents.ts';
import { keyOf, type Document, type Link } from '../../domain/documents.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { secretFields, withoutSecrets } from '../../domain/secrets.ts';
import { CORE, isResourceType, type TypeName } from '../../domain/types.ts';
import { typeInfo } from '../../domain/types/facts.ts';
import { presentDocuments } from '../documents/answer/resource.ts';
import { related } from '../documents/linked/include.ts';
import { readableLinks } from '../documents/linked/link-pages.ts';
import { answerPage } from '../documents/versions.ts';
import type { Handler, RequestContext } from '../endpoint.ts';
import { freshHolderOf } from './accounts/begun.ts';
import { accountSettings, closed } from './accounts/settings.ts';

/** Types of the service that users read, beside identities. */
const READ: readonly TypeName[] = [CORE.file, CORE.passkey, CORE.identity];

/** Questions to collections that one page may cost. */
const QUESTIONS = 100;

export const listOwnData: Handler = async (context) => {
  const settings = await accountSettings(context);
  if (settings?.ownData !== true) return closed();
  const holder = freshHolderOf(context);
  if (!holder.ok) return holder;
  const identity = keyOf(holder.value);
  // What the key does not permit is not told: others may have named the user there.
  const quiet = { ...context };
  const listed = await answerPage(context, `data of ${identity}`, [], async (after, limit) => {
    const gathered = await gather(quiet, identity, after, limit);
    if (!gathered.ok) return tooLarge(gathered);
    const found = await related(quiet, gathered.value.links);
    if (!found.ok) return tooLarge(found);
    const data = await presentDocuments(found.value.documents.map(withoutSecret), quiet);
    return ok({ data, digested: data.map(({ text }) => text), next: gathered.value.next });
  });
  return listed.ok ? ok({ ...listed.value, confidential: true }) : listed;
};

/** Links to documents that name somebody and that the request could read, by types, and where the next page begins. */
async function gather(context: RequestContext, identity: string, place: string | null, limit: number) {
  const [first = '', at = '0'] = place?.split(' ') ?? [];
  const isShown = (type: TypeName) =>
    isResourceType(type) || typeInfo(type).identity === true || READ.includes(type);
  const types = (await typesOf(context)).filter((type) => type >= first && isShown(type)).sort();
  const links: Link[] = [];
  let questions = 0;
  for (const type of types) {
    for (let from: number | null = type === first ? Number(at) : 0; from !== null;) {
      if (links.length === limit || questions === QUESTIONS) return ok({ links, next: `${type} ${from}` });
      questions += 1;
      const named = await collectionOf(context, type).calls.named(identity, from, limit - links.length);
      const found = named.ids.map((id) => ({ type, id }));
      const readable = await readableLinks(context, found);
      if (!readable.ok) return readable;
      links.push(...readable.value);
      from = named.next;
    }
  }
  return ok({ links, next: null });
}

/** The hash of the password is for the user's own address: lists are kept, and passed on. */
function withoutSecret(document: Document): Document {
  const { type, attributes, relationships } = document;
  if (secretFields(type).length === 0 || !(document instanceof LazyDocument)) return document;
  return document.seenAs(Object.keys({ ...withoutSecrets(type, attributes), ...relationships }));
}

function tooLarge(failure: Extract<Outcome<unknown>, { readonly ok: false }>) {
  if (failure.problems[0]?.code !== 'include-too-large') return failure;
  const detail = 'These documents are too large together: ask for fewer at a time.';
  return fail('answer-too-large', detail, { parameter: 'page[size]' });
}
