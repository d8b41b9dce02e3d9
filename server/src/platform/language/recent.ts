/**
 * The same function of a text, which keeps its latest `max` results: what was asked for longest ago goes first. For pure functions whose
 * texts come again, such as memories that one question after another recalls.
 */
export function keepRecent<T>(max: number, read: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    const result = known ?? read(text);
    if (known !== undefined) kept.delete(text);
    else if (kept.size === max) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
    kept.set(text, result);
    return result;
  };
}
