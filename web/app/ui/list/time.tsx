import { minuteOf, shortTimeOf } from '../formats.ts';

/** When something was said: the time of today or the day, and both on hover. */
export const Time = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} title={minuteOf(at)} className={className}>
    {shortTimeOf(at)}
  </time>
);
