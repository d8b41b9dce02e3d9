import { type RefObject, useLayoutEffect, useState } from 'react';

/** `top`: below the header; `bottom`: above the composer; `slim`: one line over the header, when there is no other room. */
const PLACES = ['top', 'bottom', 'slim'] as const;
type Place = (typeof PLACES)[number];

/** From the window's edges, in pixels. */
type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

const GAP = 8;

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The first place from `from` on where a card, measured at the top, covers neither the answer nor the composer. */
export function findPlace(card: Box, { answer, dock }: { answer: Box | null; dock: Box }, from: Place): Place {
  const height = card.bottom - card.top;
  const atBottom = { ...card, top: dock.top - GAP - height, bottom: dock.top - GAP };
  const isClear = (box: Box) => !overlap(box, dock) && (answer === null || !overlap(box, answer));
  const open = PLACES.slice(PLACES.indexOf(from));
  if (open.includes('top') && isClear(card)) return 'top';
  return open.includes('bottom') && atBottom.top >= card.top && isClear(atBottom) ? 'bottom' : 'slim';
}

/** The visible part of the newest answer; null when it is scrolled away. */
function seenAnswer(): Box | null {
  const answer = [...document.querySelectorAll('[data-answer]')].at(-1);
  const log = answer?.closest('[role="log"]')?.getBoundingClientRect();
  if (answer === undefined || log === undefined) return null;
  const { left, right, top, bottom } = answer.getBoundingClientRect();
  const seen = { left, right, top: Math.max(top, log.top), bottom: Math.min(bottom, log.bottom) };
  return seen.top < seen.bottom ? seen : null;
}

/** Keeps a floating card off the newest answer and the composer, also while scrolling. */
export function useClearSpot(card: RefObject<HTMLElement | null>): { place: Place; style: { bottom?: number } } {
  const [spot, setSpot] = useState<{ place: Place; style: { bottom?: number } }>({ place: 'top', style: {} });
  useLayoutEffect(() => {
    const whole = card.current?.getBoundingClientRect();
    const look = () => {
      const dock = document.querySelector('[data-dock]')?.getBoundingClientRect();
      if (whole === undefined || dock === undefined) return;
      // It moves one way only, so that it doesn't jump back and forth.
      setSpot(({ place: before, style }) => {
        const place = findPlace(whole, { answer: seenAnswer(), dock }, before);
        if (place === before) return { place, style };
        return { place, style: place === 'bottom' ? { bottom: innerHeight - dock.top + GAP } : {} };
      });
    };
    look();
    addEventListener('scroll', look, true);
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look, true);
      removeEventListener('resize', look);
    };
  }, [card]);
  return spot;
}
