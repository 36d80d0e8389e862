/** What stands around every page: bar, menu, and what the page did as code. Whoever has not entered sees the door. */
import { hasEntered } from '../session/credentials.ts';
import { Enter } from '../pages/enter/enter.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { Again } from './again.tsx';
import { Bar } from './bar.tsx';
import { AsCode, showsCode } from './as-code.tsx';
import { Current } from './current.tsx';
import { Find } from './find.tsx';
import { Menu } from './menu.tsx';
import { ProjectFault } from './project-fault.tsx';

export function Frame() {
  if (!hasEntered.value) return <Enter />;
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Bar />
      <div class="frame">
        <Menu />
        <main id="content" tabIndex={-1}>
          <ProjectFault />
          <Current />
        </main>
        {showsCode.value && <AsCode />}
      </div>
      <Find />
      <Again />
      <Toasts />
    </>
  );
}
