/** Where to go from here: pages that are there for whoever has entered, and guides. */
import { wayTo } from '../../route.ts';
import { BASE } from '../../session/service.ts';

const PLACES = [
  ['users', 'Users', 'Make users and groups, and say who may see what.'],
  ['schemas', 'Schemas', 'Say what documents of a type must be: a schema checks each write.'],
  ['keys', 'API keys', 'Make a key that may do no more than your page needs.'],
] as const;

const GUIDES = [
  ['client', 'The client', 'Documents as objects in JavaScript and TypeScript.'],
  ['guides/searching', 'Search', 'Filters, text, places and pages.'],
  ['guides/todo', 'A to-do app in one file', 'People, lists that they share, and live changes.'],
] as const;

export function Onward() {
  return (
    <ul class="onward">
      {PLACES.map(([name, title, words]) => (
        <li key={name}>
          <a href={wayTo([name])}>{title}</a>
          <span class="soft">{words}</span>
        </li>
      ))}
      {GUIDES.map(([path, title, words]) => (
        <li key={path}>
          <a href={`${BASE}/docs/${path}`} target="_blank" rel="noreferrer">
            {title}
          </a>
          <span class="soft">{words}</span>
        </li>
      ))}
    </ul>
  );
}
