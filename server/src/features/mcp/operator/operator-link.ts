import type { McpConnection, McpTool } from '../../../platform/mcp/mcp-connection.ts';
import type { ServerReport } from './operator-contact.ts';
import type { PinnedTool } from './operator-pins.service.ts';

/** One server of the operator: connected when first needed, and again after it died. */
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
  /** A connection, and whether the server still offers the tool as approved. Throws McpUnreachable. */
  connect(tool: McpTool): Promise<{ connection: McpConnection; offers: 'same' | 'changed' | 'gone' }>;
  /** The connection, for what it has beside tools. Throws McpUnreachable. */
  open(): Promise<McpConnection>;
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
