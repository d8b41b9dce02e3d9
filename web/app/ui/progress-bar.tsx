/** How much of something is done, 0 to 1. */
export function ProgressBar({ label, share }: { label: string; share: number }) {
  return (
    <progress
      aria-label={label}
      max={100}
      value={Math.round(share * 100)}
      className="h-1.5 w-full appearance-none overflow-hidden rounded bg-sunken [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-ink"
    />
  );
}
