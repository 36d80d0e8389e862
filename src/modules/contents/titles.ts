/** The modules in the order in which docs and OpenAPI have them, by the first segment of a path. */
export const MODULE_TITLES: Readonly<Record<string, string>> = {
  resources: 'Documents',
  operations: 'Operations',
  files: 'Files',
  users: 'Users',
  'api-keys': 'API keys',
  schemas: 'Schemas',
  aggregates: 'Aggregates',
  webhooks: 'Webhooks',
  audit: 'Audit trail',
  applications: 'Applications',
};
