import type { ToolCall } from '@atelier/contract/tools';
import type { McpProgress } from '../../../platform/mcp/mcp-connection.ts';

/** Each time is stored and sent to every open page. */
const EVERY_MS = 1_000;

/** Shows a call's progress at most once a second, the latest each time; `stop` ends that. */
export function showProgress(call: ToolCall, show: (change: Partial<ToolCall>) => Promise<void>) {
  let latest: McpProgress | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = () => {
    timer = undefined;
    if (latest === undefined) return;
    const progress = latest;
    latest = undefined;
    timer = setTimeout(send, EVERY_MS);
    // A write that fails ends the run by itself.
    show({ progress }).catch(() => {});
  };
  return {
    onProgress: (progress: McpProgress) => {
      latest = progress;
      if (timer === undefined) send();
    },
    stop: () => {
      clearTimeout(timer);
      latest = undefined;
      delete call.progress;
    },
  };
}
