import type { ReactNode } from 'react';
import { useNear } from './use-near.ts';

/** The look of a list of cards: as many columns as there is room for. */
export const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 2xl:grid-cols-3';

export interface NearItemProps {
  /** Rendered at once: among the first, or about to get the focus. */
  isWanted: boolean;
  /** Classes for the height that it probably has. */
  reserved: string;
  children: ReactNode;
}

/** A list item that renders its content once it is near: a list may have hundreds. */
export function NearItem({ isWanted, reserved, children }: NearItemProps) {
  const [place, isNear] = useNear<HTMLLIElement>(isWanted);
  return (
    <li ref={place} className={isNear ? undefined : reserved}>
      {isNear && children}
    </li>
  );
}
