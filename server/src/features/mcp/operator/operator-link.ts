import type { McpConnection, McpTool } from '../../../platform/mcp/mcp-connection.ts';
import type { ServerReport } from './operator-contact.ts';
import type { PinnedTool } from './operator-pins.service.ts';

/** One server of the operator: connected when needed, also after it ended. */
export interface OperatorLink {
  name: string;
  /** Begins its tools' ids. */
  key: string;
  /** The file switches it off, or is wrong about it. */
  isOff: boolean;
  /** Its approved tools, without contacting a server that was seen before. */
  known(): Promise<PinnedTool[]>;
  /** The same, and begins to contact it; waits at most moments. */
  listed(): Promise<PinnedTool[]>;
  /**
   * Talks for a conversation, over a connection that serves no other meanwhile unless there may be no more; `now` is what the server offers
   * at this moment. Throws McpUnreachable.
   */
  use<T>(
    conversation: string,
    talk: (connection: McpConnection, now: McpTool[], isAlone: () => boolean) => Promise<T>,
  ): Promise<T>;
  /** Stores how what it offers differs from what was approved. */
  compare(now: McpTool[]): Promise<unknown>;
  /** Contacts it, and says how that went. */
  check(): Promise<ServerReport>;
  close(): Promise<void>;
}

declare module '../../../platform/deps.ts' {
  interface Deps {
    /** This process's links to the operator's tool servers. */
    operatorLinks: OperatorLink[];
  }
}
