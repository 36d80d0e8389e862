/** JSON Schemas of a project's files, for editors: from the table of the service's own types, and in the package. */
import { ENVELOPE } from '../../src/modules/contents/envelope.ts';
import { attributesOf, OWN_TYPES } from '../../src/modules/contents/own-types.ts';
import { FIELD } from '../../src/modules/contents/own-members.ts';
import { either, listOf, objectOf, STRING, text, type Schema } from '../../src/modules/contents/schema.ts';
import { CORE } from '../../src/domain/types.ts';
import { GROUPS_OF_SETTINGS } from '../../src/domain/accounts/settings.ts';
import { factsOf } from './parts.ts';
import { ACCOUNTS, FOLDERS } from './project.ts';

/** The schemas, by the folders of the files; that of `foredge.json` by its name. */
export function schemasOfFiles(): ReadonlyMap<string, string> {
  const declared = Object.entries(FOLDERS).map(([folder, type]) => {
    const isOpen = OWN_TYPES[type]?.closed !== true;
    return [folder, { ...fileOf(membersOf(type)), additionalProperties: isOpen }] as const;
  });
  const all: Readonly<Record<string, Schema>> = {
    ...Object.fromEntries(declared),
    [ACCOUNTS]: fileOf({
      ...membersOf(CORE.accountSettings),
      ...Object.fromEntries(
        GROUPS_OF_SETTINGS.map((name) => [`${name}?`, listOf(text('The name of a group.'))]),
      ),
      'providers?': listOf(objectOf(membersOf(CORE.identityProvider))),
    }),
    migrations: fileOf({
      type: text('The type of the documents.'),
      'rename?': {
        type: 'object',
        description: 'New names of fields, by the old ones.',
        additionalProperties: text('The new name.', FIELD),
      },
      'set?': { type: 'object', description: 'Fields with expressions of their values.' },
      'remove?': listOf(text('The name of a field.', FIELD)),
    }),
    foredge: fileOf({
      targets: {
        type: 'object',
        description: 'Services by their names; {} is the one that runs here.',
        additionalProperties: objectOf({ 'url?': STRING, 'application?': STRING }),
      },
    }),
  };
  return new Map(Object.entries(all).map(([name, schema]) => [name, JSON.stringify(schema, shown, 1)]));
}

/** The attributes of a type that its file says: not what the service makes, nor what is the name of the file. */
function membersOf(type: string): Readonly<Record<string, Schema>> {
  const { key, made } = factsOf(type);
  const isType = type === CORE.typeSettings;
  const own = attributesOf(type).filter(
    ({ name, isMade }) => !isMade && name !== made && !(isType && name === key),
  );
  const [schema] = attributesOf(CORE.schema).filter(({ name }) => name === 'content');
  return {
    ...(type === CORE.webhook && { name: text('What it is found by.') }),
    ...Object.fromEntries(own.map((each) => [`${each.name}${each.isOptional ? '?' : ''}`, each.schema])),
    ...(made !== undefined && { [`${made}?`]: { not: {}, description: 'It stays on the server.' } }),
    ...(isType && schema && { 'schema?': either(schema.schema, listOf(schema.schema)) }),
  };
}

function fileOf(members: Readonly<Record<string, Schema>>): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...objectOf({ '$schema?': STRING, ...members }),
    // Editors that know them heed these.
    allowComments: true,
    allowTrailingCommas: false,
    components: { schemas: ENVELOPE },
  };
}

/** Links of descriptions lead from pages of the docs. */
function shown(name: string, value: unknown): unknown {
  return name === 'description' && typeof value === 'string'
    ? value.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    : value;
}
