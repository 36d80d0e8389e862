/** The dashboard: a page that speaks the public API, and nothing else. Credentials stay in the tab. */
import 'uplot/dist/uPlot.min.css';
import './style/tokens.css';
import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/pages.css';
import { render } from 'preact';
import { Frame } from './frame/frame.tsx';
import { keepPresses } from './frame/presses.ts';
import { enterFromPages } from './session/enter.ts';
import { enterFromTabs } from './session/tabs.ts';

// A login that is refused leads to the door.
await enterFromPages().catch(() => undefined);
enterFromTabs();
keepPresses();
render(<Frame />, document.body);
