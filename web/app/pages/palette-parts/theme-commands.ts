import type { Command } from '../../features/search/commands.ts';
import { chooseTheme, readTheme, type ThemeChoice } from '../../ui/page/theme.ts';

const THEMES: { choice: ThemeChoice; label: string }[] = [
  { choice: 'light', label: 'Use light colours' },
  { choice: 'dark', label: 'Use dark colours' },
  { choice: 'system', label: 'Use the system’s colours' },
];

const isDark = () => document.documentElement.dataset.theme === 'dark';

/** Switches of the colours. */
export function themeCommands(): Command[] {
  const keywords = ['theme', 'colour scheme', 'color'];
  const now = readTheme();
  return [
    {
      id: 'toggle-theme',
      label: 'Toggle theme',
      keywords: [...keywords, 'dark', 'light'],
      run: () => chooseTheme(isDark() ? 'light' : 'dark'),
    },
    ...THEMES.filter(({ choice }) => choice !== now).map(({ choice, label }) => ({
      id: `theme ${choice}`,
      label,
      keywords,
      run: () => chooseTheme(choice),
    })),
  ];
}
