import { Link } from 'react-router';

/** Tags as hashtags; each leads to the agents that carry it. */
export function TagLinks({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-x-3 gap-y-1">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            to={`/explore?${new URLSearchParams({ tag })}`}
            className="inline-flex items-center rounded text-muted text-sm underline-offset-4 hover:text-ink hover:underline touch:min-h-11"
          >
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
