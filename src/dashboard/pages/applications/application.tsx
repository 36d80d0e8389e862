/** One application, for the operator: its name, its quotas, and for how long its audit trail is kept. */
import { useEffect } from 'preact/hooks';
import { stringIn } from '../../parts/fields/json.ts';
import { APPLICATION, credentials, renew } from '../../session/credentials.ts';
import type { Sort } from '../document/sort.ts';

/** The bar calls the open application by the name that it has now. */
function Renamed({ id, name }: { readonly id: string | undefined; readonly name: string }) {
  useEffect(() => {
    const { application } = credentials.value;
    if (application !== undefined && application.id === id)
      renew({ ...credentials.value, application: { ...application, name } });
  }, [id, name]);
  return null;
}

const number = (title: string) => ({ title, type: 'integer' });

export const APPLICATIONS: Sort = {
  type: APPLICATION,
  steps: ['applications'],
  all: 'Applications',
  what: 'application',
  isUndeletable: true,
  below: ({ base }, id) => <Renamed id={id} name={stringIn(base.draft.attributes['name'])} />,
  known: {
    name: { title: 'Name' },
    placement: {
      title: 'Placement',
      description:
        'A jurisdiction such as eu, or a region such as weur. Empty: near its clients. It cannot be changed.',
    },
    quotas: {
      title: 'Quotas',
      description: 'Empty: no limit. A full quota only stops writes that add.',
      type: 'object',
      properties: {
        requests: number('Requests a second'),
        documents: number('Documents'),
        bytes: number('Bytes'),
        types: number('Types'),
      },
    },
    'audit-days': {
      ...number('Days to keep entries'),
      description: 'Of the audit trail. Empty: it is off.',
    },
  },
};
