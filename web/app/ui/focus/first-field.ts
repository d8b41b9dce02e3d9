const FIELDS = 'textarea, select, input:not([hidden], [type=hidden], [type=checkbox], [type=radio], [type=file])';

/** Focuses the first field that one writes or chooses in; false where there is none. */
export function focusFirstField(place: HTMLElement | null): boolean {
  const field = place?.querySelector<HTMLElement>(FIELDS);
  field?.focus();
  return field === document.activeElement;
}
