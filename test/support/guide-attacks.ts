/** What strangers try on the application of each guide (docs/guides), for test/http/guides.test.ts. */

/**
 * One attack a line: what is wanted, by whom, the request, and the answer: status and code, or status and number of
 * documents. A path without `/` is one of /resources, `{…}` are attributes; `id`, `meta` and links follow by name.
 * `<name>` is an id: of a user, of the only group, of the first document of a type; `@name` links to it.
 */
type Table = string;

interface Guide {
  /** The key that everybody has, by its name; without one, the guide makes none. */
  readonly key?: string;
  /** Types that hold what an attack may not change. */
  readonly types?: readonly string[];
  readonly attacks?: Table;
}

const EVE = '"username": "eve", "password": "x"';
const MAIL = '"username": "eve", "password": "long enough 1", "email": "e@shop.example"';
const OPEN_SIGN_UP: Table = `
  a role at sign-up | nobody | POST /users/core.user {${EVE}, "role": "admin"} | 403 field-not-permitted
  rights at sign-up | nobody | POST /users/core.user {${EVE}} meta={"acl": {"read": "*"}} | 403 field-not-permitted
  a link at sign-up | nobody | POST /users/core.user {${EVE}} boss=@mallory | 403 field-not-permitted
  the id of somebody else | nobody | POST /users/core.user {${EVE}} id="<mallory>" | 403 client-id
  the list of users | mallory | GET /users/core.user | 403 forbidden
`;
const STOLEN_TOKEN: Table = `
  the end of the own, with a stolen token | mallory | DELETE /users/core.user/me | 403 forbidden
  a look at the own token | mallory | GET /users/core.user.token/me | 403 forbidden
`;
const SOMEBODY_ELSE: Table = `
  the account of somebody else | mallory | GET /users/core.user/<ada> | 403 forbidden
  the end of it | mallory | DELETE /users/core.user/<ada> | 403 forbidden
  rights on it | mallory | GET /users/core.user.acl/<ada> | 403 forbidden
`;

