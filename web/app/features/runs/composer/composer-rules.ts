import { MESSAGE_MAX } from '@atelier/contract/runs';
import { formatNumber } from '../../../ui/formats.ts';

/** From here on the composer shows the count. */
const NEAR = MESSAGE_MAX * 0.9;

/** The length as the server counts it, and whether it is too long; null while the limit is far. */
export function lengthNotice(text: string): { text: string; over: boolean } | null {
  if (text.length < NEAR) return null;
  return {
    text: `${formatNumber(text.length)} / ${formatNumber(MESSAGE_MAX)} characters`,
    over: text.length > MESSAGE_MAX,
  };
}

/** True when Enter means "send": without Shift. */
export const sendsOn = (event: { key: string; shiftKey: boolean }) => event.key === 'Enter' && !event.shiftKey;

/** Whether this text may be sent. */
export const isSendable = (text: string) => text.trim() !== '' && text.length <= MESSAGE_MAX;
