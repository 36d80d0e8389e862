/** What is wrong in the files of a project, while `foredge dev` follows them: told here as in its terminal. */
import { useEffect, useState } from 'preact/hooks';
import { BASE } from '../session/service.ts';

/** Milliseconds between two questions. */
const PAUSE = 1_000;

interface Development {
  readonly meta: { readonly project: { readonly fault: string | null } | null };
}

export function ProjectFault() {
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const look = async () => {
      const { meta } = (await (await fetch(`${BASE}/development`)).json()) as Development;
      if (meta.project === null) clearInterval(timer);
      else setFault(meta.project.fault);
    };
    // A service that starts again is asked again.
    const timer = setInterval(() => void look().catch(() => undefined), PAUSE);
    look().catch(() => clearInterval(timer));
    return () => clearInterval(timer);
  }, []);
  return fault === null ? null : (
    <div class="notice bad" role="status">
      <div>
        <strong>The project was not pushed.</strong> <code>{fault}</code>
      </div>
    </div>
  );
}
