/** The mailbox: mails that the service has kept in place of sending them. Only their text is shown: no HTML runs. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { Collection } from '../../parts/collection.tsx';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Queue } from '../../parts/queue.tsx';
import { notify } from '../../parts/toasts.tsx';
import { Time } from '../../parts/words.tsx';
import { remove } from '../../session/documents.ts';

const MAIL = 'core.mail';

export default function Mailbox() {
  return (
    <Collection
      title="Mailbox"
      lead="Mails that were kept in the place of sending them. They go after seven days."
      type={MAIL}
      what="mails"
      query={{ sort: '-created' }}
      actions={(reload) => <Button onClick={reload}>Refresh</Button>}
      above={<Queue path={pathOf(MAIL, 'deliveries')} one="mail" many="mails" label="Mails to be sent" />}
      empty={{
        title: 'No mails.',
        children: () => <p>A service that sends its mails keeps none here.</p>,
      }}
      more="Show older mails"
      show={(mails, reload) => mails.map((mail) => <Card key={mail.id} mail={mail} onDeleted={reload} />)}
    />
  );
}

function Card({ mail, onDeleted }: { readonly mail: Resource; readonly onDeleted: () => void }) {
  const { created, from, subject, text, to } = mail.attributes ?? {};
  return (
    <article class="card" aria-label={`Mail to ${stringIn(to)}`}>
      <header class="row spread">
        <div>
          <h2 class="wrap">{stringIn(subject)}</h2>
          <p class="soft wrap">
            To {stringIn(to)}, from {stringIn(from)}, <Time iso={isoOf(created)} />
          </p>
        </div>
        <FormButton
          words="Delete"
          look="danger"
          action="Delete the mail"
          isDanger
          onSubmit={async () => {
            await remove(mail);
            notify('The mail was deleted.');
            onDeleted();
          }}
        >
          <p>Nobody can read it any more.</p>
        </FormButton>
      </header>
      <MailText text={stringIn(text)} />
    </article>
  );
}

/** The text of a mail, in its paragraphs. */
export function MailText({ text }: { readonly text: string }) {
  return text.split(/\n+/).map((line, index) => (
    <p key={index} class="wrap">
      {linked(line)}
    </p>
  ));
}

/** Addresses of the web lead there; what follows them in brackets or a sentence is no part of them. */
function linked(line: string) {
  return line.split(/(https?:\/\/[^\s<>"')]*[^\s<>"').,;:!?])/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ),
  );
}
