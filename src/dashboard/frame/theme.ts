/** Light or dark: as the system has it, until somebody chooses. The choice stays in this browser. */
import { effect, signal } from '@preact/signals';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const STORED = 'foredge-theme';

export const theme = signal<Theme>(THEMES.find((each) => each === localStorage.getItem(STORED)) ?? 'system');

effect(() => {
  const chosen = theme.value;
  document.documentElement.dataset['theme'] = chosen === 'system' ? '' : chosen;
  localStorage.setItem(STORED, chosen);
});

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}
