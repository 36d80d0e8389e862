/** Documents that belong somewhere, by name: each can be taken out, and others be added by a search. */
import type { Link } from '../../../client/transport.ts';
import { usePages } from '../../session/pages.ts';
import { statusOf } from '../../session/service.ts';
import { IconButton, notify, Opener, Problems, useRun } from '../button.tsx';
import { Card, Content, More } from '../page.tsx';
import { countText } from '../words.tsx';
import { Choose, nameOf, wayToLink } from './names.tsx';

interface Member {
  readonly link: Link;
  readonly name: string;
  /** A word beside the name. */
  readonly tag?: string | undefined;
}

interface MemberListProps {
  readonly members: readonly Member[];
  /** The words for taking one out. */
  readonly removing: (name: string) => string;
  readonly onRemove: (member: Member) => void;
}

export function MemberList({ members, removing, onRemove }: MemberListProps) {
  return (
    <ul class="row">
      {members.map((member) => (
        <li class="chip" key={member.link.id}>
          <a href={wayToLink(member.link)}>{member.name}</a>
          {member.tag !== undefined && <span class="soft">{member.tag}</span>}
          <IconButton icon="close" label={removing(member.name)} onClick={() => onRemove(member)} />
        </li>
      ))}
    </ul>
  );
}

interface AddMemberProps {
  /** The words of the button, and of the dialog. */
  readonly words: string;
  readonly title?: string;
  readonly look?: 'link';
  readonly label?: string;
  readonly types: readonly (readonly [string, string])[];
  readonly onAdd: (link: Link, name: string) => void;
}

export function AddMember({ words, title = words, look, label, types, onAdd }: AddMemberProps) {
  return (
    <Opener
      look={look}
      label={label}
      {...(look === undefined && { icon: 'add' })}
      dialog={(close) => (
        <Choose title={title} type={types[0]?.[0] ?? ''} types={types} onClose={close} onChoose={onAdd} />
      )}
    >
      {words}
    </Opener>
  );
}

type Change = 'POST' | 'DELETE';

interface MembersCardProps {
  readonly title: string;
  /** What lists them. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Words beside names, by type. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly empty: string;
  /** The words for adding one, and for taking one out. */
  readonly adding: string;
  readonly removing: (name: string) => string;
  readonly types: readonly (readonly [string, string])[];
  readonly onChange: (method: Change, link: Link) => Promise<void>;
  /** What was done then, in words. */
  readonly changed: (method: Change, name: string) => string;
}

/** All that belong somewhere: each change is sent at once, and whoever was taken out can be had back. */
export function MembersCard(props: MembersCardProps) {
  const { title, path, query = {}, tags = {}, empty, adding, removing, types, onChange, changed } = props;
  const found = usePages(path, query, { size: 100 });
  const { documents, count, error } = found;
  // Nobody has ever belonged there.
  const isAbsent = statusOf(error) === 404;
  const changing = useRun(async (method: Change, link: Link, name: string) => {
    await onChange(method, link);
    found.reload();
    notify(changed(method, name), method === 'DELETE' ? () => changing.run('POST', link, name) : undefined);
  });
  return (
    <Card
      title={title}
      beside={count !== undefined && <span class="soft number">{countText(count)}</span>}
      actions={
        <AddMember words={adding} types={types} onAdd={(link, name) => changing.run('POST', link, name)} />
      }
    >
      <Problems error={changing.error} />
      <Content of={isAbsent ? { ...found, value: null, error: undefined } : found} what={title.toLowerCase()}>
        {() =>
          documents.length === 0 ? (
            <p class="soft">{empty}</p>
          ) : (
            <MemberList
              members={documents.map(({ type, id, attributes = {} }) => ({
                link: { type, id },
                name: nameOf({ attributes }) ?? id,
                tag: tags[type],
              }))}
              removing={removing}
              onRemove={({ link, name }) => changing.run('DELETE', link, name)}
            />
          )
        }
      </Content>
      <More of={found}>Show more</More>
    </Card>
  );
}
