import { useSyncExternalStore } from 'react';
import { classes } from '../classes.ts';
import { Monitor, Moon, Sun } from '../icons/lucide.ts';
import { chooseTheme, readTheme, subscribeTheme, type ThemeChoice } from './theme.ts';

/** What one may choose. */
export const THEMES: { value: ThemeChoice; label: string; Icon: typeof Sun }[] = [
  { value: 'system', label: 'Same as the system', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
];

/** The choice that holds. */
export const useTheme = () => useSyncExternalStore(subscribeTheme, readTheme, () => 'system' as const);

/** Light, dark or system. The script of static pages listens to `data-theme-choice`. */
export function ThemeSwitch() {
  const chosen = useTheme();
  return (
    <fieldset className="inline-flex rounded border p-0.5">
      <legend className="sr-only">Colour scheme</legend>
      {THEMES.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          title={label}
          aria-label={label}
          aria-pressed={chosen === value}
          data-theme-choice={value}
          onClick={() => chooseTheme(value)}
          className={classes(
            'inline-flex size-8 items-center justify-center rounded-sm text-muted hover:text-ink touch:size-11',
            'aria-pressed:bg-sunken aria-pressed:text-ink',
          )}
        >
          <Icon className="size-4" />
        </button>
      ))}
    </fieldset>
  );
}
