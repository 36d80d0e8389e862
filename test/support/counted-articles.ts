/** Articles that show how many comments link to them (docs/types.md#counters). */
import { Client, type Reply } from './client.ts';
import { makeUser, underAcl } from './people.ts';
import { settle } from './type-settings.ts';

let types = 0;

/** Articles and comments in an application of a trusted client. */
export class Counted {
  readonly trusted: Client;

  constructor(trusted: Client) {
    this.trusted = trusted;
  }

  /** Two new types; `where` is that of the counter, `more` other settings. */
  async articles(where?: object, more: object = {}) {
    const n = (types += 1);
    const [article, comment] = [`articles-${n}`, `comments-${n}`];
    const count = { comments: { type: comment, by: 'article', ...(where && { where }) } };
    const made = await settle(this.trusted, { name: article, count, ...more });
    if (made.status !== 201) throw new Error(made.text);
    return { article, comment };
  }

  async added(type: string, content: object = {}): Promise<string> {
    const made = await this.trusted.create(`/resources/${type}`, content);
    if (made.status !== 201) throw new Error(made.text);
    return made.body.data.id;
  }

  read(type: string, id: string, headers = {}): Promise<Reply> {
    return this.trusted.get(`/resources/${type}/${id}`, headers);
  }

  async counted(type: string, id: string): Promise<unknown> {
    return (await this.read(type, id)).body.data.attributes?.['comments'];
  }
}

/** An application to count in, its key under ACL, and a user. */
export async function countedWorld() {
  const trusted = await Client.create();
  return {
    trusted,
    acl: await underAcl(trusted),
    ada: await makeUser(trusted, 'ada'),
    world: new Counted(trusted),
  };
}

/** The content of a comment on an article. */
export const to = (type: string, id: string | null) => ({
  relationships: { article: { data: id === null ? null : { type, id } } },
});

export const faults = ({ status, body }: Reply) =>
  body.errors.map(({ code, source }) => [status, code, source?.pointer ?? source?.parameter].join(' '));
