/** The address of a public agent within the site; `search` is what is kept of the present one, for example the tag. */
export function publicAgentPath(creatorId: string, agentId: string, search = ''): string {
  return `/explore/${encodeURIComponent(creatorId)}/${encodeURIComponent(agentId)}${search}`;
}