export const TABLE: Readonly<Record<string, Guide>> = {
  'accounts.md': {
    key: 'web page',
    attacks: `${SOMEBODY_ELSE}${STOLEN_TOKEN}
      a role | mallory | PATCH /users/core.user/me {"role": "admin"} | 403 field-not-permitted
      a role beside a password | mallory | PATCH /users/core.user/<mallory> \
        {"password": "new enough", "role": "admin"} | 403 field-not-permitted
      a role by an operator | mallory | PATCH /users/core.user/me \
        meta={"update": {"$push": {"role": "admin"}}} | 403 field-not-permitted
      a role by a new name | mallory | PATCH /users/core.user/me \
        meta={"update": {"$rename": {"username": "role"}}} | 403 field-not-permitted
      an address that nobody confirmed | mallory | PATCH /users/core.user/me \
        {"confirmed-email": "ada@shop.example"} | 403 field-not-permitted
      the name of somebody else | mallory | PATCH /users/core.user/me {"username": "ada"} | 403 field-not-permitted
      rights for all | mallory | PATCH /users/core.user/me meta={"acl": {"read": "*"}} | 422 invalid-attribute
      the password of somebody else | mallory | PATCH /users/core.user/<ada> {"password": "mine now"} | 403 forbidden
      a group | mallory | PATCH /users/core.user/me/relationships/groups {} | 403 forbidden
      a user made by a user | mallory | POST /users/core.user {${MAIL}} | 403 forbidden
      a role at sign-up | nobody | POST /users/core.user {${MAIL}, "role": "admin"} | 403 field-not-permitted
      rights at sign-up | nobody | POST /users/core.user {${MAIL}} meta={"acl": {"read": "*"}} | 403 field-not-permitted
      a name that is taken | nobody | POST /users/core.user \
        {"username": "ada", "password": "long enough 1", "email": "e@shop.example"} | 409 value-taken
      a link to another page | nobody | POST /users/core.account-action {"kind": "reset-password", \
        "email": "a@shop.example", "return-to": "https://mallory.example/"} | 422 invalid-attribute
      the end of an account | nobody | POST /users/core.account-action \
        {"kind": "erase", "email": "a@shop.example"} | 403 forbidden
      the settings | mallory | GET /users/core.account-settings | 403 forbidden
      mails | mallory | GET /users/core.mail | 403 forbidden
      passkeys of others | mallory | GET /users/core.passkey | 200 0
    `,
  },
  'profiles.md': {
    key: 'web page',
    types: ['profiles'],
    attacks: `
      the profile of somebody else | mallory | POST profiles {"name": "m"} user=@bob | 403 rule-violated
      a profile of two | mallory | POST profiles {"name": "m"} user=[@mallory, @bob] | 403 rule-violated
      a profile of nobody | mallory | POST profiles {"name": "m"} user=null | 403 rule-violated
      a badge | mallory | POST profiles {"name": "m", "verified": true} user=@mallory | 403 field-not-permitted
      the name of somebody else | mallory | POST profiles {"name": "ada"} user=@mallory | 409 value-taken
      other rights on it | mallory | POST profiles \
        {"name": "m"} user=@mallory meta={"acl": {"update": "*"}} | 403 field-not-permitted
      words in the mouth of others | mallory | PATCH profiles/<profiles> {"about": "spam"} | 403 forbidden
      the end of a profile | mallory | DELETE profiles/<profiles> | 403 forbidden
      the user behind a profile | mallory | GET profiles?filter[user.username]=ada | 200 0
      the password behind a profile | mallory | GET profiles?filter[user.password]={"$exists":true} | 200 0
      passwords among the names | mallory | GET /aggregates/agt.people?filter[password]={"$exists":true} | 200 0
    `,
  },
  'todo.md': {
    key: 'to-do app',
    types: ['profiles', 'lists'],
    attacks: `${OPEN_SIGN_UP}${SOMEBODY_ELSE}${STOLEN_TOKEN}
      a role | mallory | PATCH /users/core.user/me {"role": "admin"} | 403 forbidden
      the profile of somebody else | mallory | POST profiles {"name": "m"} user=@bob | 403 rule-violated
      a profile of two | mallory | POST profiles {"name": "m"} user=[@mallory, @bob] | 403 rule-violated
      a badge | mallory | POST profiles {"name": "m", "verified": true} user=@mallory | 403 field-not-permitted
      another profile | bob | PATCH profiles/<profiles> {"name": "x"} | 403 forbidden
      the list of somebody else | mallory | GET lists/<lists> | 403 forbidden
      all lists | mallory | GET lists | 200 0
      who has it | mallory | GET lists.acl/<lists> | 403 forbidden
      a share of it | mallory | PATCH lists.acl/<lists> {"read": "*"} | 403 forbidden
      all lists without an account | nobody | GET lists | 401 token-required
    `,
  },
  'sharing.md': {
    key: 'web page',
    types: ['recipes', 'messages', 'cards'],
    attacks: `
      a recipe of others | mallory | GET recipes/<recipes> | 403 forbidden
      a place in a group | mallory | POST /users/core.user-group/<group>/relationships/users [@mallory] | 403 forbidden
      the same by who was in it | bob | POST /users/core.user-group/<group>/relationships/users [@bob] | 403 forbidden
      who is in the group | mallory | GET /users/core.user-group/<group> | 403 forbidden
      the end of the group | bob | DELETE /users/core.user-group/<group> | 403 forbidden
      all groups | mallory | GET /users/core.user-group | 200 0
      rights | bob | PATCH recipes.acl/<recipes> {"read": "*"} | 403 forbidden
      rights on rights | ada | PATCH recipes.acl.acl/<recipes> {"update": "*"} | 403 forbidden
      a list through its links | mallory | GET recipes?filter[*]={"title":{"$exists":true}} | 200 0
      recipes without an account | nobody | GET recipes | 401 token-required
      a message of somebody else | mallory | POST messages from=@ada to=@bob | 403 rule-violated
      a message of two | mallory | POST messages from=[@mallory, @ada] to=@bob | 403 rule-violated
      a message of nobody | mallory | POST messages from=null to=@bob | 403 rule-violated
      another message | bob | PATCH messages/<messages> {} | 403 forbidden
      the messages of others | mallory | GET messages | 200 0
      a link to them | mallory | GET messages?filter[from.username]=ada | 200 0
      a card for a team that is not one’s own | mallory | POST cards team=@group | 403 rule-violated
      a card for two teams | ada | POST cards team=[@group, @others] | 403 rule-violated
      a card that changes teams | ada | PATCH cards/<cards> team=@others | 403 rule-violated
      a card of two teams | ada | PATCH cards/<cards> team=[@group, @others] | 403 rule-violated
      the cards of others | mallory | GET cards | 200 0
    `,
  },
  'chat.md': {
    key: 'chat',
    types: ['workspaces', 'channels', 'rooms', 'messages'],
    attacks: `
      the messages of others | mallory | GET messages | 200 0
      a message of others | mallory | GET messages/<messages> | 403 forbidden
      a search through their channel | mallory | GET messages?filter[in.name]=general | 200 0
      a message in a channel of others | mallory | POST messages in=@channels | 403 forbidden
      a message in a room of others | mallory | POST messages in=@rooms | 403 forbidden
      a message to a whole workspace | mallory | POST messages in=@workspaces | 403 forbidden
      a message in two places | bob | POST messages in=[@channels, @rooms] | 403 forbidden
      a message nowhere | mallory | POST messages {} | 403 forbidden
      other words | bob | PATCH messages/<messages> {"text": "x"} | 403 forbidden
      the end of a message | mallory | DELETE messages/<messages> | 403 forbidden
      a workspace of others | mallory | GET workspaces/<workspaces> | 403 forbidden
      a place in it | mallory | PATCH workspaces/<workspaces> admins=[@mallory] | 403 forbidden
      the same by one of its people | bob | PATCH workspaces/<workspaces> admins=[@bob] | 403 forbidden
      a channel in it | mallory | POST channels workspace=@workspaces | 403 forbidden
      a channel for all | mallory | POST channels meta={"acl": {"read": "*"}} | 403 forbidden
      a channel that moves | mallory | PATCH channels/<channels> workspace=null | 403 forbidden
      a room of others | mallory | PATCH rooms/<rooms> members=[@mallory] | 403 forbidden
      a room in the name of others | mallory | POST rooms members=[@ada] | 403 rule-violated
      rights on a message | bob | PATCH messages.acl/<messages> {"read": "*"} | 403 forbidden
      messages without an account | nobody | GET messages | 401 token-required
    `,
  },
  'attachments.md': {
    key: 'messenger',
    types: ['messages'],
    attacks: `
      a picture of others | eve | GET /files/core.file/<file>/content | 403 forbidden
      a picture without an account | nobody | GET /files/core.file/<file>/content | 401 token-required
      the document of a picture | eve | GET /files/core.file/<file> | 403 forbidden
      rights on a picture | eve | PATCH /files/core.file.acl/<file> {"read": "*"} | 403 forbidden
      the end of a picture | eve | DELETE /files/core.file/<file> | 403 forbidden
      a picture in a message | eve | POST messages picture={"type": "core.file", "id": "<file>"} | 404 link-not-found
      the end of a message | eve | DELETE messages/<messages> | 403 forbidden
      messages of others | eve | GET messages | 200 0
    `,
  },
  'shop.md': {
    key: 'customers',
    types: ['products', 'wallets', 'orders'],
    attacks: `
      the wallet of another | mallory | POST orders {"count": 1} product=@products wallet=@wallets | 403 rule-violated
      more than there is | ada | POST orders {"count": 99} product=@products wallet=@wallets | 403 rule-violated
      less than nothing | ada | POST orders {"count": -1} product=@products wallet=@wallets | 403 rule-violated
      half a thing | ada | POST orders {"count": 0.5} product=@products wallet=@wallets | 403 rule-violated
      a text of things | ada | POST orders {"count": "1"} product=@products wallet=@wallets | 422 invalid-value
      a total | ada | POST orders {"count": 1, "total": 0} product=@products wallet=@wallets | 403 field-not-permitted
      what is paid already | ada | POST orders \
        {"count": 1, "state": "paid"} product=@products wallet=@wallets | 403 field-not-permitted
      a list of wallets | ada | POST orders {"count": 1} product=@products wallet=[@wallets] | 403 rule-violated
      no wallet | ada | POST orders {"count": 1} product=@products wallet=null | 403 rule-violated
      a wallet as the product | ada | POST orders {"count": 1} product=@wallets wallet=@wallets | 403 rule-violated
      two things for the price of one | ada | POST orders \
        {"count": 1} product=[@products, @wallets] wallet=@wallets | 422 invalid-value
      an own price | ada | POST orders \
        {"count": 1, "product": {"price": 0, "stock": 9}} wallet=@wallets | 422 schema-violation
      another state | ada | PATCH orders/<orders> {"state": "open"} | 403 forbidden
      the end of an order | ada | DELETE orders/<orders> | 403 forbidden
      another price | ada | PATCH products/<products> {"price": 0} | 403 forbidden
      money | ada | PATCH wallets/<wallets> {"balance": 99} | 403 forbidden
      a wallet | mallory | POST wallets {"balance": 99} | 403 forbidden
      the wallets of others | mallory | GET wallets | 200 0
      a wallet through its order | mallory | GET orders?filter[wallet.balance]={"$gt":0} | 200 0
      an order of others | mallory | GET orders/<orders> | 403 forbidden
      a list of operations | ada | POST /operations {} | 403 forbidden
    `,
  },
  'offline.md': {
    key: 'tasks',
    types: ['tasks'],
    attacks: `
      more than tasks have | nobody | PATCH tasks/<tasks> {"film": "x"} | 403 field-not-permitted
      rights on a task | nobody | POST tasks meta={"acl": {"read": "*"}} | 403 field-not-permitted
      a store for anything | nobody | POST films {} | 403 forbidden
    `,
  },
  'project.md': {
    key: 'website',
    types: ['articles'],
    attacks: `
      an article of others | mallory | PATCH articles/<articles> {"title": "Mine now"} | 403 forbidden
      the end of it | mallory | DELETE articles/<articles> | 403 forbidden
      a slug that is taken | mallory | POST articles {"slug": "hello", "title": "Hello"} | 409 value-taken
      more than it has | mallory | POST articles {"slug": "x", "title": "xyz", "html": "<b>"} | 422 schema-violation
      rights on it | mallory | GET articles.acl/<articles> | 403 forbidden
      articles without an account | nobody | GET articles | 401 token-required
    `,
  },
  'renaming.md': { types: ['articles'] },
  // What these do is the operator's, and a server's: no page has a key of theirs.
  'deploying.md': {},
};

