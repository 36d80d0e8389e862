/** Templates of mails (docs/accounts.md#templates): all of them, and one with the mail that it makes of examples. */
import { pathOf } from '../../../client/paths.ts';
import { MAIL_KINDS } from '../../../domain/accounts/templates.ts';
import { nameColumn } from '../../parts/collection.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { Card, Content } from '../../parts/page.tsx';
import { useLoad } from '../../session/load.ts';
import { askMeta } from '../../session/service.ts';
import { ownPage } from '../document/own.tsx';
import type { Sort } from '../document/sort.ts';
import { MailText } from '../mailbox/page.tsx';

const TEMPLATE = 'core.mail-template';

const SORT: Sort = {
  type: TEMPLATE,
  steps: ['templates'],
  all: 'Mail templates',
  what: 'template',
  known: {
    name: {
      title: 'Mail',
      description: `Its kind, perhaps with a language: ${MAIL_KINDS.join(', ')}, log-in.de…`,
    },
    subject: { title: 'Subject' },
    text: {
      title: 'Text',
      description: 'Paragraphs with empty lines between. {{link}} or {{code}} does what the mail is for.',
      format: 'lines',
    },
    html: { title: 'HTML', description: 'Optional. Without it, it is made of the text.', format: 'lines' },
  },
  deletion: 'Mails of this kind have the built-in text again.',
  below: ({ base }, id) => id !== undefined && <Preview key={base.etag} id={id} />,
};

export default ownPage(SORT, {
  lead: 'Mails with your text in the place of ours.',
  query: { sort: 'name' },
  empty: { title: 'No templates yet.', children: () => <p>All mails have the built-in text.</p> },
  show: [
    nameColumn('Mail', SORT.steps),
    { head: 'Subject', class: 'wrap', cell: ({ attributes }) => stringIn(attributes?.['subject']) },
  ],
});

function Preview({ id }: { readonly id: string }) {
  const path = pathOf(TEMPLATE, id, 'preview');
  const preview = useLoad(
    (signal) => askMeta<Record<'subject' | 'text', string>>('GET', path, { signal }),
    [],
  );
  return (
    <Card title="Preview">
      <Content of={preview} what="the preview">
        {({ subject, text }) => (
          <>
            <h3>{subject}</h3>
            <MailText text={text} />
          </>
        )}
      </Content>
    </Card>
  );
}
