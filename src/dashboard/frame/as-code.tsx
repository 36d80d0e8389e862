/** What the page has just asked, as curl and as client code: whoever clicks learns how to program it. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../parts/copy.tsx';
import { Icon } from '../parts/icons.tsx';
import { exchanges } from '../session/service.ts';
import { asClient, asCurl } from './code.ts';
import { showsCode } from './shows-code.ts';

export function AsCode() {
  const [form, setForm] = useState<'curl' | 'client'>('curl');
  const write = form === 'curl' ? asCurl : asClient;
  return (
    <aside class="as-code" aria-label="As code">
      <header>
        <div class="tabs" role="tablist" aria-label="Form">
          {(['curl', 'client'] as const).map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              aria-selected={form === each}
              onClick={() => {
                setForm(each);
              }}
            >
              {each === 'curl' ? 'curl' : 'Client'}
            </button>
          ))}
        </div>
        <button
          class="bare"
          type="button"
          aria-label="Close code"
          onClick={() => {
            showsCode.value = false;
          }}
        >
          <Icon name="close" />
        </button>
      </header>
      <p class="hint">
        What this page asked, the last first. <code>$KEY</code> stands for credentials: they are never shown
        here.
      </p>
      {exchanges.value.slice(0, 8).map((exchange, index) => (
        <section key={index}>
          <p class="asked">
            <strong>{exchange.method}</strong> {exchange.path}
            <span class={(exchange.status ?? 0) < 400 && exchange.status !== undefined ? 'good' : 'bad'}>
              {exchange.status ?? 'no answer'}
            </span>
            <span class="soft">{Math.round(exchange.milliseconds)} ms</span>
          </p>
          <CodeBlock text={write(exchange)} label={`${exchange.method} ${exchange.path}`} />
        </section>
      ))}
    </aside>
  );
}
