/** How many entries the lists of the workspace request at a time; the page requests the first of each before the application runs. */
export const PAGE_SIZES = { agents: 200, sessions: 100, tasks: 30, explore: 24 } as const;
