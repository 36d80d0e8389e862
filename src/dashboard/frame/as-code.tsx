/** What the page has just asked, as curl and as client code: whoever clicks learns how to program it. */
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { CodeBlock, IconButton } from '../parts/button.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { exchanges } from '../session/service.ts';
import { asClient, asCurl } from './code.ts';

/** Requests that are shown. */
const SHOWN = 15;

/** Whether the panel is open. */
export const showsCode = signal(false);

export function AsCode() {
  const [form, setForm] = useState<'curl' | 'client'>('curl');
  return (
    <aside class="as-code" aria-label="As code">
      <IconButton
        icon="close"
        label="Close code"
        onClick={() => {
          showsCode.value = false;
        }}
      />
      <Tabs label="Form" tabs={{ curl: 'curl', client: 'Client' }} open={form} onOpen={setForm}>
        {(open) => (
          <>
            <p class="hint">
              Requests of this page, newest first. <code>$KEY</code> stands for your credentials.
            </p>
            {exchanges.value.slice(0, SHOWN).map((exchange, index) => {
              const { method, path, status, milliseconds } = exchange;
              return (
                <section key={index}>
                  <p class="row fine wrap">
                    <strong>{method}</strong> {path}
                    <span class={status !== undefined && status < 400 ? 'good' : 'bad'}>
                      {status ?? 'no answer'}
                    </span>
                    <span class="soft">{Math.round(milliseconds)} ms</span>
                  </p>
                  <CodeBlock
                    text={open === 'curl' ? asCurl(exchange) : asClient(exchange)}
                    label={`${method} ${path}`}
                  />
                </section>
              );
            })}
          </>
        )}
      </Tabs>
    </aside>
  );
}