/** What no page may do, whoever has an account there: with any key of any guide. */
export const ALWAYS: Table = `
  all keys | mallory | GET /api-keys/core.api-key
  a key | mallory | POST /api-keys/core.api-key {"permissions": [{"path": ".*", "methods": ["get"]}]}
  a user | mallory | GET /users/core.user?filter[username]=mallory
  the token of others | mallory | GET /users/core.user.token
  settings | mallory | POST /schemas/core.type {"name": "x", "rights": {"read": ["*"]}}
  schemas | mallory | GET /schemas/core.schema
  a pipeline over users | mallory | POST /aggregates/core.aggregate \
    {"input-type": "core.user", "output-type": "agt.x", "pipeline": []}
  a webhook | mallory | POST /webhooks/core.webhook {"url": "https://mallory.example", "target-type": "core.user"}
  the audit | mallory | GET /audit/core.audit-entry
`;

export interface Attack {
  readonly what: string;
  readonly who: string;
  readonly method: string;
  readonly path: string;
  /** JSON of `data`, or of its members beside `type` and `id`; '' for a request without a body. */
  readonly data: string;
  readonly answer: string;
}

export const attacksOf = (table: Table): readonly Attack[] =>
  table
    .split('\n')
    .filter((line) => line.includes('|'))
    .map((line) => {
      const [what = '', who = '', request = '', answer = ''] = line.split('|').map((each) => each.trim());
      const [, method = '', path = '', data = ''] = /^(\S+) (\S+) *(.*)$/.exec(request) ?? [];
      const full = path.startsWith('/') ? path : `/resources/${path}`;
      return { what, who, method, path: full, data: dataOf(data), answer };
    });

function dataOf(text: string): string {
  if (['', '{}'].includes(text) || text.startsWith('[')) return text;
  const members: string[] = [];
  const links: string[] = [];
  for (const part of text.split(/ +(?=[a-z]+=)/)) {
    const [, name = 'attributes', value = part] = /^([a-z]+)=(.*)$/.exec(part) ?? [];
    if (['attributes', 'id', 'meta'].includes(name)) members.push(`"${name}": ${value}`);
    else links.push(`"${name}": {"data": ${value}}`);
  }
  if (links.length > 0) members.push(`"relationships": {${links.join()}}`);
  return `{${members.join()}}`;
}
