/** Templates of mails (docs/accounts.md#templates): all of them, and one with the mail that it makes of examples. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { MAIL_KINDS } from '../../../domain/accounts/templates.ts';
import { Collection, Creating, nameColumn, Single, type Open } from '../../parts/collection.tsx';
import { useFields } from '../../parts/fields/form.tsx';
import { SaveForm } from '../../parts/fields/json-form.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { Card, Content } from '../../parts/page.tsx';
import type { PageProps } from '../../route.ts';
import { change } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { askMeta } from '../../session/service.ts';
import { MailText } from '../mailbox/page.tsx';

const TEMPLATE = 'core.mail-template';
const STEPS = ['templates'];

export default function Templates({ steps: [id] }: PageProps) {
  if (id === undefined)
    return (
      <Collection
        title="Mail templates"
        lead="Mails with your text in the place of ours."
        type={TEMPLATE}
        what="templates"
        query={{ sort: 'name' }}
        actions={() => (
          <Creating
            type={TEMPLATE}
            words="New template"
            steps={STEPS}
            fields={[NAME, ...fieldsOf({})]}
            sent={(attributes) => ({ attributes })}
          />
        )}
        empty={{ title: 'No templates yet.', children: () => <p>All mails have the built-in text.</p> }}
        show={[
          nameColumn('Mail', STEPS),
          { head: 'Subject', class: 'wrap', cell: ({ attributes }) => stringIn(attributes?.['subject']) },
        ]}
      />
    );
  return (
    <Single
      key={id}
      link={{ type: TEMPLATE, id }}
      what="template"
      steps={STEPS}
      all="Mail templates"
      deletion="Mails of this kind have the built-in text again."
    >
      {(open) => <Template key={open.stored.etag} {...open} />}
    </Single>
  );
}

const fieldsOf = ({ attributes = {} }: Pick<Resource, 'attributes'>) =>
  [
    { name: 'subject', label: 'Subject', required: true, first: stringIn(attributes['subject']) },
    {
      name: 'text',
      label: 'Text',
      kind: 'lines',
      required: true,
      first: stringIn(attributes['text']),
      hint: 'Paragraphs with empty lines between. {{link}} or {{code}} does what the mail is for.',
    },
  ] as const;

const NAME = {
  name: 'name',
  label: 'Mail',
  required: true,
  suggestions: MAIL_KINDS,
  hint: 'Its kind, perhaps with a language: log-in.de',
} as const;

function Template({ stored: { document, etag }, refresh }: Open) {
  const { values, controls, isChanged, reset } = useFields([
    ...fieldsOf(document),
    {
      name: 'html',
      label: 'HTML',
      kind: 'lines',
      first: stringIn(document.attributes?.['html']),
      hint: 'Optional. Without it, it is made of the text.',
    },
  ]);
  const save = async () => {
    await change(document, { attributes: { ...values, html: values.html || null } }, etag);
    await refresh();
    return 'Saved.';
  };
  const path = pathOf(TEMPLATE, document.id, 'preview');
  const preview = useLoad(
    (signal) => askMeta<Record<'subject' | 'text', string>>('GET', path, { signal }),
    [],
  );
  return (
    <>
      <SaveForm
        class="card"
        label="The template"
        what="This template"
        isDirty={isChanged}
        onSave={save}
        onDiscard={reset}
      >
        {() => controls}
      </SaveForm>
      <Card title="Preview">
        <Content of={preview} what="the preview">
          {({ subject, text = '' }) => (
            <>
              <h3>{subject}</h3>
              <MailText text={text} />
            </>
          )}
        </Content>
      </Card>
    </>
  );
}
