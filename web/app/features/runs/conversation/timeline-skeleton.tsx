import { Loading } from '../../../ui/skeleton.tsx';

/** A placeholder for a conversation. */
export const TimelineSkeleton = () => (
  <Loading
    label="Loading the conversation"
    className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-4 overflow-hidden p-4 sm:px-6"
    parts={['h-20', 'h-6 w-40', 'h-4 w-full', 'h-4 w-11/12', 'h-4 w-2/3']}
  />
);
