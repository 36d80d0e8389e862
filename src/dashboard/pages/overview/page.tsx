/** The first page of an application: how much there is of each type, and where to begin when there is none. */
import { useState } from 'preact/hooks';
import { Content, Page } from '../../parts/page.tsx';
import { bytesText, countText, documentsIn } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { application } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes } from '../../session/types.ts';
import { Figures } from './figures.tsx';
import { FirstMinute, Onward, type FirstDocument } from './first-minute.tsx';

/** Tiles that there are at most. */
const SHOWN = 60;

export default function Overview() {
  const open = application.value;
  const [made, setMade] = useState<FirstDocument>();
  const types = useLoad(readTypes, [open?.id]);
  return (
    <Page title={open?.name ?? 'Overview'} lead={open && <code>{open.id}</code>}>
      <Content of={types} what="types">
        {(all) =>
          all.length > 0 ? (
            <>
              <Figures types={all} />
              <ul class="across">
                {all.slice(0, SHOWN).map(({ name, documents, bytes }) => (
                  <li key={name}>
                    <a class="card tile" href={wayTo(['documents', name])} title={name}>
                      <strong>{name}</strong>
                      <span class="row spread soft fine">
                        <span>{documents === undefined ? 'counted by rights' : documentsIn(documents)}</span>
                        {bytes !== undefined && <span>{bytesText(bytes)}</span>}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
              {all.length > SHOWN && (
                <p>
                  <a href={wayTo(['documents'])}>All {countText(all.length)} types</a>
                </p>
              )}
              <h2>Go on</h2>
              <Onward />
            </>
          ) : (
            <>
              <p class="lead">
                {made === undefined
                  ? 'This application has no documents yet. The first minute:'
                  : 'This application has its first document.'}
              </p>
              <FirstMinute made={made} onMade={setMade} />
            </>
          )
        }
      </Content>
    </Page>
  );
}
