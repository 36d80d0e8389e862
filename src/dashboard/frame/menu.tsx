/** The menu: pages by section. On narrow screens it opens over the page. */
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { route, wayTo } from '../route.ts';
import { nameOfPage, openPages } from './current.tsx';

export function Menu() {
  const element = useRef<HTMLElement>(null);
  const here = nameOfPage();
  const place = route.value;
  useEffect(() => {
    if (element.current?.matches(':popover-open') === true) element.current.hidePopover();
  }, [place]);
  return (
    <nav id="menu" class="menu" popover="auto" aria-label="Pages" ref={element}>
      {[...Map.groupBy(openPages(), ({ section }) => section)].map(([section, pages]) => (
        <section key={section}>
          <h2>{section}</h2>
          <ul>
            {pages.map(({ name, title, icon }) => (
              <li key={name}>
                <a
                  class="row together"
                  href={wayTo([name])}
                  aria-current={name === here ? 'page' : undefined}
                >
                  <Icon name={icon} />
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
