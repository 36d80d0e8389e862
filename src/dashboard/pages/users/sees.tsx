/** What a person sees, and through which permission, rule and right: of a type, or of one document. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { TextField } from '../../parts/fields/form.tsx';
import { ID } from '../../parts/fields/kinds.ts';
import { Card } from '../../parts/page.tsx';
import { useTypes } from '../../session/types.ts';
import { Tree } from '../document/rights.tsx';

export function Sees({ person }: { readonly person: Link }) {
  const [text, setText] = useState('');
  const names = (useTypes() ?? []).map(({ name }) => name);
  const [type = '', ...below] = text.trim().split('/');
  const isWhole =
    names.includes(type) && (below.length === 0 || (below.length === 1 && ID.test(below.join())));
  const path = pathOf(type, ...below);
  return (
    <Card title="What they see, and why">
      <TextField
        label="Documents"
        placeholder="A type, or type/id"
        value={text}
        onText={setText}
        suggestions={names}
      />
      {isWhole && <Tree key={path} path={path} method="GET" user={person} />}
    </Card>
  );
}
