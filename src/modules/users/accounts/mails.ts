/** Mails that nobody has asked for: what was changed, to whoever must hear of it. */
import { CHANGED, minutesOf, UNDO_ADDRESS, type ActionKind } from '../../../domain/accounts/settings.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { CORE } from '../../../domain/types.ts';
import type { RequestContext } from '../../endpoint.ts';
import { ownOf } from './own.ts';
import { textAt, type HeldSettings } from './settings.ts';

/** An address that has given way to another takes itself back. No limit holds it back: whoever takes an account over would reach that first. */
export function mailFormer(
  context: RequestContext,
  settings: HeldSettings,
  user: DocumentId,
  email: string,
): Promise<void> {
  return mail(context, settings, UNDO_ADDRESS, { user, email });
}

/** A password or a second factor that was changed, where the user has a confirmed address. */
export async function mailOfChange(
  context: RequestContext,
  settings: HeldSettings,
  { id, attributes }: Pick<Document, 'id' | 'attributes'>,
): Promise<void> {
  const email = textAt(attributes, 'confirmed-email');
  if (email !== undefined) await mail(context, settings, CHANGED, { user: id, email });
}

async function mail(
  context: RequestContext,
  settings: HeldSettings,
  kind: ActionKind,
  { user, email }: { readonly user: DocumentId; readonly email: string },
): Promise<void> {
  const expires = new Date(Date.now() + minutesOf(kind, settings) * 60_000);
  const attributes = {
    // What is asked for an address is counted by its subject: this was not.
    ...{
      kind,
      subject: kind === CHANGED ? `${kind} ${email}` : email,
      email,
      address: email,
      user,
      tries: 0,
    },
    ...{ created: new Date(), expires },
  };
  await ownOf(context, CORE.accountAction).add(attributes);
}
